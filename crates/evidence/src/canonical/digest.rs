//! The digest newtype and the sink that computes it.

use std::fmt::{self, Write};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use serde_json::Value;
use sha2::digest::common::hazmat::{SerializableState, SerializedState};
use sha2::{Digest as _, Sha256};

use super::text;

/// The algorithm prefix every digest carries on the wire.
const PREFIX: &str = "sha256:";

/// A SHA-256 digest, spelled `sha256:` and 64 lower-case hex digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest([u8; 32]);

impl Digest {
    /// Digests the canonical text of a value.
    #[must_use]
    pub fn of(value: &Value) -> Self {
        let mut digester = Digester::new();
        digester.push(value);
        digester.finish()
    }

    /// Digests bytes as they are.
    #[must_use]
    pub fn of_bytes(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// Returns the 64 lower-case hex digits without the prefix, as some records carry them.
    #[must_use]
    pub fn hex(&self) -> String {
        to_hex(&self.0)
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(PREFIX)?;
        f.write_str(&self.hex())
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Digest({self})")
    }
}

/// Why a text is not a digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DigestParse {
    /// The text does not begin with the algorithm.
    #[error("read a digest: it does not begin with `sha256:`")]
    Prefix,
    /// The part after the prefix is not 64 lower-case hex digits.
    #[error("read a digest: 64 lower-case hex digits must follow `sha256:`")]
    Hex,
}

impl std::str::FromStr for Digest {
    type Err = DigestParse;

    fn from_str(text: &str) -> Result<Self, DigestParse> {
        let hex = text.strip_prefix(PREFIX).ok_or(DigestParse::Prefix)?.as_bytes();
        if hex.len() != 64 {
            return Err(DigestParse::Hex);
        }
        let mut bytes = [0u8; 32];
        from_hex(hex, &mut bytes).ok_or(DigestParse::Hex)?;
        Ok(Self(bytes))
    }
}

fn nibble(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    }
}

impl Serialize for Digest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(de::Error::custom)
    }
}

/// A sink that digests what is written to it, a buffer at a time.
#[derive(Clone, Debug)]
pub struct Digester {
    hash: Sha256,
    buffer: String,
}

/// Small writes are gathered until this many bytes, since each call into the hash has a fixed cost.
const BUFFER_BYTES: usize = 4096;

impl Digester {
    /// Starts a digest over nothing.
    #[must_use]
    pub fn new() -> Self {
        Self { hash: Sha256::new(), buffer: String::with_capacity(BUFFER_BYTES) }
    }

    /// Adds the canonical text of a value.
    pub fn push(&mut self, value: &Value) {
        // This sink never fails.
        let _ = text::write(value, self);
    }

    /// Adds text as it is.
    pub fn push_text(&mut self, text: &str) {
        // This sink never fails.
        let _ = self.write_str(text);
    }

    /// Adds bytes as they are.
    pub fn push_bytes(&mut self, bytes: &[u8]) {
        self.flush();
        self.hash.update(bytes);
    }

    /// Ends the digest.
    #[must_use]
    pub fn finish(mut self) -> Digest {
        self.flush();
        Digest(self.hash.finalize().into())
    }

    fn flush(&mut self) {
        self.hash.update(self.buffer.as_bytes());
        self.buffer.clear();
    }
}

/// Names what a [`DigestState`] is a state of. The hash library keeps the layout of its state
/// within 0.11 and promises nothing beyond.
const STATE_VERSION: &str = "sha2-0.11/sha256";

/// A digest that was put aside, to be gone on with by a later process.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DigestState {
    version: String,
    /// The state in lower-case hex: 104 bytes.
    state: String,
}

/// Why a digest cannot be gone on with; then it has to be taken anew, from the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DigestResume {
    /// The state was put aside by another hash or another version of this one.
    #[error("go on with a digest: its state is of another version")]
    Version,
    /// The state is damaged.
    #[error("go on with a digest: its state is damaged")]
    Damaged,
}

impl Digester {
    /// Puts the digest aside.
    #[must_use]
    pub fn save(&self) -> DigestState {
        let mut flushed = self.clone();
        flushed.flush();
        let state = to_hex(&flushed.hash.serialize());
        DigestState { version: STATE_VERSION.to_owned(), state }
    }

    /// Goes on with a digest that was put aside.
    ///
    /// # Errors
    /// When the state is of another version or damaged.
    pub fn resume(saved: &DigestState) -> Result<Self, DigestResume> {
        if saved.version != STATE_VERSION {
            return Err(DigestResume::Version);
        }
        let mut state = SerializedState::<Sha256>::default();
        let bytes = saved.state.as_bytes();
        if bytes.len() != state.len() * 2 {
            return Err(DigestResume::Damaged);
        }
        from_hex(bytes, &mut state).ok_or(DigestResume::Damaged)?;
        let hash = Sha256::deserialize(&state).map_err(|_| DigestResume::Damaged)?;
        Ok(Self { hash, buffer: String::with_capacity(BUFFER_BYTES) })
    }
}

fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut out, byte| {
        // Writing to a String cannot fail.
        let _ = write!(out, "{byte:02x}");
        out
    })
}

/// Reads as many bytes as the target holds.
fn from_hex(hex: &[u8], target: &mut [u8]) -> Option<()> {
    for (byte, pair) in target.iter_mut().zip(hex.chunks_exact(2)) {
        *byte =
            pair.iter().try_fold(0u8, |high, digit| nibble(*digit).map(|low| high << 4 | low))?;
    }
    Some(())
}

impl Default for Digester {
    fn default() -> Self {
        Self::new()
    }
}

impl Write for Digester {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if self.buffer.len() + text.len() > BUFFER_BYTES {
            self.flush();
        }
        if text.len() > BUFFER_BYTES {
            self.hash.update(text.as_bytes());
        } else {
            self.buffer.push_str(text);
        }
        Ok(())
    }
}
