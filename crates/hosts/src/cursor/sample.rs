//! A made-up stop of Cursor. Its records have no reader.

use serde_json::{Value, json};

use crate::hook::{Event, Made, NAME, SamplePlace};

pub(crate) const MADE: Made = Made { stdin, record: None };

fn stdin(event: &Event, place: SamplePlace<'_>) -> Value {
    json!({
        "conversation_id": NAME,
        "generation_id": NAME,
        "hook_event_name": event.name,
        "workspace_roots": [place.folder],
        "transcript_path": place.record,
        "status": "completed",
        "loop_count": 0,
    })
}
