//! The answer to one input, or to one batch of lines: what is printed of it, and its counts.

use super::failure::Failure;
use super::tally::Tally;

/// What an input came to.
#[derive(Debug, Default)]
pub(super) struct Answer {
    /// What goes to stdout.
    pub(super) text: String,
    /// What goes to stderr: one line for each input that could not be read.
    pub(super) complaint: Option<Failure>,
    pub(super) tally: Tally,
    /// How far the work went: bytes of lines, or one file.
    pub(super) step: u64,
}
