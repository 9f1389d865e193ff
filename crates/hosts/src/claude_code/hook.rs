//! How Claude Code speaks with its hook. Measured with 2.1.332.

use serde_json::Value;

use super::background;
use crate::hook::{
    Background, Basis, Dialect, Event, Fields, HookError, HookInput, Host, Pass, Refusal, Size,
    Stopping, TurnKey,
};

/// A closing message is late in the transcript in one stop of four; here it is on time.
const ANSWER: &str = "last_assistant_message";

pub(crate) const DIALECT: Dialect = Dialect {
    basis: Basis::Measured,
    // `StopFailure` is none: its message is the provider's error, and its answer is ignored.
    events: &[
        Event::installed("Stop", Stopping::Run),
        Event::installed("SubagentStop", Stopping::SubAgent),
    ],
    keys: &[
        "hook_event_name",
        "session_id",
        "prompt_id",
        "transcript_path",
        "cwd",
        ANSWER,
        "background_tasks",
        "stop_hook_active",
        "agent_id",
        "agent_type",
        "agent_transcript_path",
    ],
    read,
    refusal: Refusal::Decision("block"),
    notice: Some("systemMessage"),
    // Documented; 12,000 were measured to pass, 400,000 to be replaced by a preview.
    longest: Size::Units(10_000),
};

fn read(fields: &mut Fields) -> Result<HookInput, HookError> {
    let event = fields.needed(&["hook_event_name"])?;
    let mut input = HookInput::begin(Host::ClaudeCode, event, fields, &["session_id"])?;
    if let Some(id) = fields.text("prompt_id") {
        input.turn = TurnKey::Id(id);
    }
    input.cwd = fields.text("cwd");
    input.answer = fields.any_text(ANSWER);
    input.stop_hook_active = fields.flag("stop_hook_active");
    let parents = fields.text("transcript_path");
    input.transcript = match &mut input.agent {
        None => parents,
        Some(agent) => {
            agent.id = fields.text("agent_id");
            agent.kind = fields.any_text("agent_type");
            fields.text("agent_transcript_path")
        }
    };
    let tasks = fields.list("background_tasks");
    input.background = running(&tasks, input.agent.as_ref().and_then(|agent| agent.id.as_deref()));
    if input.agent.as_ref().is_some_and(|agent| agent.kind.as_deref() == Some("")) {
        input.pass = Some(Pass::Compaction);
    }
    Ok(input)
}

/// The tasks that still run; a sub-agent that stops is listed as running itself.
fn running(tasks: &[Value], stopping: Option<&str>) -> Vec<Background> {
    let text = |task: &Value, field| task.get(field).and_then(Value::as_str).map(str::to_owned);
    tasks
        .iter()
        .filter(|task| {
            let status = task.get("status").and_then(Value::as_str);
            !status.is_some_and(background::has_ended)
        })
        .map(|task| Background { id: text(task, "id"), kind: text(task, "type") })
        .filter(|task| stopping.is_none() || task.id.as_deref() != stopping)
        .collect()
}
