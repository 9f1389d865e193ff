//! The readers, in the order in which they run. The order fixes the order of the checks and of the
//! witnesses within a reason.

mod answer;
mod arguments;
mod conflicts;
mod contingent;
mod coverage;
mod periods;
mod results;
mod rewrites;

use crate::{
    coverage::Coverage,
    declared::Declarations,
    gathered::Gathered,
    ids::IdSet,
    json::Node,
    ledger::Ledger,
    pointer::Place,
    reason::Reason,
    results::TurnResult,
    state::{State, StateKey},
    turn::Turn,
};

/// Everything the fold reads, each part once.
#[derive(Debug)]
pub(crate) struct Facts<'r> {
    pub(crate) turn: Turn<'r>,
    turn_number: Option<f64>,
    pub(crate) ledger: Ledger<'r>,
    pub(crate) coverage: Coverage<'r>,
    pub(crate) results: Vec<TurnResult<'r>>,
    /// The calls of this turn: those with a result, and those a row was filed for.
    calls: IdSet<'r>,
    pub(crate) decisions: Vec<Node<'r>>,
    paused: Option<Node<'r>>,
    argument_ask: Option<Node<'r>>,
    unsupported: Option<Node<'r>>,
    stopped_early: Option<Node<'r>>,
    report: Option<Node<'r>>,
}

impl<'r> Facts<'r> {
    pub(crate) fn read(state: &mut State<'r>, declarations: &Declarations) -> Self {
        let turn = Turn::read(state.ask(StateKey::History));
        let turn_number = state.ask(StateKey::TurnNumber).and_then(Node::number);
        let ledger = Ledger::read(state.ask(StateKey::FindingsLedger), turn_number);
        let coverage = Coverage::read(state.ask(StateKey::CoverageDeclared));
        let results = TurnResult::read_all(&turn, &coverage, declarations);
        let filed = coverage.rows.iter().filter_map(|row| row.call.clone());
        let calls = results.iter().filter_map(|r| r.call.clone()).chain(filed).collect();
        // What a middleware did matters only to an argument that was judged.
        let judged = ledger.arguments.iter().next().is_some();
        let decisions = if judged { state.ask(StateKey::MiddlewareDecisions) } else { None };
        let decisions = decisions.and_then(Node::array);
        Self {
            turn,
            turn_number,
            ledger,
            coverage,
            results,
            calls,
            decisions: decisions.into_iter().flat_map(|list| list.entries()).collect(),
            paused: state.ask(StateKey::PausedToolCallId),
            argument_ask: state.ask(StateKey::ArgumentAsk),
            unsupported: state.ask(StateKey::UnsupportedValues),
            stopped_early: state.ask(StateKey::StoppedEarly),
            report: state.ask(StateKey::AnswerValidation),
        }
    }

    /// Whether a value is the id of a call of this turn.
    fn is_call(&self, id: Option<Node<'_>>) -> bool {
        id.and_then(Node::string).is_some_and(|id| self.calls.contains(&id))
    }
}

/// Runs every reader.
pub(crate) fn gather<'r>(facts: &Facts<'r>) -> Gathered<'r> {
    let mut gathered = Gathered::default();
    pause(facts, &mut gathered);
    arguments::ask(facts, &mut gathered);
    arguments::verdicts(facts, &mut gathered);
    coverage::rows(facts, &mut gathered);
    coverage::calls(facts, &mut gathered);
    contingent::rows(facts, &mut gathered);
    results::shapes(facts, &mut gathered);
    periods::verdicts(facts, &mut gathered);
    conflicts::rows(facts, &mut gathered);
    answer::rows(facts, &mut gathered);
    answer::report(facts, &mut gathered);
    gathered
}

/// A turn that ended in a pause has no answer yet, whatever it waits for.
fn pause(facts: &Facts<'_>, gathered: &mut Gathered<'_>) {
    let paused = facts.paused.and_then(Node::string);
    if paused.is_some_and(|call| !call.is_empty()) {
        gathered.fire_at(Reason::Asked, Place::PausedCall);
    }
}
