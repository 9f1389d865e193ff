//! The scripts that the agent runs in code mode, and whether the record shows what each called.

use std::collections::BTreeMap;

use crate::codex::tools::SCRIPT;
use crate::writes::{Chain, WriteKey, WriteKind};

/// The scripts of a turn without an answer; whether typed items showed a call since each began.
#[derive(Clone, Debug, Default)]
pub(super) struct Scripts(BTreeMap<String, bool>);

impl Scripts {
    /// A script begins.
    pub(super) fn begins(&mut self, call: &str) {
        self.0.insert(call.to_owned(), false);
    }

    /// A typed item shows a call of a script's.
    pub(super) fn called(&mut self) {
        self.0.values_mut().for_each(|shows| *shows = true);
    }

    /// A script was answered. A call of which nothing shows what it did may have written.
    pub(super) fn ends(&mut self, call: &str) -> Option<WriteKey> {
        let shows = self.0.remove(call)?;
        let (tool, kind) = (SCRIPT.to_owned(), WriteKind::Command);
        (!shows).then_some(WriteKey { tool, path: None, kind, chain: Chain::On })
    }

    /// The turn is over.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Whether a script without an answer shows no call: it may have written.
    pub(super) fn are_silent(&self) -> bool {
        self.0.values().any(|shows| !shows)
    }
}
