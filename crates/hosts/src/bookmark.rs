//! A place in a transcript from which a later process goes on reading.
//!
//! It stands behind the opening of a turn, so that what is read from there is the turn, whole, and
//! what came before is kept as what it came to. A file that was read up to a bookmark and on from it
//! gives what reading it from its beginning gives, byte for byte of evidence and receipt, as long as
//! the bytes before the bookmark are the same; whoever keeps one says how it is known that they are.
//!
//! A bookmark holds text of the transcript (what was asked before, paths that were written), as it
//! was read: no redaction is applied to it.

use quittance_evidence::canonical::{Digest, DigestState};
use serde::{Deserialize, Serialize};

use crate::catalogue::ToolPolicy;
use crate::claude_code::Progress;
use crate::lines::Consumed;
use crate::options::ReadOptions;

/// Names the layout of what is kept; another one is read from the beginning. It changes with every
/// change of a kept type.
const LAYOUT: &str = "quittance-hosts/bookmark/1";

/// A place to go on from.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Bookmark {
    /// The tools it was read with: another policy reads other writes.
    tools: Digest,
    pub(crate) consumed: Consumed,
    pub(crate) progress: Progress,
}

impl Bookmark {
    pub(crate) fn new(options: &ReadOptions, consumed: Consumed, progress: Progress) -> Self {
        let tools = digest(&options.tools);
        Self { tools, consumed, progress }
    }

    /// Bytes before it.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.consumed.offset
    }

    /// The running digest of those bytes.
    #[must_use]
    pub const fn digest(&self) -> &DigestState {
        &self.consumed.digest
    }

    /// Whether a file may be read on from it with these options: it was made with the same tools,
    /// for the last turn, in a format that the caller does not exclude.
    #[must_use]
    pub fn fits(&self, options: &ReadOptions) -> bool {
        let host = options.host.is_none_or(|host| host == crate::Format::ClaudeCode);
        let last = options.turn.is_none() && options.run.is_none();
        host && last && self.tools == digest(&options.tools)
    }

    /// The bookmark as bytes; none where it is too large for them.
    #[must_use]
    pub fn to_bytes(&self) -> Option<Vec<u8>> {
        let body = postcard::to_allocvec(self).ok()?;
        let seal = Digest::of_bytes(&body).hex();
        postcard::to_allocvec(&Sealed { layout: LAYOUT, seal: &seal, body: &body }).ok()
    }

    /// Reads a bookmark; none where the bytes are no bookmark of this version, or are damaged.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        // Another layout is seen by its name, and its rest read as nothing.
        let (layout, _) = postcard::take_from_bytes::<&str>(bytes).ok()?;
        if layout != LAYOUT {
            return None;
        }
        let sealed: Sealed<'_> = postcard::from_bytes(bytes).ok()?;
        let is_whole = Digest::of_bytes(sealed.body).hex() == sealed.seal;
        is_whole.then(|| postcard::from_bytes(sealed.body).ok()).flatten()
    }
}

/// A bookmark as it is kept.
#[derive(Serialize, Deserialize)]
struct Sealed<'a> {
    layout: &'a str,
    /// The digest of the body, in hex.
    seal: &'a str,
    body: &'a [u8],
}

fn digest(tools: &ToolPolicy) -> Digest {
    // A policy of tools is a map of lists of texts, which JSON always holds.
    Digest::of(&serde_json::to_value(tools).unwrap_or_default())
}
