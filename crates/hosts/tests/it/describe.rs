//! A session as one value, for snapshots and for comparing two readings.

use std::io::Cursor;

use quittance_hosts::{ReadError, ReadOptions, Records, Session, read};
use serde_json::{Value, json};

/// Reads bytes with the records kept.
pub(crate) fn read_bytes(
    bytes: &[u8],
    options: ReadOptions,
) -> Result<Session<Records>, ReadError> {
    read(Cursor::new(bytes), options)
}

/// All that a session says.
pub(crate) fn describe(session: &Session<Records>) -> Value {
    let turn = &session.turn;
    json!({
        "source": session.source,
        "session": session.ids.session,
        "agent": session.ids.agent,
        "turns": session.turns,
        "waiting": session.waiting.iter().map(|why| why.as_str()).collect::<Vec<_>>(),
        "history": session.history.iter().map(|past| past.to_value()).collect::<Vec<_>>(),
        "earlier_writes": session.earlier_writes.to_value(),
        "observed": session.observed.as_ref().map(|observed| json!({
            "tool": observed.tool,
            "command": observed.command,
            "line": observed.line,
            "outcome": observed.outcome.as_str(),
            "exit_code": observed.exit_code,
            "written_since": observed.written_since,
        })),
        "turn": {
            "number": turn.number.get(),
            "opening": turn.opening.as_str(),
            "provenance": turn.provenance.as_str(),
            "line": turn.line,
            "session": turn.ids.session,
            "prompt": turn.ids.prompt,
            "task": turn.task,
            "control": turn.control_values(),
            "shows_stops": turn.shows_stops,
            "spoke": turn.spoke,
            "answer": turn.answer.as_ref().map(|answer| json!({
                "text": answer.text, "line": answer.line,
            })),
            "stop": turn.stop.as_str(),
            "unanswered": turn.unanswered,
            "background": turn.background,
            "writes": turn.writes.to_value(),
            "rows": turn.rows.0,
        },
    })
}
