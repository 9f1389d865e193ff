//! The run being read: which turn a line belongs to, and which turns are kept.
//!
//! A line that goes on where the one before stopped is read at once. A line that hangs elsewhere
//! makes its turn *dirty*: its lines are then only put into the tree, and at the end of the turn
//! (or of what can be read) the turn is read again from its opening, with the chain of parents
//! known. Only the turn at hand, the last one in which the agent spoke and the one asked for are
//! held.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::block::{Answer, Block};
use super::line::{Kind, Line};
use super::marks::{Mark, Marks};
use super::outcome;
use super::person::{self, Said};
use super::queue::Queue;
use super::steers::{self, Delivered};
use super::tools::TOOLS;
use super::tree::{ChainSet, Footing, NodeId, Part, Tree};
use super::turn::{Live, Shared, Work, is_hosts_words, write_key};
use crate::call_ids::CallIds;
use crate::catalogue::Catalogue;
use crate::control::{ControlRow, Provenance};
use crate::lines::Place;
use crate::options::{ReadOptions, TurnNumber};
use crate::records::ResultOutcome;
use crate::session::{Opening, Past, RunIds, StopReason, Turn, TurnIds};
use crate::sink::Sink;
use crate::source::{Repair, SourceFacts};
use crate::writes::{Chain, Observed, WriteKey, Writes};

/// Whose lines are read: a main session's, or a sub-agent's own file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tail {
    Other,
    /// The agent waits for an answer, or has just got one: words that come now reach it at work.
    AtWork,
}

/// The state that a turn's opening found, for reading the turn again.
#[derive(Clone, Debug)]
struct Before {
    queue: Queue,
    tip: Option<NodeId>,
    tail: Tail,
    opened: Option<(NodeId, Option<String>)>,
    node: NodeId,
    place: Place,
}

/// A turn, and where it was opened.
#[derive(Debug)]
pub(super) struct Open<S> {
    pub(super) live: Live<S>,
    before: Before,
    /// Where its chain stands; a line that goes on with it hangs there.
    footing: Footing,
    standing: Standing,
    /// A command opened it, some lines before it was answered.
    by_command: bool,
    /// The agent spoke in it, on the chain or off it.
    heard: bool,
    /// Of the turn that was asked for: what came before it.
    past: Option<BeforeTurn>,
}

/// How far a turn's lines were read as its chain has them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    Clean,
    /// It was just read again, which is done once.
    Again,
    /// A line hangs beside its chain.
    Dirty,
}

/// What came before a turn.
#[derive(Clone, Debug)]
pub(super) struct BeforeTurn {
    pub(super) writes: Arc<Writes>,
    pub(super) history: Vec<Past>,
}

/// A command of the host that opens a turn if the agent answers it next.
#[derive(Debug)]
struct Proposal {
    text: String,
    provenance: Provenance,
    ids: TurnIds,
    before: Before,
    previous: Option<TurnNumber>,
}

/// A run being read.
#[derive(Debug)]
pub(super) struct Reading<S> {
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
    /// The opening of the last turn was not seen, and the chain left what was seen of it so far.
    unseen_left: bool,
    /// The chain, while a stretch is read again.
    chain: Option<ChainSet>,
    /// Words were counted when their lines were read first.
    words: BTreeMap<String, u64>,
}

impl<S: Sink> Reading<S> {
    pub(super) fn new(options: &ReadOptions, whose: Whose, facts: SourceFacts) -> Self {
        let tree = Tree::default();
        Self {
            catalogue: Catalogue::new(TOOLS, options.tools.clone()),
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
            unseen_left: false,
            chain: None,
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
            Kind::Queue => self.queue_line(line),
            Kind::Attachment if is_steer(&line) => self.queued(&line, place),
            Kind::Attachment | Kind::System | Kind::Progress | Kind::Other => self.silent(&line),
        };
        if let (Step::Done, Some(open)) = (&step, self.running()) {
            open.live.turn.shows_stops |= shows_stops;
        }
        step
    }

    // ---- whose lines, and facts about them

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

    // ---- lines

    fn silent(&mut self, line: &Line) -> Step {
        if let Some(open) = self.running() {
            open.live.attached(line);
        }
        self.alias(line);
        Step::Done
    }

    fn alias(&mut self, line: &Line) {
        if self.is_again() {
            return;
        }
        let Some(id) = &line.uuid else { return };
        let parent = self.parent_of(line).or(self.tip);
        if let Some(node) = parent {
            self.tree.alias(id, node, line.kind == Kind::Progress);
        }
    }

    fn queue_line(&mut self, line: Line) -> Step {
        let turn = self.marks.count();
        let queue = line.queue;
        let word = queue.operation.clone().unwrap_or_default();
        match word.as_str() {
            "enqueue" => self.queue.enqueue(queue.content, queue.command.unwrap_or_default(), turn),
            "dequeue" => self.queue.dequeue(),
            "popAll" => self.queue.pop_all(),
            "remove" => self.removed(queue),
            _ => self.facts.add_unknown_word("operation", &word),
        }
        self.alias_queue(line.uuid.as_deref(), line.parent.as_deref());
        Step::Done
    }

    fn alias_queue(&mut self, id: Option<&str>, parent: Option<&str>) {
        let node = self.named(parent).or(self.tip);
        if let (Some(id), Some(node), false) = (id, node, self.is_again()) {
            self.tree.alias(id, node, false);
        }
    }

    /// A message left the queue for the running turn. A reason that is not known does not take an
    /// obligation away.
    fn removed(&mut self, queue: super::line::QueueOperation) {
        let queued = self.queue.remove(&queue.content);
        let text = if queue.content.is_empty() {
            queued.map(|queued| queued.text).unwrap_or_default()
        } else {
            queue.content
        };
        if let Some(word) = queue.reason.as_deref().filter(|word| *word != "absorbed_mid_turn") {
            self.facts.add_unknown_word("reason", word);
        }
        if text.trim().is_empty() || person::is_hosts_own(&text) {
            return;
        }
        let typed = queue.reason.is_some();
        if let Some(open) = self.running().filter(|open| !open.is_dirty()) {
            open.live.removed(Delivered {
                text,
                message: queue.command.unwrap_or_default(),
                delivery: queue.delivery.unwrap_or_default(),
                line: String::new(),
                provenance: if typed { Provenance::Recorded } else { Provenance::Heuristic },
            });
        }
    }

    /// A person's message that was attached to the running turn.
    fn queued(&mut self, line: &Line, place: Place) -> Step {
        let attachment = &line.attachment;
        let (origin, source) = (attachment.origin.as_deref(), attachment.row_source.as_deref());
        let sender = person::queued(origin, source, attachment.meta, &mut self.facts);
        let text = attachment.prompt.clone();
        let Some(provenance) = sender.filter(|_| !text.trim().is_empty()) else {
            return self.silent(line);
        };
        let delivered = Delivered {
            text,
            message: attachment.source.clone().unwrap_or_default(),
            delivery: attachment.delivery.clone().unwrap_or_default(),
            line: line.uuid.clone().unwrap_or_default(),
            provenance,
        };
        let Some(placed) = self.place(line, Part::Words, |_| false) else { return Step::Done };
        self.ensure_turn(line, place, placed);
        if let Some(open) = &mut self.current {
            if placed.on {
                let dirty = open.live.steer(delivered);
                open.soil(dirty);
            } else {
                open.live.left(&delivered);
            }
        }
        Step::Done
    }

    fn assistant(&mut self, line: Line, place: Place) -> Step {
        if line.message.content.is_empty() && is_hosts_words(&line) {
            return self.silent(&line);
        }
        if !is_hosts_words(&line) && self.proposal.is_some() {
            if self.must_read_again() {
                return Step::Again(Box::new(line));
            }
            self.open_proposal();
        }
        let id = line.message.id.clone();
        let calls: Vec<String> = line
            .message
            .content
            .iter()
            .filter_map(Block::as_call)
            .map(|call| call.id.clone())
            .collect();
        let placed = self.place(&line, Part::Piece, |open| open.live.continues(id.as_deref()));
        let Some(placed) = placed else { return Step::Done };
        self.ensure_turn(&line, place, placed);
        self.tail = if calls.is_empty() { Tail::Other } else { Tail::AtWork };
        self.calls.extend(calls.into_iter().map(|call| (call, placed.node)));
        self.hear(&line);
        let Some(open) = self.current.as_mut().filter(|_| placed.on) else {
            self.left_line(&line, place);
            return Step::Done;
        };
        let dirty = open.live.contradicts(id.as_deref());
        open.soil(dirty);
        if !open.live.continues(id.as_deref()) {
            open.footing = self.tree.footing(placed.node);
        }
        let mut shared = Shared { catalogue: &self.catalogue, ids: &mut self.call_ids };
        open.live.agent(line, place, &mut shared);
        Step::Done
    }

    /// The agent speaks in the current turn: the one before is wanted no more.
    fn hear(&mut self, line: &Line) {
        let Some(open) = &mut self.current else { return };
        if open.heard || is_hosts_words(line) {
            return;
        }
        open.heard = true;
        self.retire_spoken();
    }

    fn retire_spoken(&mut self) {
        if let Some(spoken) = self.spoken.take() {
            Arc::make_mut(&mut self.earlier_writes).absorb(&spoken.live.turn.writes);
        }
    }

    fn user(&mut self, mut line: Line, place: Place) -> Step {
        let content = std::mem::take(&mut line.message.content);
        let texts: Vec<&str> = content.iter().filter_map(Block::as_text).collect();
        let said = self.said(&line, &texts);
        let has_results = content.iter().any(|block| matches!(block, Block::Result(_)));
        let starts = matches!(said, Said::Prompt { .. }) && !has_results && !self.steers(&line);
        if starts && self.must_read_again() {
            line.message.content = content;
            return Step::Again(Box::new(line));
        }
        match said {
            Said::Prompt { text, provenance } if starts => {
                self.prompt(&line, place, (text, provenance));
            }
            Said::Command { text, provenance } if !has_results => {
                self.propose(&line, place, text, provenance);
            }
            Said::Machine { text, wakes } if !has_results => {
                self.told(&line, place, text, wakes);
            }
            Said::CommandOutput if !has_results => {
                self.proposal = None;
                self.alias(&line);
            }
            Said::Nothing if !has_results => self.alias(&line),
            said => self.in_turn(&line, place, content, said),
        }
        Step::Done
    }

    /// Results, a steer, an interrupt.
    fn in_turn(&mut self, line: &Line, place: Place, content: Vec<Block>, said: Said) {
        let answers: Vec<Answer> = content.into_iter().filter_map(Block::into_answer).collect();
        let known = |open: &Open<S>| {
            !answers.is_empty() && answers.iter().all(|answer| open.live.made(&answer.call_id))
        };
        let is_words = !matches!(said, Said::Nothing | Said::Machine { .. });
        let answered = answers.iter().map(|answer| self.calls.get(&answer.call_id));
        let part = match answered.collect::<Option<Vec<_>>>() {
            Some(calls) if !is_words => Part::Answer { to: calls.into_iter().max().copied() },
            _ => Part::Words,
        };
        if let Said::Prompt { text, .. } | Said::Command { text, .. } = &said {
            self.queue.arrived(text);
        }
        let Some(placed) = self.place(line, part, known) else { return };
        self.ensure_turn(line, place, placed);
        self.tail = match &said {
            Said::Interrupt { .. } => Tail::Other,
            _ if answers.is_empty() => self.tail,
            _ => Tail::AtWork,
        };
        let Some(open) = self.current.as_mut().filter(|_| placed.on) else {
            return self.left_answers(answers.iter(), line, place);
        };
        let shared = Shared { catalogue: &self.catalogue, ids: &mut self.call_ids };
        for answer in answers {
            let dirty = open.live.result(answer, line, place, &shared);
            open.soil(dirty);
        }
        match said {
            Said::Prompt { text, provenance } | Said::Command { text, provenance } => {
                let dirty = open.live.steer(Delivered {
                    text,
                    message: line.uuid.clone().unwrap_or_default(),
                    delivery: String::new(),
                    line: line.uuid.clone().unwrap_or_default(),
                    provenance,
                });
                open.soil(dirty);
            }
            Said::Interrupt { provenance } => {
                open.live.interrupt(line.uuid.as_deref(), provenance);
            }
            Said::Machine { text, .. } => open.live.told(&text, false),
            Said::CommandOutput | Said::Nothing => {}
        }
    }

    /// What a line says; in a sub-agent's file nobody is a person.
    fn said(&mut self, line: &Line, texts: &[&str]) -> Said {
        if texts.is_empty() {
            return Said::Nothing;
        }
        match person::said(line, texts, &mut self.facts) {
            Said::Prompt { text, .. } | Said::Command { text, .. }
                if self.whose == Whose::SubAgent =>
            {
                Said::Machine { text, wakes: true }
            }
            said => said,
        }
    }

    fn told(&mut self, line: &Line, place: Place, text: String, wakes: bool) {
        if wakes {
            self.queue.arrived(&text);
        }
        if self.opened.is_none() && wakes {
            return self.wake(line, place, text);
        }
        if let Some(open) = self.running() {
            open.live.told(&text, wakes);
        }
        self.alias(line);
    }

    /// A machine makes the agent work before anybody asked for anything.
    fn wake(&mut self, line: &Line, place: Place, text: String) {
        let before = self.before(place);
        let parent = self.opening_parent(line);
        let Some(node) = self.fresh(line, parent, Part::Words) else { return };
        let (opening, provenance) = (Opening::Machine, Provenance::Heuristic);
        let opened = Opened { opening, provenance, text, ids: turn_ids(line), by_command: false };
        let previous = self.previous(node);
        self.open(opened, Before { node, ..before }, previous);
    }

    // ---- turns

    /// Whether a person's words reach the agent at work instead of opening a turn.
    fn steers(&self, line: &Line) -> bool {
        let Some((opening, prompt)) = &self.opened else { return false };
        let parent = self.named(line.parent.as_deref());
        match (&line.prompt_id, prompt) {
            // The words of one prompt hang in its turn; elsewhere they are another try at it.
            (Some(id), Some(current)) => id == current && parent.is_none_or(|at| at >= *opening),
            (Some(_), None) => false,
            (None, _) => self.tail == Tail::AtWork && parent.is_none_or(|at| Some(at) == self.tip),
        }
    }

    fn prompt(&mut self, line: &Line, place: Place, (text, provenance): (String, Provenance)) {
        self.proposal = None;
        let before = self.before(place);
        let parent = self.opening_parent(line);
        let Some(node) = self.fresh(line, parent, Part::Words) else { return };
        self.tail = Tail::Other;
        self.queue.open_turn(&text, self.marks.count() + 1);
        let previous = self.previous(node);
        let opened = Opened {
            opening: Opening::Person,
            provenance,
            text,
            ids: turn_ids(line),
            by_command: false,
        };
        self.open(opened, Before { node, ..before }, previous);
    }

    fn propose(&mut self, line: &Line, place: Place, text: String, provenance: Provenance) {
        let before = self.before(place);
        let parent = self.parent_of(line).or(self.tip);
        let Some(node) = self.fresh(line, parent, Part::Command) else { return };
        let previous = self.previous(node);
        let before = Before { node, ..before };
        let ids = turn_ids(line);
        self.proposal = Some(Proposal { text, provenance, ids, before, previous });
    }

    /// The agent answers a command: it was a prompt.
    fn open_proposal(&mut self) {
        let Some(proposal) = self.proposal.take() else { return };
        self.queue.open_turn(&proposal.text, self.marks.count() + 1);
        let Proposal { text, provenance, ids, before, previous } = proposal;
        let opening = Opening::Person;
        let opened = Opened { opening, provenance, text, ids, by_command: true };
        self.open(opened, before, previous);
    }

    /// A line needs a turn and nobody opened one.
    fn ensure_turn(&mut self, line: &Line, place: Place, placed: Placed) {
        let node = placed.node;
        if self.current.is_some() || !(placed.on || self.opened.is_none()) {
            return;
        }
        let before = Before { node, ..self.before(place) };
        let (opening, provenance) = (Opening::Unseen, Provenance::Heuristic);
        let text = String::new();
        self.open(
            Opened { opening, provenance, text, ids: turn_ids(line), by_command: false },
            before,
            None,
        );
    }

    fn open(&mut self, opened: Opened, before: Before, previous: Option<TurnNumber>) {
        let on = self.chain.as_ref().is_none_or(|chain| self.tree.is_of(before.node, chain));
        if !self.is_again() {
            self.tree.open(before.node);
            if opened.opening != Opening::Unseen {
                self.message = None;
            }
        }
        self.opened = Some((before.node, opened.ids.prompt.clone()));
        self.calls.clear();
        self.left.clear();
        let unseen = opened.opening == Opening::Unseen;
        if std::mem::replace(&mut self.unseen_left, unseen && !on) && unseen {
            // The chain passes the same turn after all.
            self.marks.forget_last();
        }
        let number = self.marks.open(Mark { node: before.node, previous, end: None });
        if !on {
            return;
        }
        self.close();
        self.tangled |= !self.is_again() && self.leaves_behind(before.node, previous);
        let turn = Turn {
            number,
            opening: opened.opening,
            provenance: opened.provenance,
            line: before.place.line,
            ids: opened.ids,
            task: opened.text.clone(),
            rows: S::start(&self.catalogue),
            control: Vec::new(),
            shows_stops: false,
            spoke: false,
            answer: None,
            stop: StopReason::Unfinished,
            unanswered: Vec::new(),
            background: Vec::new(),
            writes: Writes::default(),
        };
        let mut live = Live::new(turn);
        live.open(opened.text);
        let footing = self.tree.footing(before.node);
        let past = self.past_of_asked(number);
        self.current = Some(Open {
            live,
            before,
            footing,
            standing: Standing::Clean,
            by_command: opened.by_command,
            heard: false,
            past,
        });
    }

    /// Whether an opening hangs in the middle of an earlier turn: then the rest of that turn is on
    /// no chain.
    fn leaves_behind(&self, opening: NodeId, previous: Option<TurnNumber>) -> bool {
        let Some(parent) = self.tree.parent(opening) else { return false };
        match previous {
            Some(previous) => !self.marks.ended_at(previous, self.tree.footing(parent)),
            // What stands before any opening is a turn too, whose opening was not seen.
            None => self.tree.ancestors(parent).any(|node| self.tree.speaks(node)),
        }
    }

    /// Ends the current turn and keeps it where it may still be wanted.
    fn close(&mut self) {
        let Some(mut open) = self.current.take() else { return };
        open.live.finish();
        self.call_ids.close_turn();
        self.marks.remember(&open.live.turn, open.live.observed.as_ref());
        self.marks.end(open.live.turn.number, open.footing);
        if open.past.is_some() {
            Arc::make_mut(&mut self.earlier_writes).absorb(&open.live.turn.writes);
            self.asked = Some(open);
        } else if open.live.turn.spoke {
            self.retire_spoken();
            self.spoken = Some(open);
        } else {
            Arc::make_mut(&mut self.earlier_writes).absorb(&open.live.turn.writes);
        }
    }

    /// What came before the turn that was asked for, while it is still at hand.
    fn past_of_asked(&mut self, number: TurnNumber) -> Option<BeforeTurn> {
        if Some(number) != self.asked_for {
            return None;
        }
        self.retire_spoken();
        Some(BeforeTurn {
            writes: Arc::clone(&self.earlier_writes),
            history: self.marks.history(number),
        })
    }

    /// The current turn, if it is the one that was opened last: one on a branch that was left may
    /// have been opened since, and then what has no place in the tree is that one's.
    fn running(&mut self) -> Option<&mut Open<S>> {
        let opened = self.opened.as_ref().map(|(opening, _)| *opening);
        self.current.as_mut().filter(|open| Some(open.before.node) == opened)
    }

    // ---- places in the tree

    fn before(&self, place: Place) -> Before {
        Before {
            queue: self.queue.clone(),
            tip: self.tip,
            tail: self.tail,
            opened: self.opened.clone(),
            node: self.cursor,
            place,
        }
    }

    fn parent_of(&self, line: &Line) -> Option<NodeId> {
        let named = [line.parent.as_deref(), line.logical_parent.as_deref()];
        named.into_iter().find_map(|parent| self.named(parent))
    }

    /// The node that a line above has this id, or stands for.
    fn named(&self, id: Option<&str>) -> Option<NodeId> {
        self.tree.find(id).filter(|node| *node < self.cursor)
    }

    /// What the opening of a turn hangs on. One that says it hangs on nothing begins a new tree,
    /// if the lines of this file say such things at all.
    fn opening_parent(&self, line: &Line) -> Option<NodeId> {
        let named = self.parent_of(line);
        let root = line.parent.is_none() && self.tree.is_linked();
        named.or(self.tip.filter(|_| !root))
    }

    /// The opening of the turn that a line hangs in.
    fn opening_of(&self, node: NodeId) -> Option<NodeId> {
        self.tree.ancestors(node).find(|node| self.marks.turn_at(*node).is_some())
    }

    /// The turn that an opening came after.
    fn previous(&self, opening: NodeId) -> Option<TurnNumber> {
        self.marks.turn_at(self.opening_of(self.tree.parent(opening)?)?)
    }

    /// Puts a line into the tree; `None` if its id was there before.
    fn fresh(&mut self, line: &Line, parent: Option<NodeId>, part: Part) -> Option<NodeId> {
        let node = self.cursor;
        if self.tree.node(line.uuid.as_deref()).is_some_and(|known| known < node) {
            if !self.is_again() {
                self.facts.add_repair(Repair::RepeatedLine);
            }
            return None;
        }
        self.cursor = node.following();
        if !self.is_again() {
            if self.parent_of(line).is_some() {
                self.tree.link();
            }
            if part == Part::Piece {
                self.piece(line);
            }
            self.tree.add(line.uuid.as_deref(), parent, part);
        }
        self.tip = Some(node);
        Some(node)
    }

    /// Puts a line of the running turn into the tree and says whether it is on the chain. `belongs`
    /// says whether it does wherever it hangs.
    fn place(
        &mut self,
        line: &Line,
        part: Part,
        belongs: impl Fn(&Open<S>) -> bool,
    ) -> Option<Placed> {
        let parent = self.parent_of(line).or(self.tip);
        let node = self.fresh(line, parent, part)?;
        // Something else came first: nobody answered the command.
        self.proposal = None;
        let belongs = part != Part::Words && self.current.as_ref().is_some_and(belongs);
        let follows =
            |open: &Open<S>| parent.is_none_or(|parent| self.tree.footing(parent) == open.footing);
        let on = match (&self.chain, &self.current) {
            // Of a message the chain itself knows all pieces.
            (Some(chain), _) => (belongs && part != Part::Piece) || self.tree.is_of(node, chain),
            (None, Some(open)) => {
                let by_place = match part {
                    Part::Words => true,
                    // It would belong to the message at hand, if that were on the chain.
                    Part::Piece => !self.tree.goes_on(node),
                    Part::Answer { .. } | Part::Command => false,
                };
                !open.is_dirty() && (belongs || (by_place && follows(open)))
            }
            (None, None) => true,
        };
        let footing = self.tree.footing(node);
        if let Some(open) = &mut self.current {
            if self.chain.is_none() && open.standing == Standing::Again {
                open.standing = Standing::Clean;
            }
            open.soil(!on && self.chain.is_none());
            if on && part == Part::Words {
                open.footing = footing;
            }
        }
        Some(Placed { node, on })
    }

    /// A piece of a message of the agent: of the one at hand, or of the next.
    fn piece(&mut self, line: &Line) {
        if line.message.id.is_none() || self.message != line.message.id {
            self.tree.start_message();
            self.message.clone_from(&line.message.id);
        }
    }

    /// A line of the agent that the chain left: only what it wrote counts, and that it used ids.
    fn left_line(&mut self, line: &Line, place: Place) {
        if self.current.as_ref().is_some_and(|open| open.is_dirty()) {
            // The turn will be read again, and this line with it.
            return;
        }
        for call in line.message.content.iter().filter_map(Block::as_call) {
            self.call_ids.call(&call.id);
        }
        self.left_calls(line, place);
    }

    fn left_calls(&mut self, line: &Line, place: Place) {
        for call in line.message.content.iter().filter_map(Block::as_call) {
            if let Some(key) = write_key(call, Chain::Off, &self.catalogue) {
                self.left_writes().call(&key, place.line);
                self.left.insert(call.id.clone(), key);
                self.marks.written();
                if let Some(open) = &mut self.current {
                    open.live.written();
                }
            }
        }
    }

    fn left_answers<'a>(
        &mut self,
        answers: impl Iterator<Item = &'a Answer>,
        line: &Line,
        place: Place,
    ) {
        for answer in answers {
            let Some(key) = self.left.get(&answer.call_id).cloned() else { continue };
            let succeeded = outcome::outcome(answer.reported(line)) == ResultOutcome::Ok;
            self.left_writes().answer(&key, place.line, succeeded);
        }
    }

    /// Where writes are counted that are on no chain: in the turn they were made in, if it is kept.
    fn left_writes(&mut self) -> &mut Writes {
        if self.running().is_none() {
            return Arc::make_mut(&mut self.earlier_writes);
        }
        match &mut self.current {
            Some(open) => &mut open.live.turn.writes,
            None => Arc::make_mut(&mut self.earlier_writes),
        }
    }

    // ---- reading again

    /// Whether the current turn, which ends now, must be read again first.
    fn must_read_again(&mut self) -> bool {
        let Some(open) = &self.current else { return false };
        let wanted = open.heard || Some(open.live.turn.number) == self.asked_for;
        let settled = open.standing == Standing::Again;
        let unsettled = (open.is_dirty() || self.stands_aside(open)) && !settled;
        if !unsettled || !wanted || self.is_again() {
            return false;
        }
        let ends_elsewhere = self.ends_elsewhere();
        self.tangled |= ends_elsewhere;
        !ends_elsewhere
    }

    /// The line that the chain ends in. A command that nobody answered yet is behind it, not on it.
    fn end(&self) -> Option<NodeId> {
        self.proposal.as_ref().map_or(self.tip, |proposal| proposal.before.tip)
    }

    /// Whether the last line hangs beside the chain: then the chain that ends in it is another.
    fn stands_aside(&self, open: &Open<S>) -> bool {
        self.end().is_some_and(|tip| self.tree.footing(tip) != open.footing)
    }

    /// Whether the last line hangs on another turn than the current one.
    fn ends_elsewhere(&self) -> bool {
        let opening = self.end().and_then(|end| self.opening_of(end));
        self.current.as_ref().is_some_and(|open| opening != Some(open.before.node))
    }

    /// Prepares for reading the current turn again: from where, and what to do with its lines.
    pub(super) fn turn_again(&mut self) -> Option<Place> {
        // What stands before the first turn, between a command and its answer, or in a turn that was
        // left, is counted beside this turn: reading it twice would count it twice.
        let alone = self.running().is_some_and(|open| !open.by_command);
        if self.marks.count() <= 1 || !alone {
            return self.all_again();
        }
        let end = self.end();
        let open = self.current.take()?;
        let tip = end.unwrap_or(open.before.node);
        self.chain = Some(self.tree.chain(tip, Some(open.before.node)));
        self.marks.close_from(open.before.node);
        self.call_ids.reset_turn();
        Some(self.go_back(open.before))
    }

    /// Prepares for reading the whole file again along one chain.
    pub(super) fn all_again(&mut self) -> Option<Place> {
        let chain = self.tree.chain(self.end()?, None);
        let start = Self::start();
        self.current = None;
        self.spoken = None;
        self.asked = None;
        self.marks = Marks::default();
        self.call_ids = CallIds::default();
        self.earlier_writes = Arc::default();
        self.left = BTreeMap::new();
        self.tangled = false;
        self.unseen_left = false;
        self.chain = Some(chain);
        Some(self.go_back(start))
    }

    fn go_back(&mut self, before: Before) -> Place {
        self.words.clone_from(&self.facts.unknown_words);
        self.cursor = before.node;
        self.queue = before.queue;
        self.tip = before.tip;
        self.tail = before.tail;
        self.opened = before.opened;
        self.proposal = None;
        before.place
    }

    /// Ends reading again.
    pub(super) fn again_done(&mut self) {
        let end = self.end().map(|end| self.tree.footing(end));
        if let Some(open) = &mut self.current {
            open.standing = Standing::Again;
            open.footing = end.unwrap_or(open.footing);
        }
        self.chain = None;
        self.facts.unknown_words = std::mem::take(&mut self.words);
    }

    fn start() -> Before {
        Before {
            queue: Queue::default(),
            tip: None,
            tail: Tail::Other,
            opened: None,
            node: Tree::default().next(),
            place: Place { offset: 0, line: crate::source::LineNumber(1) },
        }
    }

    // ---- the end of what can be read

    /// What has to be read again before the turn can be given.
    pub(super) fn unsettled(&self) -> Unsettled {
        let Some(open) = &self.current else { return Unsettled::Nothing };
        if self.tangled || self.ends_elsewhere() {
            return Unsettled::Everything;
        }
        if open.is_dirty() || self.stands_aside(open) {
            return Unsettled::Turn;
        }
        let silent = !open.live.turn.spoke && self.asked_for.is_none();
        let kept = self.spoken.as_ref().map(|spoken| spoken.live.turn.number);
        let wanted = self.marks.spoken_before(open.live.turn.number);
        if silent && self.tree.is_linked() && kept != wanted {
            return Unsettled::Everything;
        }
        Unsettled::Nothing
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

/// All of an open turn but the turn itself, which a session holds meanwhile.
#[derive(Debug)]
pub(super) struct Parked {
    observed: Option<Observed>,
    work: Work,
    before: Before,
    footing: Footing,
    standing: Standing,
    by_command: bool,
    heard: bool,
    past: Option<BeforeTurn>,
}

impl<S> Open<S> {
    fn is_dirty(&self) -> bool {
        self.standing == Standing::Dirty
    }

    fn soil(&mut self, dirty: bool) {
        if dirty {
            self.standing = Standing::Dirty;
        }
    }

    pub(super) fn park(self) -> (Turn<S>, Parked) {
        let Self { live, before, footing, standing, by_command, heard, past } = self;
        let Live { turn, observed, work } = live;
        (turn, Parked { observed, work, before, footing, standing, by_command, heard, past })
    }

    pub(super) fn unpark(turn: Turn<S>, parked: Parked) -> Self {
        let Parked { observed, work, before, footing, standing, by_command, heard, past } = parked;
        let live = Live { turn, observed, work };
        Self { live, before, footing, standing, by_command, heard, past }
    }

    pub(super) fn past(&self) -> Option<&BeforeTurn> {
        self.past.as_ref()
    }
}

/// What has to be read again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unsettled {
    Nothing,
    Turn,
    Everything,
}

/// A line in the tree.
#[derive(Clone, Copy, Debug)]
struct Placed {
    node: NodeId,
    on: bool,
}

/// How a turn opens.
#[derive(Debug)]
struct Opened {
    opening: Opening,
    provenance: Provenance,
    text: String,
    ids: TurnIds,
    by_command: bool,
}

fn turn_ids(line: &Line) -> TurnIds {
    TurnIds { session: line.session_id.clone(), prompt: line.prompt_id.clone() }
}

/// Whether an attachment is a message that a person sent while the agent worked.
fn is_steer(line: &Line) -> bool {
    line.attachment.word == "queued_command" && line.attachment.mode.as_deref() == Some("prompt")
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
