//! Messages that a host shows twice, once as what the model saw and once as an event.

use std::collections::VecDeque;

use quittance_evidence::Digest;

/// Which of the two it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Showing {
    /// What the model saw or said.
    Item,
    /// What the host tells of it.
    Event,
}

/// How many messages that were shown once are compared with a second showing. Beyond it they count
/// as two, which obliges to nothing new.
pub(super) const COMPARED: usize = 64;

/// The messages shown once so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Twins {
    items: VecDeque<Digest>,
    events: VecDeque<Digest>,
}

impl Twins {
    /// Forgets all, where another turn begins.
    pub(crate) fn clear(&mut self) {
        self.items.clear();
        self.events.clear();
    }

    /// Whether a message is the second showing of one that was shown.
    pub(crate) fn is_second(&mut self, showing: Showing, text: &str) -> bool {
        let digest = digest(text);
        let (own, other) = match showing {
            Showing::Item => (&mut self.items, &mut self.events),
            Showing::Event => (&mut self.events, &mut self.items),
        };
        if let Some(at) = other.iter().position(|known| *known == digest) {
            other.remove(at);
            return true;
        }
        own.push_back(digest);
        if own.len() > COMPARED {
            own.pop_front();
        }
        false
    }
}

/// Of the words alone: the showings join the pieces of a message differently.
fn digest(text: &str) -> Digest {
    let words: String = text.split_whitespace().collect();
    Digest::of_bytes(words.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_showing_pairs_once_in_any_order() {
        let mut twins = Twins::default();
        assert!(!twins.is_second(Showing::Item, "a b"));
        assert!(twins.is_second(Showing::Event, "a\nb"));
        assert!(!twins.is_second(Showing::Event, "a b"));
        assert!(!twins.is_second(Showing::Event, "a b"));
        assert!(twins.is_second(Showing::Item, "a b"));
        assert!(twins.is_second(Showing::Item, "a b"));
        assert!(!twins.is_second(Showing::Item, "a b"));
        twins.clear();
        assert!(!twins.is_second(Showing::Event, "a b"));
    }
}
