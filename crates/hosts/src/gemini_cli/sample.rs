//! A made-up stop of Gemini CLI.

use serde_json::{Value, json};

use crate::hook::{ANSWER, Event, Made, NAME, SamplePlace};

pub(crate) const MADE: Made = Made { stdin, record: Some(include_str!("sample.jsonl")) };

fn stdin(event: &Event, place: SamplePlace<'_>) -> Value {
    json!({
        "session_id": NAME,
        "transcript_path": place.record,
        "cwd": place.folder,
        "hook_event_name": event.name,
        "timestamp": "2026-11-30T10:00:02.000Z",
        "prompt": "Write quittance-doctor.txt.",
        "prompt_response": ANSWER,
        "stop_hook_active": false,
    })
}
