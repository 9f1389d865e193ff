//! Takes one boundary of a run from record and policy to a sealed receipt.
//!
//! [`policy`] reads `quittance.toml`; a [`Case`] puts together what the cores say of one turn
//! before anybody is asked; [`adjudicate()`] drives the state machine of `quittance-judge`, whose
//! questions [`effects`] answer: [`verify`] runs the verifier's command as a [`process`] that
//! leaves nothing behind, and a [`judge`] per slot is asked. [`replay()`] hands a receipt's own
//! answers to the same loop and must arrive at the same id.
//!
//! [`standing`] folds a turn as a record and says how far its answer can be trusted. Outcome and
//! standing are made from the same rows and never from each other.
//!
//! This is the only crate that awaits. It opens no transcript and writes nowhere (the `quittance`
//! program does), and it decides nothing: what follows from an answer is `quittance-judge`'s.

pub mod adjudicate;
mod after;
pub mod case;
pub mod check;
pub mod effects;
pub mod escape;
pub mod facts;
pub mod judge;
pub mod policy;
#[cfg(unix)]
pub mod process;
pub mod redact;
pub mod replay;
mod seal;
pub mod standing;
pub mod terms;
pub mod user;
#[cfg(unix)]
pub mod verify;

pub use adjudicate::{Adjudicated, Before, adjudicate};
pub use case::{Case, HostSays};
pub use effects::{Effects, Live, Verifier};
pub use judge::Judge;
pub use policy::{EffectivePolicy, Policy};
pub use redact::{Redactor, Rewriting};
pub use replay::replay;
pub use seal::{Unread, unread};
pub use standing::{Standing, StandingRows};
pub use user::UserConfig;
