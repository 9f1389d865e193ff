//! The committed state that a turn is folded as.

use quittance_hosts::{Opening, Position, Session, StopReason, Waiting};
use serde::Serialize;

use super::rows::{Kept, KeptResult, StandingRows};

/// A turn as a committed state, in the words of the fold's records.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct State<'s> {
    history: Vec<Message<'s>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    paused_tool_call_id: Option<&'s str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped_early: Option<CutShort>,
    #[serde(skip)]
    rows: &'s [Kept],
    #[serde(skip)]
    paused_at: Option<&'s Position>,
    #[serde(skip)]
    stopped_at: Option<&'s Position>,
}

/// A message of the history. The words of a person and of the agent are left out: who said them is
/// the host's typed fields to say, and the fold would look for it in the words.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Message<'s> {
    role: &'static str,
    content: &'s str,
    #[serde(skip_serializing_if = "str::is_empty")]
    tool_call_id: &'s str,
    #[serde(skip_serializing_if = "str::is_empty")]
    tool_name: &'s str,
    /// A message that opens no turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    injected_by: Option<&'static str>,
}

/// Why a turn ended before its answer did.
#[derive(Debug, Serialize)]
struct CutShort {
    reason: &'static str,
}

impl<'s> State<'s> {
    pub(super) fn of<S>(session: &'s Session<S>, rows: &'s StandingRows) -> Self {
        let turn = &session.turn;
        let opens = turn.opening == Opening::Person;
        let message = |(index, kept): (usize, &'s Kept)| match kept {
            Kept::Person if opens && index == 0 => Message::of("user", None),
            // What a person says to the agent at work belongs to the turn it is said in: the
            // results before it are this answer's as well.
            Kept::Person => Message::of("user", Some("steer")),
            Kept::Agent => Message::of("assistant", None),
            Kept::Result(result) => Message::result(result),
        };
        let paused = paused(session, rows);
        let cut = is_cut_short(turn.stop).then(|| CutShort { reason: turn.stop.as_str() });
        Self {
            history: rows.rows.iter().enumerate().map(message).collect(),
            paused_tool_call_id: paused.map(|(id, _)| id),
            stopped_early: cut,
            rows: &rows.rows,
            paused_at: paused.map(|(_, at)| at),
            stopped_at: turn.stopped_at.as_ref(),
        }
    }

    pub(super) fn to_json(&self) -> serde_json::Result<String> {
        serde_json::to_string(self)
    }

    /// Where the result stands that a message of the history was made of.
    pub(super) fn result_at(&self, index: usize) -> Option<&Position> {
        match self.rows.get(index)? {
            Kept::Result(result) => Some(&result.at),
            Kept::Person | Kept::Agent => None,
        }
    }

    /// Where the call stands that waits for a person.
    pub(super) const fn paused_at(&self) -> Option<&Position> {
        self.paused_at
    }

    /// Where it shows that the turn was cut short.
    pub(super) const fn stopped_at(&self) -> Option<&Position> {
        self.stopped_at
    }
}

impl<'s> Message<'s> {
    const fn of(role: &'static str, injected_by: Option<&'static str>) -> Self {
        Self { role, content: "", tool_call_id: "", tool_name: "", injected_by }
    }

    fn result(result: &'s KeptResult) -> Self {
        Self {
            content: &result.text,
            tool_call_id: &result.call,
            tool_name: &result.tool,
            ..Self::of("tool", None)
        }
    }
}

/// The unanswered call that asks a person, if the run waits for one.
fn paused<'s, S>(session: &Session<S>, rows: &'s StandingRows) -> Option<(&'s str, &'s Position)> {
    if !session.waiting.contains(&Waiting::Question) {
        return None;
    }
    let asks = session.turn.unanswered.iter().filter_map(|id| rows.open_calls.get_key_value(id));
    let mut asks = asks.filter(|(_, call)| session.catalogue.asks(&call.tool));
    asks.next().map(|(id, call)| (id.as_str(), &call.at))
}

/// Whether a turn ended otherwise than by itself. One that goes on has no end yet; an end nobody
/// knows is none of its own.
const fn is_cut_short(stop: StopReason) -> bool {
    !matches!(stop, StopReason::Natural | StopReason::Unfinished)
}
