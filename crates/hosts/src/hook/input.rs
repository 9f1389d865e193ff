//! What a host tells its hook, without the host's spelling.

use quittance_evidence::Digest;
use serde::Serialize;

use super::dialect::Stopping;
use super::fields::{Fields, HookError, HookNote};
use super::host::Host;

/// A moment at which a host asked its hook.
///
/// Paths are as the host wrote them. The environment is no part of it: clients put tokens there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct HookInput {
    /// Who asked.
    pub host: Host,
    /// The event, as the host spells it.
    pub event: String,
    /// Why there is nothing to judge, where that is so: the answer is [`super::HookAnswer::Allow`].
    pub pass: Option<Pass>,
    /// The session; a refusal could not be counted without one.
    pub session: String,
    /// The turn in it.
    pub turn: TurnKey,
    /// The agent that proposes to stop, where it is one that the run started.
    pub agent: Option<SubAgent>,
    /// The record of what proposes to stop: of a sub-agent its own, never its parent's.
    pub transcript: Option<String>,
    /// Where the host works.
    pub cwd: Option<String>,
    /// The closing message, where the host hands over exactly that.
    pub answer: Option<String>,
    /// Everything the agent said since the prompt, where the host hands over that in its place.
    pub said: Option<String>,
    /// What the host says still runs beside the conversation, less the agent that is stopping.
    pub background: Vec<Background>,
    /// Whether the host says that a hook made this turn go on. Recorded; it decides nothing, since
    /// one host keeps it set for a whole prompt and another clears it after every tool.
    pub stop_hook_active: Option<bool>,
    /// What was not as expected, and was read over.
    pub notes: Vec<HookNote>,
}

/// What a turn is known by inside its session.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum TurnKey {
    /// The host's own id of it, the same through refusals, tools and steers.
    Id(String),
    /// The digest of the prompt that opened it: the host has no id for a turn.
    Prompt(Digest),
    /// How often the host has gone on by itself since a person last wrote: none opens a turn, any
    /// other number continues the session's last. The host ends such a chain by itself too.
    FollowUps(u64),
    /// Nothing tells turns apart; the session counts as one, so that a refusal is never free.
    Session,
}

/// An agent that the run started.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct SubAgent {
    /// The host's id of it.
    pub id: Option<String>,
    /// What kind of agent it is.
    pub kind: Option<String>,
}

/// Something that runs beside the conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Background {
    /// The host's id of it.
    pub id: Option<String>,
    /// What it is, as the host spells it: `shell`, `subagent`, ….
    pub kind: Option<String>,
}

/// Why a hook has nothing to judge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Pass {
    /// The event is none at which a run proposes to stop.
    NoBoundary,
    /// The host shortens its own context and calls that a sub-agent.
    Compaction,
    /// A person, or an error, ended the turn; the agent proposed nothing.
    Ended,
}

impl HookInput {
    /// Reads what a host sent on standard input. The caller bounds how much that may be.
    ///
    /// # Errors
    /// When it is not one JSON object, or lacks the event or, at a boundary, the session.
    pub fn read(host: Host, stdin: &[u8]) -> Result<Self, HookError> {
        let dialect = host.dialect();
        let mut fields = Fields::read(stdin, dialect.keys)?;
        let mut input = (dialect.read)(&mut fields)?;
        input.notes = fields.take_notes();
        if input.pass.is_some() {
            // Those are words of the provider, or of the host to itself.
            input.answer = None;
            input.said = None;
        }
        Ok(input)
    }

    /// Begins with the event's name and the session, under the spellings of a host.
    pub(crate) fn begin(
        host: Host,
        event: String,
        fields: &mut Fields,
        session: &[&'static str],
    ) -> Result<Self, HookError> {
        let stopping = host.dialect().stopping(&event);
        let session = match stopping {
            Some(_) => fields.needed(session)?,
            // Nothing is counted there.
            None => fields.text_of(session).unwrap_or_default(),
        };
        Ok(Self {
            host,
            event,
            pass: stopping.is_none().then_some(Pass::NoBoundary),
            session,
            turn: TurnKey::Session,
            agent: (stopping == Some(Stopping::SubAgent)).then(SubAgent::default),
            transcript: None,
            cwd: None,
            answer: None,
            said: None,
            background: Vec::new(),
            stop_hook_active: None,
            notes: Vec::new(),
        })
    }

    /// Who proposes to stop.
    #[must_use]
    pub const fn stopping(&self) -> Stopping {
        if self.agent.is_some() { Stopping::SubAgent } else { Stopping::Run }
    }
}
