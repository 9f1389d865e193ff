//! What a command writes: read to the last byte, digested whole, kept in part.

use std::collections::VecDeque;
use std::process::Stdio;

use quittance_evidence::canonical::{Digest, Digester};
use tokio::io::AsyncReadExt;
use tokio::net::unix::pipe::Receiver;

use super::Listener;

/// How many bytes of a stream are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "two ends, there is no third")]
pub struct Keep {
    /// From its beginning.
    pub head: usize,
    /// From its end.
    pub tail: usize,
}

/// How the two streams are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "there are two streams")]
pub enum Streams {
    /// Into one, in the order written.
    Joined(Keep),
    /// Each for itself.
    Apart {
        /// Of standard output.
        output: Keep,
        /// Of standard error.
        errors: Keep,
    },
}

/// A screen of beginnings and as many last lines as anybody reads.
const USUAL: Keep = Keep { head: 8 * 1024, tail: 56 * 1024 };

impl Default for Streams {
    fn default() -> Self {
        Self::Joined(USUAL)
    }
}

impl Streams {
    pub(super) const fn keeps(self) -> (Keep, Keep) {
        match self {
            Self::Joined(keep) => (keep, Keep { head: 0, tail: 0 }),
            Self::Apart { output, errors } => (output, errors),
        }
    }
}

/// What was written to one stream. Memory is bounded by what is kept.
#[derive(Clone, Debug)]
pub struct Captured {
    keep: Keep,
    bytes: u64,
    digester: Digester,
    head: Vec<u8>,
    tail: VecDeque<u8>,
}

impl Captured {
    /// Nothing yet.
    #[must_use]
    pub fn new(keep: Keep) -> Self {
        let digester = Digester::new();
        Self { keep, bytes: 0, digester, head: Vec::new(), tail: VecDeque::new() }
    }

    /// Takes the next bytes.
    pub fn push(&mut self, piece: &[u8]) {
        self.bytes += u64::try_from(piece.len()).unwrap_or(u64::MAX);
        self.digester.push_bytes(piece);
        let room = self.keep.head.saturating_sub(self.head.len()).min(piece.len());
        let (head, rest) = piece.split_at(room);
        self.head.extend_from_slice(head);
        let (_, last) = rest.split_at(rest.len().saturating_sub(self.keep.tail));
        let excess = (self.tail.len() + last.len()).saturating_sub(self.keep.tail);
        self.tail.drain(..excess.min(self.tail.len()));
        self.tail.extend(last);
    }

    /// How many bytes there were.
    #[must_use]
    pub const fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The digest of all of them.
    #[must_use]
    pub fn digest(&self) -> Digest {
        self.digester.clone().finish()
    }

    /// How many were not kept.
    #[must_use]
    pub fn left_out(&self) -> u64 {
        let kept = self.head.len() + self.tail.len();
        self.bytes.saturating_sub(u64::try_from(kept).unwrap_or(u64::MAX))
    }

    /// All of it, unless something was not kept.
    #[must_use]
    pub fn whole(&self) -> Option<Vec<u8>> {
        let whole = || self.head.iter().chain(&self.tail).copied().collect();
        (self.left_out() == 0).then(whole)
    }

    /// What was kept, as text, with a line in place of what was not. Bytes that are no UTF-8 become
    /// U+FFFD.
    #[must_use]
    pub fn text(&self) -> String {
        if let Some(whole) = self.whole() {
            return String::from_utf8_lossy(&whole).into_owned();
        }
        let tail: Vec<u8> = self.tail.iter().copied().collect();
        let (head, tail) = (String::from_utf8_lossy(&self.head), String::from_utf8_lossy(&tail));
        format!("{head}\n…[{} bytes left out]…\n{tail}", self.left_out())
    }
}

/// The ends of the pipes that a command writes to.
#[derive(Debug)]
pub(super) struct Plugs {
    pub(super) stdout: Stdio,
    pub(super) stderr: Stdio,
}

/// Our ends of them.
#[derive(Debug)]
pub(super) struct Wires {
    output: Receiver,
    errors: Option<Receiver>,
}

/// Makes the pipes.
pub(super) fn wire(streams: &Streams) -> std::io::Result<(Plugs, Wires)> {
    let (output, stdout) = std::io::pipe()?;
    let output = Receiver::from_owned_fd(output.into())?;
    let (errors, stderr) = match streams {
        Streams::Joined(_) => (None, stdout.try_clone()?),
        Streams::Apart { .. } => {
            let (errors, stderr) = std::io::pipe()?;
            (Some(Receiver::from_owned_fd(errors.into())?), stderr)
        }
    };
    Ok((Plugs { stdout: stdout.into(), stderr: stderr.into() }, Wires { output, errors }))
}

impl Wires {
    /// Reads both to their ends.
    pub(super) async fn read(
        self,
        output: &mut Captured,
        errors: &mut Captured,
        listener: &mut Listener<'_>,
    ) {
        let first = drain(self.output, |piece| {
            output.push(piece);
            listener(piece);
        });
        match self.errors {
            None => first.await,
            Some(second) => {
                tokio::join!(first, drain(second, |piece| errors.push(piece)));
            }
        }
    }
}

/// As much as a pipe holds.
const BUFFER_BYTES: usize = 64 * 1024;

/// Reads to the end. A pipe that cannot be read has ended.
async fn drain(mut from: Receiver, mut take: impl FnMut(&[u8])) {
    let mut buffer = Vec::with_capacity(BUFFER_BYTES);
    loop {
        buffer.clear();
        match from.read_buf(&mut buffer).await {
            Ok(0) | Err(_) => return,
            Ok(_) => take(&buffer),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn captured(keep: Keep, pieces: &[&[u8]]) -> Captured {
        let mut captured = Captured::new(keep);
        pieces.iter().for_each(|piece| captured.push(piece));
        captured
    }

    #[test]
    fn both_ends_are_kept_however_it_comes() {
        let all = b"0123456789abcdefghij";
        let keep = Keep { head: 3, tail: 4 };
        for size in 1..=all.len() {
            let pieces: Vec<&[u8]> = all.chunks(size).collect();
            let captured = captured(keep, &pieces);
            assert_eq!(captured.text(), "012\n…[13 bytes left out]…\nghij", "in pieces of {size}");
            assert_eq!(captured.digest(), Digest::of_bytes(all));
            assert_eq!((captured.bytes(), captured.left_out()), (20, 13));
            assert_eq!(captured.whole(), None);
        }
    }

    proptest! {
        #[test]
        fn what_is_kept_is_bounded_and_the_rest_is_counted(
            pieces in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..20), 0..20),
            head in 0usize..12,
            tail in 0usize..12,
        ) {
            let all = pieces.concat();
            let mut captured = Captured::new(Keep { head, tail });
            pieces.iter().for_each(|piece| captured.push(piece));
            prop_assert_eq!(captured.digest(), Digest::of_bytes(&all));
            prop_assert_eq!(captured.bytes(), u64::try_from(all.len()).unwrap());
            let over = all.len().saturating_sub(head + tail);
            prop_assert_eq!(captured.left_out(), u64::try_from(over).unwrap());
            prop_assert_eq!(captured.whole(), (over == 0).then_some(all.clone()));
            prop_assert!(all.starts_with(&captured.head) && all.ends_with(captured.tail.make_contiguous()));
        }
    }

    #[test]
    fn what_fits_is_whole() {
        let keep = Keep { head: 3, tail: 4 };
        for text in ["", "a", "abc", "abcd", "abcdefg"] {
            let captured = captured(keep, &[text.as_bytes()]);
            assert_eq!(captured.whole().unwrap(), text.as_bytes());
            assert_eq!(captured.text(), text);
        }
        assert_eq!(captured(Keep { head: 0, tail: 0 }, &[b"abc"]).left_out(), 3);
    }

    #[test]
    fn bytes_that_are_no_text_are_shown_as_such() {
        assert_eq!(captured(USUAL, &[b"a\xffb"]).text(), "a\u{fffd}b");
    }
}
