//! The scripts that the agent runs in code mode, and whether the record shows what each called.

use std::collections::BTreeMap;

use crate::codex::tools::SCRIPT;
use crate::writes::{Chain, WriteKey, WriteKind};

/// The scripts of a turn without an answer.
#[derive(Clone, Debug, Default)]
pub(super) struct Scripts {
    /// How many calls of scripts the typed items had shown when each began.
    open: BTreeMap<String, u64>,
    /// How many they have shown.
    shown: u64,
}

impl Scripts {
    /// A script begins.
    pub(super) fn begins(&mut self, call: &str) {
        self.open.insert(call.to_owned(), self.shown);
    }

    /// A typed item shows a call of a script's.
    pub(super) fn called(&mut self) {
        self.shown += 1;
    }

    /// A script was answered. Of one since whose beginning no item showed a call, nobody knows what
    /// it did: it may have written.
    pub(super) fn ends(&mut self, call: &str) -> Option<WriteKey> {
        let before = self.open.remove(call)?;
        (before == self.shown).then(may_have_written)
    }

    /// The turn is over. A script without an answer of which no item showed a call may have written.
    pub(super) fn end(&mut self) -> Option<WriteKey> {
        let open = std::mem::take(&mut self.open);
        open.values().any(|before| *before == self.shown).then(may_have_written)
    }
}

fn may_have_written() -> WriteKey {
    let (tool, kind) = (SCRIPT.to_owned(), WriteKind::Command);
    WriteKey { tool, path: None, kind, chain: Chain::On }
}
