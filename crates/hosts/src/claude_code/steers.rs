//! Steers of a turn: each delivered message once, however many lines show it.

use super::queue::Queued;
use crate::control::{ControlAction, ControlRow, Provenance};
use crate::position::Position;

/// A delivered message as one line shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Delivered {
    pub(super) text: String,
    /// The id of the message, or `""`.
    pub(super) message: String,
    /// The id of its delivery, or `""`.
    pub(super) delivery: String,
    /// The id of the line that shows it, or `""`.
    pub(super) line: String,
    pub(super) at: Position,
    pub(super) provenance: Provenance,
}

impl Delivered {
    /// Whether two lines show the same delivery.
    fn is(&self, other: &Self) -> bool {
        let same = |a: &str, b: &str| !a.is_empty() && a == b;
        if same(&self.delivery, &other.delivery) || same(&self.message, &other.message) {
            return true;
        }
        // Where both lines name an id, they would name the same one.
        let named = |a: &str, b: &str| !a.is_empty() && !b.is_empty();
        let apart = named(&self.delivery, &other.delivery) || named(&self.message, &other.message);
        !apart && self.text.trim() == other.text.trim()
    }

    fn message_id(&self) -> String {
        if self.message.is_empty() { self.line.clone() } else { self.message.clone() }
    }

    fn control_id(&self) -> String {
        if self.delivery.is_empty() { self.message_id() } else { self.delivery.clone() }
    }
}

/// Which line showed a delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shown {
    /// The attachment that the agent read.
    Attachment,
    /// The removal from the queue.
    Removal,
}

/// The deliveries that were given out, for telling a second showing from a second message.
#[derive(Clone, Debug, Default)]
pub(super) struct Steers {
    /// Removals whose attachment may still come.
    held: Vec<Delivered>,
    /// Given out and shown by one line only so far.
    single: Vec<(Shown, Delivered)>,
}

/// How far apart, counted in deliveries, two lines that show the same one may stand. Past it they
/// are two steers: twice obliged is safe, and looking back stays cheap.
const LOOKED_BACK: usize = 64;

impl Steers {
    /// A message left the queue for the running turn. Gives it out when its attachment came before.
    pub(super) fn removed(&mut self, delivered: Delivered) {
        if !self.paired(Shown::Attachment, &delivered) {
            self.held.push(delivered);
        }
    }

    /// An attachment shows a message. Gives it back unless it was given out already.
    pub(super) fn attached(&mut self, delivered: Delivered) -> Attached {
        if let Some(at) = self.held_as(&delivered) {
            let held = self.held.remove(at);
            return Attached::New(merged(delivered, held));
        }
        if self.paired(Shown::Removal, &delivered) {
            return Attached::Known;
        }
        self.single.push((Shown::Attachment, delivered.clone()));
        Attached::New(delivered)
    }

    /// An attachment on a branch that was left: its removal is none of this chain's either.
    pub(super) fn left(&mut self, delivered: &Delivered) {
        if let Some(at) = self.held_as(delivered) {
            self.held.remove(at);
        }
    }

    /// Whether no removal waits for its attachment.
    pub(super) fn is_settled(&self) -> bool {
        self.held.is_empty()
    }

    /// The removals that no attachment followed: some builds show nothing else.
    pub(super) fn settle(&mut self) -> Vec<Delivered> {
        let held = std::mem::take(&mut self.held);
        self.single.extend(held.iter().map(|held| (Shown::Removal, held.clone())));
        held
    }

    fn held_as(&self, delivered: &Delivered) -> Option<usize> {
        first_of_last(&self.held, |held| held.is(delivered))
    }

    fn paired(&mut self, shown: Shown, delivered: &Delivered) -> bool {
        let pair = |(by, other): &(Shown, Delivered)| *by == shown && other.is(delivered);
        match first_of_last(&self.single, pair) {
            Some(at) => {
                self.single.remove(at);
                true
            }
            None => false,
        }
    }
}

/// The place of the first that is wanted among the last that are looked at.
fn first_of_last<T>(all: &[T], wanted: impl Fn(&T) -> bool) -> Option<usize> {
    let from = all.len().saturating_sub(LOOKED_BACK);
    all.iter().skip(from).position(wanted).map(|at| from + at)
}

/// What an attachment turned out to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Attached {
    /// A delivery not given out before.
    New(Delivered),
    /// The second line of one that was.
    Known,
}

fn merged(attachment: Delivered, removal: Delivered) -> Delivered {
    let either = |a: String, b: String| if a.is_empty() { b } else { a };
    Delivered {
        text: attachment.text,
        message: either(attachment.message, removal.message),
        delivery: either(attachment.delivery, removal.delivery),
        line: attachment.line,
        at: attachment.at,
        provenance: attachment.provenance.max(removal.provenance),
    }
}

/// The control row of a steer.
pub(super) fn steer_row(delivered: &Delivered) -> ControlRow {
    ControlRow {
        action: ControlAction::Steer,
        method: "claude-code.queued_command",
        control_id: delivered.control_id(),
        message_id: delivered.message_id(),
        text: delivered.text.clone(),
        provenance: delivered.provenance,
        recorded: None,
    }
}

/// The control row of a message that still waits.
pub(super) fn queue_row(queued: &Queued) -> ControlRow {
    ControlRow {
        action: ControlAction::Queue,
        method: "claude-code.queue-operation",
        control_id: queued.id.clone(),
        message_id: queued.id.clone(),
        text: queued.text.clone(),
        provenance: Provenance::Recorded,
        recorded: None,
    }
}

/// The control row of an interrupt.
pub(super) fn stop_row(line: Option<&str>, provenance: Provenance) -> ControlRow {
    ControlRow {
        action: ControlAction::Stop,
        method: "claude-code.interrupt",
        control_id: line.unwrap_or_default().to_owned(),
        message_id: String::new(),
        text: String::new(),
        provenance,
        recorded: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::LineNumber;

    fn delivered(text: &str, message: &str, line: &str) -> Delivered {
        Delivered {
            text: text.into(),
            message: message.into(),
            delivery: String::new(),
            line: line.into(),
            at: Position::new(LineNumber(1), "/attachment/prompt"),
            provenance: Provenance::Heuristic,
        }
    }

    #[test]
    fn both_lines_are_one_steer_in_any_order() {
        let mut steers = Steers::default();
        steers.removed(delivered("a", "m", ""));
        let Attached::New(steer) = steers.attached(delivered("a", "m", "l")) else { panic!() };
        assert_eq!((steer.message_id(), steers.settle()), ("m".to_owned(), vec![]));

        let mut steers = Steers::default();
        steers.attached(delivered("a", "", "l"));
        steers.removed(delivered("a", "", ""));
        assert_eq!(steers.settle(), []);

        let mut steers = Steers::default();
        steers.removed(delivered("a", "", ""));
        assert_eq!(steers.settle().len(), 1);
        assert_eq!(steers.attached(delivered("a", "", "l")), Attached::Known);
    }

    #[test]
    fn the_same_words_twice_are_two_steers() {
        let mut steers = Steers::default();
        steers.removed(delivered("a", "m1", ""));
        steers.removed(delivered("a", "m2", ""));
        assert_eq!(steers.settle().len(), 2);
        let mut steers = Steers::default();
        steers.removed(delivered("a", "", ""));
        steers.removed(delivered("a", "", ""));
        assert_eq!(steers.settle().len(), 2);
    }

    #[test]
    fn a_steer_of_a_branch_that_was_left_is_none() {
        let mut steers = Steers::default();
        steers.removed(delivered("a", "", ""));
        steers.left(&delivered("a", "", "l"));
        assert_eq!(steers.settle(), []);
    }
}
