//! How Codex speaks with its hook. Measured with 0.171.0.
//!
//! Its answers are the strictest: one key more than it knows, or a blank reason, and the stop is
//! allowed without a word.

use crate::hook::{
    Basis, Dialect, Event, Fields, HookError, HookInput, Host, Refusal, Size, Stopping, TurnKey,
};

const ANSWER: &str = "last_assistant_message";

pub(crate) const DIALECT: Dialect = Dialect {
    basis: Basis::Measured,
    events: &[
        Event::installed("Stop", Stopping::Run),
        Event::installed("SubagentStop", Stopping::SubAgent),
    ],
    keys: &[
        "hook_event_name",
        "session_id",
        "turn_id",
        "transcript_path",
        "cwd",
        ANSWER,
        "stop_hook_active",
        "agent_id",
        "agent_type",
        "agent_transcript_path",
    ],
    read,
    refusal: Refusal::Decision("block"),
    notice: Some("systemMessage"),
    // It cuts at about 10 kB, and spells `<`, `>` and `&` out as entities first.
    longest: Size::Bytes(8_000),
};

fn read(fields: &mut Fields) -> Result<HookInput, HookError> {
    let event = fields.needed(&["hook_event_name"])?;
    let mut input = HookInput::begin(Host::Codex, event, fields, &["session_id"])?;
    if let Some(id) = fields.text("turn_id") {
        input.turn = TurnKey::Id(id);
    }
    input.cwd = fields.text("cwd");
    // Null is what it sends after an empty reply; an earlier message is not the closing one.
    let said_nothing = fields.is_null(ANSWER);
    input.answer = fields.any_text(ANSWER).or_else(|| said_nothing.then(String::new));
    input.stop_hook_active = fields.flag("stop_hook_active");
    let parents = fields.text("transcript_path");
    input.transcript = match &mut input.agent {
        None => parents,
        Some(agent) => {
            agent.id = fields.text("agent_id");
            agent.kind = fields.text("agent_type");
            fields.text("agent_transcript_path")
        }
    };
    Ok(input)
}
