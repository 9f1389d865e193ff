//! A made-up stop of GitHub Copilot CLI, which names no event. Its records have no reader.

use serde_json::{Value, json};

use crate::hook::{Event, Made, NAME, SamplePlace};

pub(crate) const MADE: Made = Made { stdin, record: None };

fn stdin(_: &Event, place: SamplePlace<'_>) -> Value {
    json!({
        "sessionId": NAME,
        "timestamp": 0,
        "cwd": place.folder,
        "transcriptPath": place.record,
        "stopReason": "end_turn",
        "stop_hook_active": false,
    })
}
