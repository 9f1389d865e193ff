//! How GitHub Copilot CLI speaks with its hook. As documented; no client was driven.
//!
//! It spells its fields as the settings spell the event: `agentStop` gives `sessionId` and names no
//! event at all, `Stop` gives `session_id`.

use crate::hook::{
    Basis, Dialect, Event, Fields, HookError, HookInput, Host, Refusal, Size, Stopping,
};

const RUN: &str = "agentStop";
const SUB_AGENT: &str = "subagentStop";
const AGENT: [&str; 2] = ["agentName", "agent_name"];

pub(crate) const DIALECT: Dialect = Dialect {
    basis: Basis::Documented,
    events: &[
        Event::installed(RUN, Stopping::Run),
        Event::understood("Stop", Stopping::Run),
        Event::understood(SUB_AGENT, Stopping::SubAgent),
        Event::understood("SubagentStop", Stopping::SubAgent),
    ],
    keys: &[
        "hook_event_name",
        "sessionId",
        "session_id",
        "transcriptPath",
        "transcript_path",
        "cwd",
        "stop_hook_active",
        "agentId",
        "agent_id",
        "agentName",
        "agent_name",
        "response",
        "last_assistant_message",
    ],
    read,
    refusal: Refusal::Decision("block"),
    notice: None,
    longest: Size::Bytes(10_000),
};

fn read(fields: &mut Fields) -> Result<HookInput, HookError> {
    let agent = fields.text_of(&AGENT);
    let unnamed = if agent.is_some() { SUB_AGENT } else { RUN };
    let event = fields.text("hook_event_name").unwrap_or_else(|| unnamed.to_owned());
    let mut input = HookInput::begin(Host::Copilot, event, fields, &["sessionId", "session_id"])?;
    input.cwd = fields.text("cwd");
    input.stop_hook_active = fields.flag("stop_hook_active");
    let transcript = fields.text_of(&["transcriptPath", "transcript_path"]);
    match &mut input.agent {
        // Whose transcript an event of a sub-agent names is not documented; a parent's record says
        // nothing of its agent.
        Some(stopping) => {
            stopping.id = fields.text_of(&["agentId", "agent_id"]);
            stopping.kind = agent;
            input.answer =
                fields.any_text("response").or_else(|| fields.any_text("last_assistant_message"));
        }
        None => input.transcript = transcript,
    }
    Ok(input)
}
