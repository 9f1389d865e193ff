//! How Cursor speaks with its hook. As documented; no client was driven.

use serde_json::Value;

use crate::hook::{
    Basis, Dialect, Event, Fields, HookError, HookInput, Host, Pass, Refusal, Size, Stopping,
    TurnKey,
};

pub(crate) const DIALECT: Dialect = Dialect {
    basis: Basis::Documented,
    events: &[Event::installed("stop", Stopping::Run)],
    keys: &[
        "hook_event_name",
        "conversation_id",
        "loop_count",
        "status",
        "transcript_path",
        "workspace_roots",
    ],
    read,
    // The message is sent as the user's next one; Claude Code's pair is ignored on this event.
    refusal: Refusal::Message("followup_message"),
    notice: None,
    longest: Size::Units(10_000),
};

fn read(fields: &mut Fields) -> Result<HookInput, HookError> {
    let event = fields.needed(&["hook_event_name"])?;
    let mut input = HookInput::begin(Host::Cursor, event, fields, &["conversation_id"])?;
    // `generation_id` changes with every message, ours included, so it would forget a refusal.
    if let Some(count) = fields.count("loop_count") {
        input.turn = TurnKey::FollowUps(count);
    }
    input.transcript = fields.text("transcript_path");
    let roots = fields.list("workspace_roots");
    input.cwd = roots.first().and_then(Value::as_str).map(str::to_owned);
    let status = fields.text("status");
    if matches!(status.as_deref(), Some("aborted" | "error")) {
        input.pass = Some(Pass::Ended);
    }
    Ok(input)
}
