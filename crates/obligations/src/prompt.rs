//! The block that tells an exit authority what was amended.

use quittance_evidence::clip;

use crate::record::{Obligations, Steer};

/// How many steers are shown; older ones are counted, so that a cut list cannot read as whole.
const STEERS_SHOWN: usize = 12;

/// What a stop means for the authority that reads it.
const STOPPED: &str = "The user ended this run while it was still at work, and the session \
accepted that. Whatever was left is not owed any more: order none of it, and hold nothing against \
the run that it was kept from doing. Assess only what already existed at that moment.";

/// What a retarget means; the old task follows.
const RETARGETED: &str = "Mid-run the user exchanged this run's objective for the goal stated \
above. The former task and all rows and criteria that belonged to it, wherever they appear here, \
are retired. Retired means neither owed nor fulfilled: order no work for them and report no gap \
against them. Former task, retired:";

/// The heading of the list.
const STEERED: &str = "Directives from the user, accepted in this order while the run was under \
way (each was sent after the goal above was set, and the agent received it):";

/// How the list is to be read.
const SUPERSEDED: &str = "Where a later directive and anything earlier disagree, the later one \
holds: over the goal, over the rubric, over any requirement row. Work that a directive narrowed, \
diverted or called off is due only in its amended form, and having undone or skipped the rest is \
what was asked, not a gap. Where the last directive asks for a report and an end, a report that \
answers it completes the run; where a directive names its own test of completion, apply that test \
literally. Checks are due for all work that still stands, and for none that was called off. Decide \
against the goal as amended here, not against the goal alone.";

impl Obligations {
    /// Renders the block, each part after a blank line; empty when nothing was amended, so that an
    /// unsteered run's prompt keeps its bytes.
    #[must_use]
    pub fn prompt(&self) -> String {
        let mut block = String::new();
        if self.accepted_stop.is_some() {
            push_part(&mut block, STOPPED);
        }
        if self.retarget.is_some() {
            push_part(&mut block, RETARGETED);
            block.push('\n');
            block.push_str(&clip::STEER.apply(self.original_task.trim()));
        }
        if !self.steers.is_empty() {
            push_part(&mut block, STEERED);
            block.push('\n');
            block.push_str(&shown(&self.steers).join("\n"));
            push_part(&mut block, SUPERSEDED);
        }
        block
    }
}

fn push_part(block: &mut String, part: &str) {
    block.push_str("\n\n");
    block.push_str(part);
}

/// The last steers, numbered by their place among all.
fn shown(steers: &[Steer]) -> Vec<String> {
    let omitted = steers.len().saturating_sub(STEERS_SHOWN);
    let note = (omitted > 0).then(|| {
        let noun = if omitted == 1 { "directive is" } else { "directives are" };
        format!("({omitted} earlier {noun} omitted; the most recent are shown)")
    });
    let lines = steers.iter().enumerate().skip(omitted);
    let lines = lines.map(|(position, steer)| format!("{}. {}", position + 1, steer.content));
    note.into_iter().chain(lines).collect()
}
