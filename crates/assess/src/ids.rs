//! Maps and sets keyed by texts of the record, mostly the ids of calls.
//!
//! They are only ever asked, never listed by key, so that no order of theirs can reach an answer. A
//! record has as many ids as rows and the fold is to be linear in it, so this is a hash table; its hash is
//! fixed, so that the same record takes the same steps. Ids chosen to collide find a bounded number of
//! slots and after that a tree: the worst that can be made of it is a logarithm.

use std::collections::BTreeMap;

use crate::json::Text;

/// How many neighbouring slots an id may be in. At most half of the slots are taken, so that ids
/// nobody chose to collide hardly ever need as many.
const SLOTS_TRIED: usize = 16;

/// How many slots the first id makes.
const SLOTS_MIN: usize = 16;

/// What is known of each text.
#[derive(Debug)]
pub(crate) struct IdMap<'r, V> {
    entries: Vec<Entry<'r, V>>,
    /// INVARIANT: none, or a power of two of at least [`SLOTS_MIN`] and twice the entries. An entry is
    /// in one of the [`SLOTS_TRIED`] slots from its mark on, or in `crowded`; no slot before its own
    /// is free.
    slots: Vec<Option<u32>>,
    /// The entries that found no slot.
    crowded: BTreeMap<Text<'r>, u32>,
}

/// A set of texts.
pub(crate) type IdSet<'r> = IdMap<'r, ()>;

#[derive(Debug)]
struct Entry<'r, V> {
    mark: u64,
    text: Text<'r>,
    value: V,
}

impl<V> Default for IdMap<'_, V> {
    fn default() -> Self {
        Self { entries: Vec::new(), slots: Vec::new(), crowded: BTreeMap::new() }
    }
}

impl<'r, V> IdMap<'r, V> {
    pub(crate) fn get(&self, text: &Text<'_>) -> Option<&V> {
        let found = self.find(mark(text.as_bytes()), text)?;
        self.entries.get(found).map(|entry| &entry.value)
    }

    pub(crate) fn contains(&self, text: &Text<'_>) -> bool {
        self.find(mark(text.as_bytes()), text).is_some()
    }

    /// Sets the value at a text.
    pub(crate) fn insert(&mut self, text: Text<'r>, value: V) {
        let mark = mark(text.as_bytes());
        let found = self.find(mark, &text);
        match found.and_then(|found| self.entries.get_mut(found)) {
            Some(entry) => entry.value = value,
            None => self.push(Entry { mark, text, value }),
        }
    }

    /// The value at a text, which `value` makes where there is none.
    pub(crate) fn or_insert_with(&mut self, text: Text<'r>, value: impl FnOnce() -> V) -> &mut V {
        let mark = mark(text.as_bytes());
        let found = self.find(mark, &text).unwrap_or_else(|| {
            self.push(Entry { mark, text, value: value() });
            self.entries.len() - 1
        });
        #[expect(
            clippy::indexing_slicing,
            reason = "found among the entries, or just pushed to them"
        )]
        &mut self.entries[found].value
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    fn find(&self, mark: u64, text: &Text<'_>) -> Option<usize> {
        for slot in tried(mark, self.slots.len()) {
            let index = (*self.slots.get(slot)?)? as usize;
            let entry = self.entries.get(index)?;
            if entry.mark == mark && entry.text == *text {
                return Some(index);
            }
        }
        self.crowded.get(text.as_bytes()).map(|index| *index as usize)
    }

    fn push(&mut self, entry: Entry<'r, V>) {
        self.entries.push(entry);
        if self.entries.len() * 2 > self.slots.len() {
            self.grow();
        } else {
            self.place(self.entries.len() - 1);
        }
    }

    fn grow(&mut self) {
        let slots = (self.entries.len() * 4).next_power_of_two().max(SLOTS_MIN);
        self.slots = vec![None; slots];
        self.crowded.clear();
        for index in 0..self.entries.len() {
            self.place(index);
        }
    }

    fn place(&mut self, index: usize) {
        let Some(entry) = self.entries.get(index) else { return };
        // A record has fewer ids than bytes, and no more bytes than a `u32` counts.
        let index = u32::try_from(index).unwrap_or(u32::MAX);
        for slot in tried(entry.mark, self.slots.len()) {
            if let Some(free @ None) = self.slots.get_mut(slot) {
                *free = Some(index);
                return;
            }
        }
        self.crowded.insert(entry.text.clone(), index);
    }
}

/// The slots an entry of this mark may be in, of so many.
fn tried(mark: u64, slots: usize) -> impl Iterator<Item = usize> {
    let first = usize::try_from(mark >> 32).unwrap_or(0);
    let last = slots.saturating_sub(1);
    (0..SLOTS_TRIED.min(slots)).map(move |step| (first + step) & last)
}

impl<'r> IdSet<'r> {
    /// Adds a text; whether it was not there before.
    pub(crate) fn add(&mut self, text: Text<'r>) -> bool {
        let before = self.len();
        self.or_insert_with(text, || ());
        self.len() > before
    }
}

impl<'r> FromIterator<Text<'r>> for IdSet<'r> {
    fn from_iter<I: IntoIterator<Item = Text<'r>>>(texts: I) -> Self {
        let mut set = Self::default();
        for text in texts {
            set.add(text);
        }
        set
    }
}

/// A few multiplications for each eight bytes: no more is asked of it than to differ mostly.
fn mark(bytes: &[u8]) -> u64 {
    const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;
    let (words, rest) = bytes.as_chunks::<8>();
    let mut last = [0; 8];
    for (slot, byte) in last.iter_mut().zip(rest) {
        *slot = *byte;
    }
    let words = words.iter().chain(std::iter::once(&last));
    let mixed = words.fold(SPREAD, |mixed, word| {
        (mixed ^ u64::from_le_bytes(*word)).wrapping_mul(SPREAD).rotate_left(29)
    });
    mixed.wrapping_mul(SPREAD)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::{Entry, IdMap};
    use crate::json::Text;

    proptest! {
        #[test]
        fn it_answers_as_a_tree_does(texts in prop::collection::vec("[ab]{0,9}", 0..200)) {
            let (mut map, mut tree) = (IdMap::default(), BTreeMap::new());
            for (turn, text) in texts.iter().enumerate() {
                if turn % 3 == 0 {
                    map.insert(Text::from(text.as_str()), turn);
                    tree.insert(text, turn);
                } else {
                    *map.or_insert_with(Text::from(text.as_str()), || turn) += 1;
                    *tree.entry(text).or_insert(turn) += 1;
                }
                prop_assert_eq!(map.len(), tree.len());
            }
            for (text, value) in &tree {
                prop_assert_eq!(map.get(&Text::from(text.as_str())), Some(value));
            }
            prop_assert!(!map.contains(&Text::from("c")));
        }
    }

    #[test]
    fn texts_of_one_mark_are_told_apart_and_crowd_a_tree() {
        let texts: Vec<String> = (0..100).map(|n| n.to_string()).collect();
        let mut map = IdMap::default();
        for (value, text) in texts.iter().enumerate() {
            map.push(Entry { mark: 7, text: Text::from(text.as_str()), value });
        }
        assert_eq!(map.crowded.len(), 100 - super::SLOTS_TRIED);
        for (value, text) in texts.iter().enumerate() {
            assert_eq!(map.find(7, &Text::from(text.as_str())), Some(value));
        }
        assert_eq!(map.find(7, &Text::from("none")), None);
    }
}
