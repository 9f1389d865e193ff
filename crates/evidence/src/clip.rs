//! The one place that cuts text: head and tail kept, the middle counted.
//!
//! Lengths are Unicode scalar values. The marker comes on top of the limit, so a clipped text is
//! longer than its limit (as in Harn, whose clipped texts enter digests).

use serde_json::Value;

use crate::canonical;

/// How much of a text is kept, and what the marker calls it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clip {
    /// Characters kept: a third of them (rounded down) from the end, the rest from the start.
    pub limit: usize,
    /// The noun in the marker: `…[N chars elided — middle of <noun>]…`.
    pub noun: &'static str,
}

/// A steer in an authority's prompt: a steer's operative clause is its first or last sentence.
pub const STEER: Clip = Clip { limit: 1200, noun: "steer" };
/// A field of a bounded action.
pub const FIELD: Clip = Clip { limit: 4500, noun: "evidence" };
/// A name, kind, id or target.
pub const LABEL: Clip = Clip { limit: 160, noun: "evidence" };
/// The one line kept of a read-only result.
pub const READ_DIGEST: Clip = Clip { limit: 200, noun: "evidence" };

impl Clip {
    /// Returns the text unchanged when it fits, else its head, a marker and its tail.
    #[must_use]
    pub fn apply(&self, text: &str) -> String {
        // A text of `limit` bytes has at most `limit` characters.
        if text.len() <= self.limit {
            return text.to_owned();
        }
        let length = text.chars().count();
        if length <= self.limit {
            return text.to_owned();
        }
        let tail = self.limit / 3;
        self.join(head(text, self.limit - tail), length, last(text, tail))
    }

    /// Clips a value: text as it is, anything else as its canonical JSON, null as `""` in quotes.
    #[must_use]
    pub fn apply_to(&self, value: &Value) -> String {
        match value {
            Value::String(text) => self.apply(text),
            Value::Null => self.apply("\"\""),
            other => self.apply(&canonical::to_text(other)),
        }
    }

    fn join(&self, head: &str, length: usize, tail: &str) -> String {
        let elided = length - self.limit;
        let noun = self.noun;
        format!("{head}\n…[{elided} chars elided — middle of {noun}]…\n{tail}")
    }
}

/// Gathers pieces of text joined by line breaks and clips the whole, in memory bounded by the
/// clip: a call may be answered any number of times.
#[derive(Clone, Debug)]
pub struct Gather {
    clip: Clip,
    pieces: usize,
    chars: usize,
    /// The first `limit` characters: the whole text while it fits.
    head: String,
    head_chars: usize,
    /// At least the last third of the limit, trimmed now and then.
    tail: String,
}

impl Gather {
    /// Starts with nothing.
    #[must_use]
    pub const fn new(clip: Clip) -> Self {
        Self { clip, pieces: 0, chars: 0, head: String::new(), head_chars: 0, tail: String::new() }
    }

    /// Adds a piece.
    pub fn push(&mut self, piece: &str) {
        if self.pieces > 0 {
            self.push_text("\n");
        }
        self.pieces += 1;
        self.push_text(piece);
    }

    fn push_text(&mut self, text: &str) {
        let chars = text.chars().count();
        let room = self.clip.limit - self.head_chars;
        self.head.push_str(head(text, room));
        self.head_chars += chars.min(room);
        self.chars += chars;
        let keep = self.clip.limit / 3;
        self.tail.push_str(last(text, keep));
        // A character has at most four bytes, so this is cut once per `keep` characters at most.
        if self.tail.len() > keep * 8 {
            self.tail = last(&self.tail, keep).to_owned();
        }
    }

    /// The clipped whole, as [`Clip::apply`] would give it over the joined pieces.
    #[must_use]
    pub fn text(&self) -> String {
        if self.chars <= self.clip.limit {
            return self.head.clone();
        }
        let tail = self.clip.limit / 3;
        let kept = head(&self.head, self.clip.limit - tail);
        self.clip.join(kept, self.chars, last(&self.tail, tail))
    }
}

/// The first `count` characters.
#[must_use]
pub fn head(text: &str, count: usize) -> &str {
    match text.char_indices().nth(count) {
        Some((at, _)) => text.get(..at).unwrap_or(text),
        None => text,
    }
}

fn last(text: &str, count: usize) -> &str {
    match count.checked_sub(1).and_then(|back| text.char_indices().nth_back(back)) {
        Some((at, _)) => text.get(at..).unwrap_or(text),
        None if count == 0 => "",
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_two_thirds_head_and_one_third_tail() {
        let text: String = "ab".repeat(750);
        let clipped = STEER.apply(&text);
        assert_eq!(clipped.chars().count(), 1240);
        assert!(clipped.contains("\n…[300 chars elided — middle of steer]…\n"));
        assert_eq!(STEER.apply(&"é".repeat(1200)), "é".repeat(1200));
    }

    proptest::proptest! {
        #[test]
        fn gathering_is_clipping_the_joined_pieces(
            pieces in proptest::collection::vec("[a-é\n]{0,40}", 0..12),
            limit in 1usize..60,
        ) {
            let clip = Clip { limit, noun: "x" };
            let mut gather = Gather::new(clip);
            pieces.iter().for_each(|piece| gather.push(piece));
            proptest::prop_assert_eq!(gather.text(), clip.apply(&pieces.join("\n")));
        }
    }
}
