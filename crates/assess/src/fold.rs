//! The fold: from a record to an assessment, by precedence.

use crate::{
    assessment::{Assessment, Fired},
    declared::Declarations,
    readers::{Facts, gather},
    record::Record,
    source::Sources,
    state::State,
};

/// Folds how far the answer of a turn can be trusted, from its record alone.
///
/// The record is of a turn that ended in an answer or in a pause. A turn that ended in an error has no
/// answer, and its committed state does not say so: do not fold one.
///
/// Whatever the record holds is read and never refused: a type nobody expected reads as absent.
#[must_use]
pub fn assess<'r>(record: &'r Record<'_>, declarations: &Declarations) -> Assessment<'r> {
    let mut state = State::new(record.state(), record.served());
    let facts = Facts::read(&mut state, declarations);
    let turn_from = facts.turn.from();
    let kept_out = state.into_kept_out();
    if !kept_out.is_empty() {
        return Assessment::withheld(turn_from, kept_out);
    }
    let gathered = gather(&facts);
    let sources = Sources::new(&facts);
    let fired = |(reason, witness): (_, Vec<_>)| {
        let source = sources.of(reason, &witness);
        Fired { reason, witness, source }
    };
    let reasons = gathered.fired.into_iter().map(fired).collect();
    Assessment::given(turn_from, reasons, gathered.support, gathered.checked)
}
