//! What a directive orders. Why it does is the receipt's to say.

use serde::{Deserialize, Serialize};

/// What happens to the run that proposed to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(clippy::exhaustive_enums, reason = "an answer a caller must act on")]
pub enum Action {
    /// Nothing stands against the stop. Of an empty plan this says nothing: look at the outcome.
    Accept,
    /// The run goes on; feedback names what is unmet.
    Continue,
    /// The run ends and nobody could verify it.
    StopUnverified,
    /// The run ends on a pass of the verifier, over a judge that would have gone on.
    StopVerified,
}

impl Action {
    /// Every action, in the original's order.
    pub const ALL: [Self; 4] =
        [Self::Accept, Self::Continue, Self::StopUnverified, Self::StopVerified];

    /// The action's word on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Accept => "accept",
            Self::Continue => "continue",
            Self::StopUnverified => "stop_unverified",
            Self::StopVerified => "stop_verified",
        }
    }
}
