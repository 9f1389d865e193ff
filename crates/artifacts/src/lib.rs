//! The paths a run was to leave behind, and what became of each.
//!
//! A run whose every call succeeded may still have done the wrong thing, and nothing in its record
//! shows it. The caller knows what the run was for and declares it ([`Declared`]); each declared
//! path is then probed once ([`Probe`]), and the answer is [`Verdict::Present`],
//! [`Verdict::Missing`] or [`Verdict::Unverifiable`]. Only a missing path convicts
//! ([`Audit::convicts`]): a path nobody was allowed to look at says something of the host, nothing
//! of the run, and a contract that could not be checked never reads as one that was met.
//!
//! ```
//! use quittance_artifacts::{Declared, Recorded, Sighting, Status, Survey};
//!
//! let declared = Declared::read(&serde_json::json!(["report.md", " report.md ", "secret.txt"]));
//! let probe: Recorded = [
//!     ("report.md".to_owned(), Sighting::bare(Status::Missing)),
//!     ("secret.txt".to_owned(), Sighting::bare(Status::ScopeDenied)),
//! ]
//! .into_iter()
//! .collect();
//!
//! let audit = Survey::take(&declared, &probe).audit();
//! assert_eq!(audit.declared(), ["report.md", "secret.txt"]);
//! assert_eq!(audit.missing(), ["report.md"]);
//! assert_eq!(audit.unverifiable(), ["secret.txt"]);
//! assert!(audit.convicts());
//! ```
//!
//! # Features
//!
//! `disk`, off by default and for Unix only, adds `Disk`, the probe of this machine's file system.
//! `probe/disk.rs` is the one file here that touches a disk. Where the feature is off, or on
//! another system, use [`Recorded`] or a probe of your own; [`NoRoot`] convicts nobody.
//!
//! # What this crate does not do
//!
//! It never opens a file to read it: that an existing file holds the right thing is the verifier's
//! business and the judge's (`quittance-judge`). It does not say where a run's root is
//! (`quittance-driver` does) nor what a conviction leads to (`quittance-judge` does).

mod audit;
mod declared;
mod note;
mod probe;
mod status;

pub use audit::{Audit, AuditRead, Finding, Survey};
pub use declared::Declared;
pub use note::Note;
#[cfg(all(unix, feature = "disk"))]
pub use probe::disk::{Disk, RootOpen};
pub use probe::{NoRoot, Probe, Recorded, Sighting};
pub use status::{Status, UnknownWord, Verdict};
