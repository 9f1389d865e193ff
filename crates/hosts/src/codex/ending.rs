//! How a typed field says that a call ended: an item of today's files, an event of older ones.

use serde_json::{Map, Value, json};

use super::arguments::whole_command;
use super::tools::{self, COMMAND, PATCH};
use crate::flow::{Call, Told};
use crate::records::ResultOutcome;

/// The end of a call, and the call as these fields show it.
#[derive(Debug)]
pub(super) struct Ending {
    pub(super) call: Call,
    pub(super) text: String,
    pub(super) told: Told,
    /// The process it ran, by the name that the agent knows it by.
    pub(super) process: Option<String>,
    /// Agents that these fields show at work, or at rest.
    pub(super) agents: Vec<Activity>,
    /// Whose end it is.
    pub(super) of: Of,
}

/// Whose end it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Of {
    /// A call of the agent's, which may show nowhere else.
    Call,
    /// A call that shows elsewhere, too.
    Shown,
    /// What the person ran, or a look at what runs: no call of its own.
    Nobody,
}

/// Whether an agent works.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Activity {
    pub(super) agent: String,
    pub(super) works: bool,
}

/// Words for an agent at work; any other says that it rests.
const WORKING: [&str; 6] =
    ["started", "running", "pending_init", "pendingInit", "interacted", "inProgress"];
/// Sources of a command that is no call of its own.
const NO_CALLS: [&str; 4] =
    ["userShell", "user_shell", "unifiedExecInteraction", "unified_exec_interaction"];

/// Reads an item, or the event that stood for it; none where a word is not known.
pub(super) fn read(kind: &str, fields: &Value) -> Option<Ending> {
    let ending = match kind {
        "CommandExecution" | "exec_command_end" => command(fields),
        "FileChange" | "patch_apply_end" => patch(fields),
        "McpToolCall" | "mcp_tool_call_end" => mcp(fields),
        "DynamicToolCall" | "dynamic_tool_call_response" => dynamic(fields),
        "CollabAgentToolCall" => collaboration(fields),
        _ => return None,
    };
    Some(ending)
}

fn ending(fields: &Value, name: String, args: Value, told: Told) -> Ending {
    let id = text(fields, "call_id").or_else(|| text(fields, "callId"));
    let id = id.or_else(|| text(fields, "id")).unwrap_or_default().to_owned();
    let args = match args {
        Value::Object(args) => args,
        _ => Map::new(),
    };
    let call = Call { id, name, args };
    let (process, agents) = (None, Vec::new());
    Ending { call, text: String::new(), told, process, agents, of: Of::Call }
}

fn command(fields: &Value) -> Ending {
    let spelled = fields.get("command").cloned().unwrap_or_default();
    let command = whole_command(&spelled).map_or(spelled, Value::String);
    let is_declined = text(fields, "status") == Some("declined");
    let code = fields.get("exit_code").and_then(Value::as_i64).filter(|_| !is_declined);
    let output = ["aggregated_output", "formatted_output", "stdout"];
    let output = output.iter().find_map(|key| text(fields, key)).unwrap_or_default().to_owned();
    let told = Told::by_exit(code);
    let source = text(fields, "source").unwrap_or_default();
    let of = if NO_CALLS.contains(&source) { Of::Nobody } else { Of::Call };
    let process = text(fields, "process_id").map(str::to_owned);
    let ending = ending(fields, COMMAND.to_owned(), json!({"command": command}), told);
    Ending { text: output, process, of, ..ending }
}

fn patch(fields: &Value) -> Ending {
    let changes = fields.get("changes").and_then(Value::as_object);
    let mut paths = Vec::new();
    for (path, change) in changes.into_iter().flatten() {
        paths.push(path.clone());
        let moved = change.get("move_path").or_else(|| change.pointer("/update/move_path"));
        paths.extend(moved.and_then(Value::as_str).map(str::to_owned));
    }
    paths.sort();
    let by_flag = fields.get("success").and_then(Value::as_bool).map(by_success);
    let outcome = by_flag.unwrap_or_else(|| by_status(text(fields, "status")));
    let output = [text(fields, "stdout"), text(fields, "stderr")];
    let output = output.into_iter().flatten().find(|text| !text.is_empty());
    let args = json!({"paths": &paths});
    let told = Told { paths, ..Told::of(outcome) };
    let text = output.unwrap_or_default().to_owned();
    Ending { text, ..ending(fields, PATCH.to_owned(), args, told) }
}

fn mcp(fields: &Value) -> Ending {
    let of = fields.get("invocation").unwrap_or(fields);
    let server = text(of, "server").unwrap_or_default();
    let name = tools::named(&format!("mcp__{server}__"), text(of, "tool").unwrap_or_default());
    let args = of.get("arguments").cloned().unwrap_or_default();
    let result = fields.get("result").unwrap_or(&Value::Null);
    let given = result.get("Ok").unwrap_or(result);
    let is_error = ["isError", "is_error"].iter().any(|key| given.get(*key) == Some(&true.into()));
    let went_well = match text(fields, "status") {
        Some(status) => by_status(Some(status)),
        None if result.get("Ok").is_some() => ResultOutcome::Ok,
        None if result.get("Err").is_some() => ResultOutcome::Error,
        None => ResultOutcome::Unknown,
    };
    let outcome = if is_error { ResultOutcome::Error } else { went_well };
    let content = given.get("content").map(crate::chat::flat_text).unwrap_or_default();
    Ending { text: content, ..ending(fields, name, args, Told::of(outcome)) }
}

fn dynamic(fields: &Value) -> Ending {
    let namespace = text(fields, "namespace").unwrap_or_default();
    let name = tools::named(namespace, text(fields, "tool").unwrap_or_default());
    let args = fields.get("arguments").cloned().unwrap_or_default();
    let outcome = fields.get("success").and_then(Value::as_bool).map(by_success);
    let outcome = outcome.unwrap_or_else(|| by_status(text(fields, "status")));
    let content = fields.get("content_items").map(crate::chat::flat_text).unwrap_or_default();
    Ending { text: content, ..ending(fields, name, args, Told::of(outcome)) }
}

fn collaboration(fields: &Value) -> Ending {
    let name = text(fields, "tool").unwrap_or_default().to_owned();
    let told = Told::of(by_status(text(fields, "status")));
    let states = fields.get("agents_states").and_then(Value::as_object);
    let state = |(agent, state): (&String, &Value)| {
        let word = state.as_str().map(str::to_owned);
        let word = word.or_else(|| Some(state.as_object()?.keys().next()?.clone()));
        Activity { agent: agent.clone(), works: works(&word.unwrap_or_default()) }
    };
    let agents = states.into_iter().flatten().map(state).collect();
    Ending { agents, of: Of::Shown, ..ending(fields, name, Value::Null, told) }
}

/// What a line says of an agent's work.
pub(super) fn activity(fields: &Value) -> Option<Activity> {
    let agent = text(fields, "agent_thread_id")?.to_owned();
    Some(Activity { agent, works: works(text(fields, "kind").unwrap_or_default()) })
}

fn works(word: &str) -> bool {
    WORKING.contains(&word)
}

const fn by_success(success: bool) -> ResultOutcome {
    if success { ResultOutcome::Ok } else { ResultOutcome::Error }
}

/// An unknown word says nothing of how it ended.
fn by_status(status: Option<&str>) -> ResultOutcome {
    match status {
        Some("completed") => ResultOutcome::Ok,
        Some("failed") => ResultOutcome::Error,
        _ => ResultOutcome::Unknown,
    }
}

fn text<'a>(fields: &'a Value, key: &str) -> Option<&'a str> {
    fields.get(key).and_then(Value::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(kind: &str, fields: &Value) -> (ResultOutcome, Option<i64>) {
        let told = read(kind, fields).unwrap().told;
        (told.outcome, told.exit_code)
    }

    #[test]
    fn only_an_exit_code_tells_how_a_command_ended() {
        use ResultOutcome::{Error, Ok, Unknown};
        for (fields, expected) in [
            (json!({"exit_code": 0, "status": "completed"}), (Ok, Some(0))),
            (json!({"exit_code": 101, "status": "failed"}), (Error, Some(101))),
            // It was ended, or ran on beyond the turn.
            (json!({"exit_code": -1, "status": "failed"}), (Unknown, None)),
            (json!({"exit_code": 1, "status": "declined"}), (Unknown, None)),
            (json!({"status": "failed"}), (Unknown, None)),
            (json!({"exit_code": "0"}), (Unknown, None)),
        ] {
            assert_eq!(outcome("CommandExecution", &fields), expected, "{fields}");
        }
    }

    #[test]
    fn other_ends_go_by_their_status() {
        use ResultOutcome::{Error, Ok, Unknown};
        for (kind, fields, expected) in [
            ("FileChange", json!({"status": "completed"}), Ok),
            ("FileChange", json!({"status": "declined"}), Unknown),
            ("patch_apply_end", json!({"success": false}), Error),
            ("McpToolCall", json!({"status": "completed", "result": {"isError": true}}), Error),
            ("mcp_tool_call_end", json!({"result": {"Ok": {"content": []}}}), Ok),
            ("mcp_tool_call_end", json!({"result": {"Err": "no"}}), Error),
            ("mcp_tool_call_end", json!({}), Unknown),
            ("DynamicToolCall", json!({"success": true, "status": "failed"}), Ok),
            ("CollabAgentToolCall", json!({"status": "inProgress"}), Unknown),
        ] {
            assert_eq!(outcome(kind, &fields).0, expected, "{kind} {fields}");
        }
    }

    #[test]
    fn a_patch_names_every_file_it_touched() {
        let change = json!({"changes": {"/w/b": {"type": "update", "move_path": "/w/c"},
            "/w/a": {"type": "add"}}, "status": "completed", "call_id": "p"});
        let ending = read("FileChange", &change).unwrap();
        assert_eq!(ending.told.paths, ["/w/a", "/w/b", "/w/c"]);
        assert_eq!((ending.call.id.as_str(), ending.call.name.as_str()), ("p", "apply_patch"));
    }
}
