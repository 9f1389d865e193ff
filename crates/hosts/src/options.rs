//! What a caller may choose about a reading.

use std::borrow::Cow;
use std::fmt;
use std::num::NonZeroU64;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::catalogue::ToolPolicy;
use crate::format::Format;

/// The ordinal of a turn in its file, from 1, in the order the prompts stand there.
///
/// A prompt that was later taken back keeps its number, so a number once given never moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct TurnNumber(NonZeroU64);

/// The ordinal of a run in a file that holds several, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RunNumber(NonZeroU64);

macro_rules! ordinal {
    ($name:ident) => {
        impl $name {
            /// Takes an ordinal; zero is none.
            #[must_use]
            pub fn new(ordinal: u64) -> Option<Self> {
                NonZeroU64::new(ordinal).map(Self)
            }

            /// The ordinal as a number.
            #[must_use]
            pub const fn get(self) -> u64 {
                self.0.get()
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

ordinal!(TurnNumber);
ordinal!(RunNumber);

impl TurnNumber {
    /// The turn after `turns` others.
    pub(crate) const fn after(turns: u64) -> Self {
        Self(NonZeroU64::MIN.saturating_add(turns))
    }
}

/// How to read an input; the default chooses everything by content.
#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    /// The format, where the caller knows better than the content.
    pub host: Option<Format>,
    /// The turn to give; without it the last one in which the agent spoke.
    pub turn: Option<TurnNumber>,
    /// The run, where the file holds several.
    pub run: Option<RunNumber>,
    /// What the policy file says about tools.
    pub tools: ToolPolicy,
    /// What changes the texts of a row before anything rests on them. A sink applies it
    /// ([`Catalogue::rewrite`](crate::Catalogue::rewrite)); the turn's other texts are as they were
    /// read.
    pub rewrite: Option<Arc<dyn Rewrite>>,
}

/// Changes a text before anything rests on it, say by taking secrets out.
pub trait Rewrite: fmt::Debug + Send + Sync {
    /// The text in its place.
    fn rewrite<'a>(&self, text: &'a str) -> Cow<'a, str>;
}
