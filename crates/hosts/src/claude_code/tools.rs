//! What the tools of Claude Code do.
//!
//! Names as the host writes them, through all its versions. A tool that is not here (an MCP
//! server's, say) may have written anything.

use crate::catalogue::{Tool, ToolKind};

const FILE: &[&str] = &["file_path", "path"];
const NOTEBOOK: &[&str] = &["notebook_path", "file_path"];

const fn tool(name: &'static str, kind: ToolKind) -> Tool {
    Tool { name, kind, paths: &[] }
}

const fn edit(name: &'static str, paths: &'static [&'static str]) -> Tool {
    Tool { name, kind: ToolKind::Edit, paths }
}

/// The tools, by what they do.
pub(super) const TOOLS: &[Tool] = &[
    tool("Read", ToolKind::Read),
    tool("NotebookRead", ToolKind::Read),
    tool("LS", ToolKind::Read),
    tool("BashOutput", ToolKind::Read),
    tool("TaskOutput", ToolKind::Read),
    tool("AgentOutputTool", ToolKind::Read),
    tool("ListMcpResourcesTool", ToolKind::Read),
    tool("ReadMcpResourceTool", ToolKind::Read),
    tool("Glob", ToolKind::Search),
    tool("Grep", ToolKind::Search),
    tool("ToolSearch", ToolKind::Search),
    tool("WebFetch", ToolKind::Fetch),
    tool("WebSearch", ToolKind::Fetch),
    edit("Write", FILE),
    edit("Edit", FILE),
    edit("MultiEdit", FILE),
    edit("NotebookEdit", NOTEBOOK),
    tool("Bash", ToolKind::Command),
    tool("PowerShell", ToolKind::Command),
    tool("Monitor", ToolKind::Command),
    tool("Task", ToolKind::Delegate),
    tool("Agent", ToolKind::Delegate),
    tool("SendMessage", ToolKind::Delegate),
    tool("Workflow", ToolKind::Delegate),
    tool("EnterWorktree", ToolKind::Delegate),
    tool("ExitWorktree", ToolKind::Delegate),
    tool("AskUserQuestion", ToolKind::Ask),
    tool("ExitPlanMode", ToolKind::Ask),
    tool("EnterPlanMode", ToolKind::Ask),
    tool("TodoWrite", ToolKind::Host),
    tool("TodoRead", ToolKind::Host),
    tool("TaskCreate", ToolKind::Host),
    tool("TaskGet", ToolKind::Host),
    tool("TaskList", ToolKind::Host),
    tool("TaskUpdate", ToolKind::Host),
    tool("TaskStop", ToolKind::Host),
    tool("KillShell", ToolKind::Host),
    tool("KillBash", ToolKind::Host),
    tool("CronCreate", ToolKind::Host),
    tool("CronDelete", ToolKind::Host),
    tool("CronList", ToolKind::Host),
    tool("ScheduleWakeup", ToolKind::Host),
    tool("PushNotification", ToolKind::Host),
    tool("StructuredOutput", ToolKind::Host),
];

/// Tools that end work in the background, and the argument that names it.
pub(super) const ENDERS: [(&str, &str); 4] = [
    ("TaskStop", "task_id"),
    ("KillShell", "shell_id"),
    ("KillBash", "shell_id"),
    ("TaskStop", "shell_id"),
];

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::catalogue::{Catalogue, Effect, ToolPolicy};
    use crate::options::ReadOptions;
    use crate::writes::WriteKind;

    fn catalogue(tools: ToolPolicy) -> Catalogue {
        Catalogue::new(TOOLS, &ReadOptions { tools, ..ReadOptions::default() })
    }

    fn effect(policy: ToolPolicy, name: &str, args: &serde_json::Value) -> Effect {
        let args = args.as_object().cloned().unwrap_or_default();
        catalogue(policy).effect(name, &args)
    }

    #[test]
    fn what_is_not_known_may_have_written() {
        let wrote = |kind, path: Option<&str>| Effect::Wrote {
            kind,
            paths: path.map(str::to_owned).into_iter().collect(),
        };
        for (name, args, expected) in [
            ("Read", json!({"file_path": "a"}), Effect::None),
            ("Write", json!({"file_path": "a"}), wrote(WriteKind::Edit, Some("a"))),
            ("NotebookEdit", json!({"notebook_path": "n"}), wrote(WriteKind::Edit, Some("n"))),
            ("Bash", json!({"command": "ls"}), Effect::None),
            ("Bash", json!({"command": "make"}), wrote(WriteKind::Command, None)),
            ("Bash", json!({"command": 7}), wrote(WriteKind::Command, None)),
            ("bash", json!({"command": "ls"}), wrote(WriteKind::Unknown, None)),
            ("mcp__files__write", json!({"path": "a"}), wrote(WriteKind::Unknown, None)),
            ("Task", json!({}), wrote(WriteKind::Delegate, None)),
            ("TodoWrite", json!({}), Effect::None),
        ] {
            assert_eq!(effect(ToolPolicy::default(), name, &args), expected, "{name}");
        }
    }

    #[test]
    fn a_policy_adds_whole_commands() {
        let policy = || ToolPolicy::default().with_read_only("Bash", "make -n ");
        let run = |command: &str| effect(policy(), "Bash", &json!({"command": command}));
        assert_eq!(run(" make -n\n"), Effect::None);
        assert_ne!(run("make -n x"), Effect::None);
        let policy = ToolPolicy::default().with_verify("Bash", "cargo test");
        let catalogue = catalogue(policy);
        let verifies = |command: &str| {
            let args = json!({"command": command}).as_object().cloned().unwrap_or_default();
            catalogue.verification("Bash", &args).is_some()
        };
        assert!(verifies("cargo test "));
        assert!(!verifies("cargo test 2>&1"));
    }

    #[test]
    fn no_tool_stands_twice() {
        let names: std::collections::BTreeSet<_> = TOOLS.iter().map(|tool| tool.name).collect();
        assert_eq!(names.len(), TOOLS.len());
    }
}
