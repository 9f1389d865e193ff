//! A made-up stop of Codex.

use serde_json::{Value, json};

use crate::hook::{ANSWER, Event, Made, NAME, SamplePlace, Stopping};

pub(crate) const MADE: Made = Made { stdin, record: Some(include_str!("sample.jsonl")) };

fn stdin(event: &Event, place: SamplePlace<'_>) -> Value {
    let mut sent = json!({
        "session_id": NAME,
        "turn_id": NAME,
        "transcript_path": place.record,
        "cwd": place.folder,
        "hook_event_name": event.name,
        "model": "gpt-5.5",
        "permission_mode": "default",
        "stop_hook_active": false,
        "last_assistant_message": ANSWER,
    });
    let fields = sent.as_object_mut().filter(|_| event.stopping == Stopping::SubAgent);
    if let Some(fields) = fields {
        fields.insert("agent_id".to_owned(), NAME.into());
        fields.insert("agent_type".to_owned(), "default".into());
        fields.insert("agent_transcript_path".to_owned(), place.record.into());
    }
    sent
}
