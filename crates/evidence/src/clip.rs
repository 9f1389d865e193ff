//! The one place that cuts text: head and tail kept, the middle counted.
//!
//! Lengths are Unicode scalar values. The marker comes on top of the limit, so a clipped text is
//! longer than its limit (as in Harn, whose clipped texts enter digests).

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
        let head = head(text, self.limit - tail);
        let elided = length - self.limit;
        let noun = self.noun;
        format!("{head}\n…[{elided} chars elided — middle of {noun}]…\n{}", last(text, tail))
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
}
