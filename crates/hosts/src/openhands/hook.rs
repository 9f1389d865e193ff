//! How OpenHands speaks with its hook. As its published source has it; no client was driven.

use crate::hook::{
    Basis, Dialect, Event, Fields, HookError, HookInput, Host, Refusal, Size, Stopping,
};

pub(crate) const DIALECT: Dialect = Dialect {
    basis: Basis::Documented,
    events: &[Event::installed("Stop", Stopping::Run)],
    // `message` is the user's, and empty here.
    keys: &["event_type", "session_id", "working_dir"],
    read,
    // `block` is a later alias; every release knows `deny`.
    refusal: Refusal::Decision("deny"),
    notice: None,
    longest: Size::Units(10_000),
};

fn read(fields: &mut Fields) -> Result<HookInput, HookError> {
    let event = fields.needed(&["event_type"])?;
    let mut input = HookInput::begin(Host::OpenHands, event, fields, &["session_id"])?;
    input.cwd = fields.text("working_dir");
    Ok(input)
}
