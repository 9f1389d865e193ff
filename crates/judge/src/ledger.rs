//! The acceptance ledger: which rows of a contract are met, who said so and on what evidence.
//!
//! A judge's word never meets a row by itself: the row must be reported met and cite a record of
//! an allowed kind, or be settled by the verifier's own receipt. Contract types live in
//! `quittance-evidence`; the records that may be cited arrive in the packet.

mod cited;
mod join;
mod report;
mod words;

pub use cited::PacketIndex;
pub use join::Boundary;
pub use report::{Report, Row, RowStatus};
pub use words::{
    assessments_schema, contract_prompt, itemization_prompt, pending_feedback, unassessed_feedback,
};
