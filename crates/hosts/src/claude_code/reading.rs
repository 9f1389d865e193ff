//! The run being read: which turn a line belongs to, and which turns are kept.
//!
//! A line that goes on where the one before stopped is read at once. A line that hangs elsewhere
//! makes its turn *dirty*: its lines are then only put into the tree, and at the end of the turn
//! (or of what can be read) the turn is read again from its opening, with the chain of parents
//! known. Only the turn at hand, the last one in which the agent spoke and the one asked for are
//! held.

mod again;
mod beside;
mod conversation;
mod held;
mod kept;
mod left;
mod places;
mod turns;

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::block::Block;
use super::line::{Kind, Line};
use super::marks::Marks;
use super::queue::Queue;
use super::tools::TOOLS;
use super::tree::{ChainSet, NodeId, Tree};
use super::{person, steers};
use crate::call_ids::CallIds;
use crate::catalogue::Catalogue;
use crate::control::ControlRow;
use crate::lines::Place;
use crate::options::{ReadOptions, TurnNumber};
use crate::session::RunIds;
use crate::sink::Sink;
use crate::source::SourceFacts;
use crate::writes::{WriteKey, Writes};

pub(super) use again::Unsettled;
use beside::is_steer;
pub(super) use held::{Open, Parked};
pub(super) use kept::Kept;
use turns::Proposal;

/// Whose lines are read: a main session's, or a sub-agent's own file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Whose {
    /// No line said anything yet.
    Undecided,
    Main,
    SubAgent,
}

/// What must happen before reading can go on.
#[derive(Debug)]
pub(super) enum Step {
    Done,
    /// The turn must be read again up to this line, which is then to be taken again.
    Again(Box<Line>),
    /// Everything must be read again: the file is a main session's after all.
    Restart,
}

/// What came last in the file, whatever chain it is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Tail {
    Other,
    /// The agent waits for an answer, or has just got one: words that come now reach it at work.
    AtWork,
}

/// The state that a turn's opening found, for reading the turn again.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Before {
    queue: Queue,
    tip: Option<NodeId>,
    tail: Tail,
    opened: Option<(NodeId, Option<String>)>,
    node: NodeId,
    place: Place,
}

/// A run being read.
#[derive(Debug)]
pub(super) struct Reading<S: Sink> {
    pub(super) catalogue: Catalogue,
    asked_for: Option<TurnNumber>,
    pub(super) whose: Whose,
    pub(super) ids: RunIds,
    pub(super) facts: SourceFacts,
    tree: Tree,
    /// The node the next line that says something is, or will be.
    cursor: NodeId,
    /// The last line that said something.
    tip: Option<NodeId>,
    tail: Tail,
    /// The message id of the last line of the agent.
    message: Option<String>,
    /// The calls since the last opening, on the chain or off it.
    calls: BTreeMap<String, NodeId>,
    call_ids: CallIds,
    queue: Queue,
    proposal: Option<Proposal>,
    pub(super) marks: Marks,
    pub(super) current: Option<Open<S>>,
    /// The last turn in which the agent spoke, unless it is the current one.
    pub(super) spoken: Option<Open<S>>,
    /// The turn that was asked for, unless it is one of the others.
    pub(super) asked: Option<Open<S>>,
    /// What the turns before the last one kept wrote.
    pub(super) earlier_writes: Arc<Writes>,
    /// The writes of this turn's calls that are on no chain, by call id, for their answers.
    left: BTreeMap<String, WriteKey>,
    /// The turn that was opened last, on the chain or off it: its opening and its prompt id.
    opened: Option<(NodeId, Option<String>)>,
    /// A turn ended on a line that hangs on an earlier turn.
    tangled: bool,
    /// The chain, while a stretch is read again.
    chain: Option<ChainSet>,
    /// Everything was read again along one chain: what stands before the turn depends on what comes
    /// behind it.
    retold: bool,
    /// Words were counted when their lines were read first.
    words: BTreeMap<String, u64>,
}

impl<S: Sink> Reading<S> {
    pub(super) fn new(options: &ReadOptions, whose: Whose, facts: SourceFacts) -> Self {
        let tree = Tree::default();
        Self {
            catalogue: Catalogue::new(TOOLS, options),
            asked_for: options.turn,
            whose,
            ids: RunIds::default(),
            facts,
            cursor: tree.next(),
            tree,
            tip: None,
            tail: Tail::Other,
            message: None,
            calls: BTreeMap::new(),
            call_ids: CallIds::default(),
            queue: Queue::default(),
            proposal: None,
            marks: Marks::default(),
            current: None,
            spoken: None,
            asked: None,
            earlier_writes: Arc::default(),
            left: BTreeMap::new(),
            opened: None,
            tangled: false,
            chain: None,
            retold: false,
            words: BTreeMap::new(),
        }
    }

    /// Takes the next line.
    pub(super) fn take(&mut self, line: Line, place: Place) -> Step {
        if matches!(line.kind, Kind::User | Kind::Assistant) && self.side_matters(&line) {
            return Step::Restart;
        }
        self.note(&line);
        if line.sidechain && self.whose != Whose::SubAgent {
            self.left_calls(&line, place);
            let answers = line.message.content.iter().filter_map(Block::as_answer);
            self.left_answers(answers, &line, place);
            return Step::Done;
        }
        let shows_stops = line.sender.row_source.is_some();
        let step = match line.kind {
            Kind::User => self.user(line, place),
            Kind::Assistant => self.assistant(line, place),
            Kind::Queue => self.queue_line(line, place),
            Kind::Attachment if is_steer(&line) => self.queued(&line, place),
            Kind::Attachment | Kind::System | Kind::Progress | Kind::Other => {
                self.silent(&line, place)
            }
        };
        if let (Step::Done, Some(open)) = (&step, self.running()) {
            open.live.turn.shows_stops |= shows_stops;
        }
        step
    }

    /// Decides whose file it is; answers whether it was taken for a sub-agent's and is not.
    fn side_matters(&mut self, line: &Line) -> bool {
        match (self.whose, line.sidechain) {
            (Whose::Undecided, side) => {
                self.whose = if side { Whose::SubAgent } else { Whose::Main };
                self.ids.agent = line.agent_id.clone().filter(|_| side);
                false
            }
            (Whose::SubAgent, false) => true,
            (Whose::SubAgent, true) | (Whose::Main, _) => false,
        }
    }

    fn note(&mut self, line: &Line) {
        if self.is_again() {
            return;
        }
        if self.ids.session.is_none() {
            self.ids.session.clone_from(&line.session_id);
        }
        if let Some(version) = &line.version {
            self.facts.add_version(version);
        }
        if let Some(word) = skipped_word(line) {
            self.facts.add_skipped(&word);
        }
    }

    fn is_again(&self) -> bool {
        self.chain.is_some()
    }

    /// Gives out the rows of the turns at hand.
    pub(super) fn finish(&mut self) {
        for open in [&mut self.current, &mut self.spoken, &mut self.asked].into_iter().flatten() {
            open.live.finish();
        }
    }

    /// Whether a message waits that was sent while this turn ran or after it.
    pub(super) fn is_pending(&self) -> bool {
        self.queue.is_pending()
    }

    /// What waits, as control rows.
    pub(super) fn queue_rows(&self) -> Vec<ControlRow> {
        let queued = self.queue.waiting().filter(|queued| !person::is_hosts_own(&queued.text));
        queued.map(steers::queue_row).collect()
    }
}

/// The word under which a line that says nothing is counted.
fn skipped_word(line: &Line) -> Option<String> {
    let detail = match line.kind {
        Kind::User | Kind::Assistant | Kind::Queue => return None,
        Kind::Attachment if is_steer(line) => return None,
        Kind::Attachment => &line.attachment.word,
        Kind::System => &line.subtype,
        Kind::Progress | Kind::Other => "",
    };
    let mut word = if line.word.is_empty() { "(none)".to_owned() } else { line.word.clone() };
    if !detail.is_empty() {
        word.push('.');
        word.push_str(detail);
    }
    Some(word)
}
