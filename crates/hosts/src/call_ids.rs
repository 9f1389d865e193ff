//! One name per call: an id that a run uses again is renamed, with the results that follow it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// How often each id was used, in earlier turns and in this one.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct CallIds {
    before: BTreeMap<Box<str>, u32>,
    turn: BTreeMap<Box<str>, u32>,
}

impl CallIds {
    /// Names a new call.
    pub(crate) fn call(&mut self, id: &str) -> String {
        if id.is_empty() {
            return String::new();
        }
        let used = self.used(id).saturating_add(1);
        self.turn.insert(id.into(), used);
        spelled(id, used)
    }

    /// Names the call a result answers: the latest that used the id.
    pub(crate) fn result(&self, id: &str) -> String {
        spelled(id, self.used(id))
    }

    /// Ends a turn; what it used is used for good.
    pub(crate) fn close_turn(&mut self) {
        // Not `append`, which costs all that was used before.
        self.before.extend(std::mem::take(&mut self.turn));
    }

    /// Forgets the turn, which is about to be read again.
    pub(crate) fn reset_turn(&mut self) {
        self.turn.clear();
    }

    fn used(&self, id: &str) -> u32 {
        self.turn.get(id).or_else(|| self.before.get(id)).copied().unwrap_or(0)
    }
}

fn spelled(id: &str, used: u32) -> String {
    if used > 1 { format!("{id}#{used}") } else { id.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_use_is_another_call() {
        let mut ids = CallIds::default();
        assert_eq!((ids.call("t"), ids.result("t")), ("t".into(), "t".into()));
        ids.close_turn();
        assert_eq!(ids.result("t"), "t");
        assert_eq!((ids.call("t"), ids.result("t")), ("t#2".into(), "t#2".into()));
        ids.reset_turn();
        assert_eq!(ids.call("t"), "t#2");
        assert_eq!((ids.call(""), ids.call("")), (String::new(), String::new()));
        assert_eq!(ids.result("orphan"), "orphan");
    }
}
