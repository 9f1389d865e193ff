//! How Gemini CLI speaks with its hook. Measured with 0.61.0.
//!
//! It has no id of a turn, and keeps our words as an ordinary message of the user.

use quittance_evidence::Digest;

use crate::hook::{
    Basis, Dialect, Event, Fields, HookError, HookInput, Host, Refusal, Size, Stopping, TurnKey,
};

pub(crate) const DIALECT: Dialect = Dialect {
    basis: Basis::Measured,
    events: &[Event::installed("AfterAgent", Stopping::Run)],
    keys: &[
        "hook_event_name",
        "session_id",
        "transcript_path",
        "cwd",
        "prompt",
        "prompt_response",
        "stop_hook_active",
    ],
    read,
    refusal: Refusal::Decision("block"),
    notice: Some("systemMessage"),
    // It sends 400,000 whole; no reader needs them.
    longest: Size::Units(10_000),
};

/// What the client puts for an agent that said nothing (its source, `fireAfterAgentHookSafe`).
const NOTHING_SAID: &str = "[no response text]";

fn read(fields: &mut Fields) -> Result<HookInput, HookError> {
    let event = fields.needed(&["hook_event_name"])?;
    let mut input = HookInput::begin(Host::GeminiCli, event, fields, &["session_id"])?;
    if let Some(prompt) = fields.any_text("prompt") {
        // The prompt stays the original one through refusals.
        input.turn = TurnKey::Prompt(Digest::of_bytes(prompt.as_bytes()));
    }
    // It is no closing message: it is everything the agent said since the prompt.
    input.said = fields.any_text("prompt_response");
    if let Some(said) = input.said.as_mut().filter(|said| *said == NOTHING_SAID) {
        said.clear();
    }
    input.cwd = fields.text("cwd");
    input.transcript = fields.text("transcript_path");
    input.stop_hook_active = fields.flag("stop_hook_active");
    Ok(input)
}
