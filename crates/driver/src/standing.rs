//! How far the answer of a transcript's turn can be trusted: the turn, folded as a record.
//!
//! [`StandingRows`] takes the rows while a transcript is read, [`Standing::of`] folds them. The
//! witnesses keep the shape that the fold gives them and point into the record that was made of the
//! turn; [`Places`] says where in the transcript each of them lies.
//!
//! The record holds this turn and nothing of an earlier one: an id that was used before, a result
//! that came before, an answer that was doubtful before say nothing of this answer. It holds three
//! things, each read from a typed field of the host: the results of the turn's calls, the call that
//! asks a person and waits, and that the turn was cut short. A host keeps no ledger of findings, so
//! most of the fold's reasons cannot fire and its standing is rarely better than "consistent" and
//! never "known". Whether the run may stop is not looked at, and is not told of this.

mod places;
mod rows;
mod state;

use quittance_assess::{Assessment, Declarations, HowSure, Record, RecordError, Served};
use quittance_hosts::Session;

pub use places::Places;
pub use rows::{Mark, StandingRows};

/// The standing of one turn.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Standing {
    /// The assessment, as the fold prints it.
    pub assessment: Assessment<'static>,
    /// The same in words.
    pub words: HowSure<'static>,
    /// Where in the transcript its witnesses lie.
    pub places: Places,
}

/// Why a turn could not be folded.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StandingError {
    /// The turn could not be written as a record.
    #[error("write the turn as a record: {0}")]
    Write(serde_json::Error),
    /// The record of the turn could not be read.
    #[error(transparent)]
    Record(RecordError),
}

impl Standing {
    /// Folds the turn of a session from the rows that were taken while it was read. Either the
    /// session's own (`session.turn.rows`), or those of the second sink of two.
    ///
    /// # Errors
    ///
    /// When the results of the turn do not fit into one record, which may be 4 GiB long.
    pub fn of<S>(
        session: &Session<S>,
        rows: &StandingRows,
        declarations: &Declarations,
    ) -> Result<Self, StandingError> {
        let state = state::State::of(session, rows);
        let text = state.to_json().map_err(StandingError::Write)?;
        let record =
            Record::parse_state(text.as_bytes(), Served::AsIs).map_err(StandingError::Record)?;
        let assessment = quittance_assess::assess(&record, declarations);
        let words = quittance_assess::how_sure(&record, &assessment).into_owned();
        let places = Places::of(&assessment, &state);
        Ok(Self { assessment: assessment.into_owned(), words, places })
    }
}
