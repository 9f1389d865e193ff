//! What a state belongs to. Keys are digests, so that a name of any length, or one made to look
//! like two others, is one key.

use quittance_evidence::canonical::Digest;
use serde_json::{Value, json};

/// One turn of one agent.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TurnKey {
    /// The host's name on the wire.
    pub host: String,
    /// The session's id, as the host gives it. Sessions without an id of one host are one.
    pub session: String,
    /// The turn's or the prompt's id; a digest of the prompt where the host has none.
    pub turn: String,
    /// The sub-agent's id; none for the agent that the person talks to.
    pub agent: Option<String>,
}

/// One transcript file of one session.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FileKey {
    /// The host's name on the wire.
    pub host: String,
    /// The session's id.
    pub session: String,
    /// The path, as the host gives it; empty where it gives none.
    pub path: String,
}

/// What one boundary stands in.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Scope {
    /// The turn, and by it the session.
    pub turn: TurnKey,
    /// The path of the transcript that was read, as the host gives it; empty where it gives none.
    pub path: String,
}

impl TurnKey {
    pub(super) fn digest(&self) -> Digest {
        key(json!(["turn", self.host, self.session, self.turn, self.agent]))
    }

    pub(super) fn session_digest(&self) -> Digest {
        key(json!(["session", self.host, self.session]))
    }
}

impl FileKey {
    pub(super) fn digest(&self) -> Digest {
        key(json!(["file", self.host, self.session, self.path]))
    }
}

impl Scope {
    /// The transcript.
    #[must_use]
    pub fn file(&self) -> FileKey {
        let TurnKey { host, session, .. } = &self.turn;
        FileKey { host: host.clone(), session: session.clone(), path: self.path.clone() }
    }
}

#[expect(clippy::needless_pass_by_value, reason = "made for this call")]
fn key(parts: Value) -> Digest {
    Digest::of(&parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turn(session: &str, turn: &str, agent: Option<&str>) -> String {
        let [session, turn] = [session, turn].map(str::to_owned);
        let agent = agent.map(str::to_owned);
        TurnKey { host: "claude-code".to_owned(), session, turn, agent }.digest().to_string()
    }

    #[test]
    fn names_do_not_run_into_each_other() {
        let keys = [
            turn("s", "t", None),
            turn("s", "t", Some("")),
            turn("st", "", None),
            turn("", "st", None),
            turn("s\",\"t", "", None),
        ];
        let distinct: std::collections::BTreeSet<_> = keys.iter().collect();
        assert_eq!(distinct.len(), keys.len());
    }
}
