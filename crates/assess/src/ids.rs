//! Maps and sets keyed by texts of the record, mostly the ids of calls.
//!
//! They are only ever asked, never listed, so that their order cannot reach an answer. Each key carries
//! a digest of its text that is looked up first: ids of one provider share long beginnings, and comparing
//! those would be most of the fold's work. Whatever collides is told apart by the text itself, so that
//! no choice of ids makes a look-up slower than the logarithm of their number.

use std::collections::{BTreeMap, btree_map::Entry};

use crate::json::Text;

/// What is known of each text.
#[derive(Debug)]
pub(crate) struct IdMap<'r, V> {
    buckets: BTreeMap<u64, Bucket<'r, V>>,
    length: usize,
}

/// A set of texts.
pub(crate) type IdSet<'r> = IdMap<'r, ()>;

/// The texts of one digest: as good as always a single one.
#[derive(Debug)]
struct Bucket<'r, V> {
    text: Text<'r>,
    value: V,
    others: BTreeMap<Text<'r>, V>,
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

impl<V> Default for IdMap<'_, V> {
    fn default() -> Self {
        Self { buckets: BTreeMap::new(), length: 0 }
    }
}

impl<'r, V> IdMap<'r, V> {
    pub(crate) fn get(&self, text: &Text<'_>) -> Option<&V> {
        let bucket = self.buckets.get(&mark(text.as_bytes()))?;
        if bucket.text == *text { Some(&bucket.value) } else { bucket.others.get(text.as_bytes()) }
    }

    pub(crate) fn contains(&self, text: &Text<'_>) -> bool {
        self.get(text).is_some()
    }

    /// The value at a text, which `value` makes where there is none.
    pub(crate) fn or_insert_with(&mut self, text: Text<'r>, value: impl FnOnce() -> V) -> &mut V {
        match self.buckets.entry(mark(text.as_bytes())) {
            Entry::Vacant(place) => {
                self.length += 1;
                &mut place.insert(Bucket { text, value: value(), others: BTreeMap::new() }).value
            }
            Entry::Occupied(bucket) => {
                let bucket = bucket.into_mut();
                if bucket.text == text {
                    return &mut bucket.value;
                }
                let length = &mut self.length;
                bucket.others.entry(text).or_insert_with(|| {
                    *length += 1;
                    value()
                })
            }
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.length
    }
}

impl<'r> IdSet<'r> {
    /// Adds a text; whether it was not there before.
    pub(crate) fn add(&mut self, text: Text<'r>) -> bool {
        let before = self.length;
        self.or_insert_with(text, || ());
        self.length > before
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

#[cfg(test)]
mod tests {
    use super::{Bucket, IdMap, mark};
    use crate::json::Text;

    #[test]
    fn texts_of_one_digest_are_told_apart() {
        let mut map = IdMap::default();
        *map.or_insert_with(Text::from("a"), || 0) += 1;
        // As if "b" had the digest of "a".
        let bucket: &mut Bucket<'_, i32> = map.buckets.get_mut(&mark(b"a")).unwrap();
        bucket.others.insert(Text::from("b"), 7);
        bucket.text = Text::from("c");
        bucket.others.insert(Text::from("a"), 9);
        assert_eq!(map.get(&Text::from("a")), Some(&9));
        assert_eq!(*map.or_insert_with(Text::from("a"), || 0), 9);
        assert_eq!(map.get(&Text::from("b")), None, "another digest");
        assert_eq!(map.len(), 1);
    }
}
