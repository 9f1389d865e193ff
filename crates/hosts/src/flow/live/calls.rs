//! The calls of a turn: made, answered, and told of by typed fields before or after the answer.

use super::{Call, Last, Live, Made, Shared, Told};
use crate::catalogue::{Catalogue, Effect};
use crate::position::{Position, RowPosition};
use crate::records::{self, CallResult, ResultOutcome};
use crate::sink::Sink;
use crate::source::LineNumber;
use crate::writes::{Chain, Observed, ObservedOutcome, WriteKey, WriteKind, result_data_of};

impl<S: Sink> Live<S> {
    /// The agent made a call, a row of its own.
    pub(crate) fn call(&mut self, call: Call, at: Position, shared: &mut Shared<'_>) {
        self.calls(String::new(), vec![(call, at.clone())], at, shared);
    }

    /// The agent said something and made calls, in one message.
    pub(crate) fn calls(
        &mut self,
        text: String,
        calls: Vec<(Call, Position)>,
        at: Position,
        shared: &mut Shared<'_>,
    ) {
        self.spoken();
        self.turn.answer = None;
        self.work.last = Last::Agent;
        let (mut records, mut places) = (Vec::new(), Vec::new());
        for (call, at) in calls {
            let id = self.make(&call, at.line, shared);
            self.work.asked |= shared.catalogue.asks(&call.name);
            self.work.unanswered.insert(id.clone());
            records.push(records::call(id, call.name, call.args));
            places.push(at);
        }
        let at = RowPosition { row: at, calls: places };
        self.turn.rows.push(&records::assistant(text, records), &at);
    }

    /// A call that only typed fields show, with its end: a script made it, and what the agent calls
    /// and waits for is the script.
    pub(crate) fn aside(
        &mut self,
        call: Call,
        (text, told): (String, Told),
        at: Position,
        shared: &mut Shared<'_>,
    ) {
        self.turn.spoke = true;
        let host_id = call.id.clone();
        let id = self.make(&call, at.line, shared);
        let record = records::call(id, call.name, call.args);
        let row = RowPosition { row: at.clone(), calls: vec![at.clone()] };
        self.turn.rows.push(&records::assistant(String::new(), vec![record]), &row);
        self.row(&host_id, text, told, at, shared);
    }

    /// Notes a call and gives its name.
    fn make(&mut self, call: &Call, line: LineNumber, shared: &mut Shared<'_>) -> String {
        let id = shared.ids.call(&call.id);
        let writes = write_keys(call, Chain::On, shared.catalogue);
        if !writes.is_empty() {
            self.written();
        }
        for key in &writes {
            self.turn.writes.call(key, line);
        }
        self.observe(call, line, shared.catalogue);
        let tool = call.name.clone();
        let made = Made { id: id.clone(), tool, writes, told: None, answered: false };
        self.work.made.insert(call.id.clone(), made);
        id
    }

    /// Only the last verification is observed; the answer to an earlier one is none to it.
    fn observe(&mut self, call: &Call, line: LineNumber, catalogue: &Catalogue) {
        if let Some(command) = catalogue.verification(&call.name, &call.args) {
            self.work.observed = Some(Observed {
                tool: call.name.clone(),
                command: command.to_owned(),
                line,
                outcome: ObservedOutcome::Unanswered,
                exit_code: None,
                written_since: false,
            });
            self.work.observed_call = Some(call.id.clone());
        } else if self.work.observed_call.as_ref() == Some(&call.id) {
            self.work.observed_call = None;
        }
    }

    /// Whether the turn made a call with this id of the host's.
    pub(crate) fn made(&self, host_id: &str) -> bool {
        self.work.made.contains_key(host_id)
    }

    /// The tool of a call that was made.
    pub(crate) fn tool_of(&self, host_id: &str) -> Option<&str> {
        self.work.made.get(host_id).map(|made| made.tool.as_str())
    }

    /// A call was answered.
    pub(crate) fn result(
        &mut self,
        host_id: &str,
        (text, told): (String, Told),
        at: Position,
        shared: &Shared<'_>,
    ) {
        self.work.answers_came = true;
        if !self.is_over() {
            self.told();
        }
        self.row(host_id, text, told, at, shared);
    }

    /// Typed fields tell how a call ended, before its answer or after it.
    pub(crate) fn tell(&mut self, host_id: &str, told: Told, line: LineNumber) {
        let Some(made) = self.work.made.get_mut(host_id) else { return };
        if made.told.is_some() {
            return;
        }
        let (tool, is_late) = (made.tool.clone(), made.answered);
        if made.writes.iter().all(|key| key.path.is_none()) {
            let named = told.paths.iter().map(|path| edit(&tool, path, Chain::On));
            let named: Vec<WriteKey> = named.collect();
            named.iter().for_each(|key| self.turn.writes.call(key, line));
            made.writes.extend(named);
        }
        let ended = (told.outcome, told.exit_code);
        made.told = Some(told);
        if is_late {
            self.settle(host_id, ended, line);
        }
    }

    /// The row of an answer, and what follows from it.
    fn row(&mut self, host_id: &str, text: String, told: Told, at: Position, shared: &Shared<'_>) {
        let Some(made) = self.work.made.get_mut(host_id) else {
            let id = shared.ids.result(host_id);
            let Told { outcome, exit_code, .. } = told;
            let data = result_data_of([], exit_code);
            let row = CallResult { id, name: String::new(), text, outcome, data };
            return self.push(&row.into_record(), at);
        };
        let told = match &made.told {
            Some(typed) if typed.outcome != ResultOutcome::Unknown => typed.clone(),
            _ => told,
        };
        made.answered = true;
        if told.outcome != ResultOutcome::Unknown {
            made.told = Some(told.clone());
        }
        let (id, name, outcome) = (made.id.clone(), made.tool.clone(), told.outcome);
        let went_well = outcome == ResultOutcome::Ok;
        let paths = made.writes.iter().filter_map(|key| key.path.as_deref());
        let data = result_data_of(paths.filter(|_| went_well), told.exit_code);
        let row = CallResult { id: id.clone(), name, text, outcome, data }.into_record();
        self.work.unanswered.remove(&id);
        self.settle(host_id, (outcome, told.exit_code), at.line);
        self.push(&row, at);
    }

    /// Counts how a call ended, among the writes and for what is observed.
    fn settle(&mut self, host_id: &str, ended: (ResultOutcome, Option<i64>), line: LineNumber) {
        let Some(made) = self.work.made.get(host_id) else { return };
        let (outcome, exit_code) = ended;
        for key in &made.writes {
            self.turn.writes.answer(key, line, outcome == ResultOutcome::Ok);
        }
        let wrote = !made.writes.is_empty();
        let observes = self.work.observed_call.as_deref() == Some(host_id);
        if let (Some(observed), true) = (&mut self.work.observed, observes) {
            observed.exit_code = exit_code;
            observed.outcome = match outcome {
                ResultOutcome::Ok => ObservedOutcome::Ok,
                ResultOutcome::Error => ObservedOutcome::Error,
                ResultOutcome::Unknown => ObservedOutcome::Unknown,
            };
        } else if wrote {
            // It was still at work when the verification began.
            self.written();
        }
    }

    /// Something that is no call of the turn wrote, or may have.
    pub(crate) fn wrote_aside(&mut self, key: &WriteKey, line: LineNumber) {
        self.turn.writes.call(key, line);
        self.written();
    }

    /// Something was written after what is observed.
    pub(in crate::flow) fn written(&mut self) {
        if let Some(observed) = &mut self.work.observed {
            observed.written_since = true;
        }
    }
}

/// What a call wrote, or may have.
pub(crate) fn write_keys(call: &Call, chain: Chain, catalogue: &Catalogue) -> Vec<WriteKey> {
    let Effect::Wrote { kind, paths } = catalogue.effect(&call.name, &call.args) else {
        return Vec::new();
    };
    let key = |path| WriteKey { tool: call.name.clone(), path, kind, chain };
    if paths.is_empty() {
        return vec![key(None)];
    }
    paths.into_iter().map(|path| key(Some(path))).collect()
}

fn edit(tool: &str, path: &str, chain: Chain) -> WriteKey {
    WriteKey { tool: tool.to_owned(), path: Some(path.to_owned()), kind: WriteKind::Edit, chain }
}
