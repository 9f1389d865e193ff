//! A run's records, read into rows and paired into tool lifecycles.
//!
//! Records are whatever a store holds; [`Normalizer`] reads one at a time, and what it cannot read
//! becomes an [`Issue`] beside the rows, never an error. [`LifecycleReport`] pairs every call with
//! its results. Rule for rule this is Harn's transcript module (`harn.agent.transcript.*.v1`);
//! issue messages and details are data that enter evidence ids, so they are spelled as there.

mod call;
mod issue;
mod legacy;
mod lifecycle;
mod normalize;
mod pairing;
mod row;

pub use issue::{Issue, IssueCode};
pub use lifecycle::{Lifecycle, LifecycleReport};
pub use normalize::{Normalized, Normalizer, content_text};
pub use pairing::LifecycleStatus;
pub(crate) use pairing::{CallFacts, orphan_issue};
pub use row::{AssistantRow, Call, Origin, Outcome, Row, ToolResultRow, Usage, UserRow};
