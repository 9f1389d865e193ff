//! The layers of a run that a reason or a check belongs to.

/// A layer, numbered as the original numbers it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(clippy::exhaustive_enums, reason = "the fold reads these three and no other")]
pub enum Layer {
    /// What calls were made with.
    Arguments,
    /// What came back.
    Results,
    /// What was answered.
    Answer,
}

impl Layer {
    /// The layer's number on the wire.
    #[must_use]
    pub const fn number(self) -> u8 {
        match self {
            Self::Arguments => 2,
            Self::Results => 3,
            Self::Answer => 4,
        }
    }
}
