//! What the tools of Codex do.
//!
//! Names as the host writes them, through its versions; those of another agent's tools stand with
//! their namespace as well. A tool that is not here (an MCP server's, say) may have written
//! anything, and so may one that the conversation itself declares.

use crate::catalogue::{Tool, ToolKind};

const fn tool(name: &'static str, kind: ToolKind) -> Tool {
    Tool { name, kind, paths: &[] }
}

/// The tool that takes a script.
pub(super) const SCRIPT: &str = "exec";
/// The tool that types into a command that runs, or looks at it.
pub(super) const STDIN: &str = "write_stdin";
/// The tool that runs a command.
pub(super) const COMMAND: &str = "exec_command";
/// The tool that takes a patch.
pub(super) const PATCH: &str = "apply_patch";

/// The tools, by what they do.
pub(super) const TOOLS: &[Tool] = &[
    tool(COMMAND, ToolKind::Command),
    tool("shell", ToolKind::Command),
    tool("shell_command", ToolKind::Command),
    tool("local_shell", ToolKind::Command),
    tool("container.exec", ToolKind::Command),
    tool(STDIN, ToolKind::Input),
    tool(SCRIPT, ToolKind::Script),
    Tool { name: PATCH, kind: ToolKind::Patch, paths: &["input", "patch", "paths"] },
    tool("view_image", ToolKind::Read),
    tool("read_file", ToolKind::Read),
    tool("list_dir", ToolKind::Read),
    tool("grep_files", ToolKind::Search),
    tool("tool_search", ToolKind::Search),
    tool("web_search", ToolKind::Fetch),
    tool("list_mcp_resources", ToolKind::Read),
    tool("list_mcp_resource_templates", ToolKind::Read),
    tool("read_mcp_resource", ToolKind::Read),
    tool("update_plan", ToolKind::Host),
    tool("get_goal", ToolKind::Host),
    tool("create_goal", ToolKind::Host),
    tool("update_goal", ToolKind::Host),
    tool("request_user_input", ToolKind::Ask),
    tool("request_permissions", ToolKind::Ask),
    // It waits for nobody: the answer comes as a message.
    tool("request_user_input_async", ToolKind::Host),
    tool("spawn_agent", ToolKind::Delegate),
    tool("send_input", ToolKind::Delegate),
    tool("send_message", ToolKind::Delegate),
    tool("followup_task", ToolKind::Delegate),
    tool("assign_task", ToolKind::Delegate),
    tool("resume_agent", ToolKind::Delegate),
    tool("wait", ToolKind::Host),
    tool("wait_agent", ToolKind::Host),
    tool("list_agents", ToolKind::Host),
    tool("close_agent", ToolKind::Host),
    tool("interrupt_agent", ToolKind::Host),
    tool("multi_agent_v1.spawn_agent", ToolKind::Delegate),
    tool("multi_agent_v1.send_input", ToolKind::Delegate),
    tool("multi_agent_v1.resume_agent", ToolKind::Delegate),
    tool("multi_agent_v1.wait_agent", ToolKind::Host),
    tool("multi_agent_v1.close_agent", ToolKind::Host),
    tool("collaboration.spawn_agent", ToolKind::Delegate),
    tool("collaboration.send_message", ToolKind::Delegate),
    tool("collaboration.followup_task", ToolKind::Delegate),
    tool("collaboration.wait_agent", ToolKind::Host),
    tool("collaboration.list_agents", ToolKind::Host),
    tool("collaboration.interrupt_agent", ToolKind::Host),
];

/// The namespace of the host's own tools, which is left out of a name.
const OWN: &str = "functions";

/// The name of a tool with its namespace.
pub(super) fn named(namespace: &str, name: &str) -> String {
    match namespace {
        "" | OWN => name.to_owned(),
        // An MCP server's namespace brings its own mark.
        server if server.ends_with("__") => format!("{server}{name}"),
        other => format!("{other}.{name}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_tool_stands_twice() {
        let names: std::collections::BTreeSet<_> = TOOLS.iter().map(|tool| tool.name).collect();
        assert_eq!(names.len(), TOOLS.len());
    }

    #[test]
    fn a_name_brings_its_namespace() {
        let names =
            [named("", "a"), named("functions", "a"), named("mcp__s__", "a"), named("n", "a")];
        assert_eq!(names, ["a", "a", "mcp__s__a", "n.a"]);
    }
}
