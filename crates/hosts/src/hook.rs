//! What a host tells its hook when a run proposes to stop, and what it takes for an answer.
//!
//! [`HookInput::read`] makes neutral facts of the host's JSON, [`HookAnswer::print`] makes the
//! host's JSON of a neutral answer. What each host spells, sends and accepts is in that host's own
//! folder; [`Host`] is the one table over them. Nothing here reads a disk, an environment or a
//! clock, and nothing decides: a field that is missing, or is of another type, is absent and noted.
//!
//! An answer is one JSON document of keys the host knows and nothing else; whoever prints it ends
//! with exit code 0, or some client loses it, and a lost refusal is an allowed stop.

mod answer;
mod dialect;
mod fields;
mod host;
mod input;
mod mark;
mod plain;
mod sample;

pub use answer::{AnswerError, HookAnswer};
pub use dialect::{Basis, Stopping};
pub use fields::{HookError, HookNote};
pub use host::Host;
pub use input::{Background, HookInput, Pass, SubAgent, TurnKey};
pub use mark::without_own_words;
pub use sample::{Sample, SamplePlace};

pub(crate) use dialect::{Dialect, Event, Refusal};
pub(crate) use fields::Fields;
pub(crate) use plain::Size;
pub(crate) use sample::{ANSWER, Made, NAME};
