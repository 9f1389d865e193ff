//! What the tools of Gemini CLI do.
//!
//! Names as the host writes them, through its versions. A tool that is not here (an MCP server's,
//! say) may have written anything.

use crate::catalogue::{Tool, ToolKind};

const FILE: &[&str] = &["file_path", "absolute_path", "path"];

const fn tool(name: &'static str, kind: ToolKind) -> Tool {
    Tool { name, kind, paths: &[] }
}

const fn edit(name: &'static str) -> Tool {
    Tool { name, kind: ToolKind::Edit, paths: FILE }
}

/// The tool that runs commands.
pub(super) const SHELL: &str = "run_shell_command";

/// The tools, by what they do.
pub(super) const TOOLS: &[Tool] = &[
    tool("read_file", ToolKind::Read),
    tool("read_many_files", ToolKind::Read),
    tool("list_directory", ToolKind::Read),
    tool("get_internal_docs", ToolKind::Read),
    tool("read_mcp_resource", ToolKind::Read),
    tool("list_mcp_resources", ToolKind::Read),
    tool("glob", ToolKind::Search),
    tool("grep_search", ToolKind::Search),
    tool("search_file_content", ToolKind::Search),
    tool("google_web_search", ToolKind::Fetch),
    tool("web_fetch", ToolKind::Fetch),
    edit("write_file"),
    edit("replace"),
    edit("edit"),
    tool(SHELL, ToolKind::Command),
    tool("invoke_agent", ToolKind::Delegate),
    tool("delegate_to_agent", ToolKind::Delegate),
    tool("codebase_investigator", ToolKind::Delegate),
    tool("ask_user", ToolKind::Ask),
    tool("enter_plan_mode", ToolKind::Ask),
    tool("exit_plan_mode", ToolKind::Ask),
    tool("save_memory", ToolKind::Host),
    tool("write_todos", ToolKind::Host),
    tool("activate_skill", ToolKind::Host),
    tool("update_topic", ToolKind::Host),
    tool("complete_task", ToolKind::Host),
    tool("tracker_create_task", ToolKind::Host),
    tool("tracker_update_task", ToolKind::Host),
    tool("tracker_get_task", ToolKind::Host),
    tool("tracker_list_tasks", ToolKind::Host),
    tool("tracker_add_dependency", ToolKind::Host),
    tool("tracker_visualize", ToolKind::Host),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_tool_stands_twice() {
        let names: std::collections::BTreeSet<_> = TOOLS.iter().map(|tool| tool.name).collect();
        assert_eq!(names.len(), TOOLS.len());
    }
}
