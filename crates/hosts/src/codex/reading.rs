//! Which turn a line belongs to, and what it does to it.
//!
//! A turn begins where the host says so and its first words come; a line that names an earlier turn
//! is that one's, wherever it stands. Of a file whose build names no turns, a person's message
//! opens one unless it reached the agent at work.

mod people;
mod scripts;
mod turns;

use std::collections::BTreeMap;

use super::ending::{Activity, Ending, Of};
use super::entry::{Entry, Meta, Output, Spoken};
use super::tools::{COMMAND, SCRIPT, STDIN, TOOLS};
use crate::catalogue::Catalogue;
use crate::flow::{Call, Run, Told, Twins};
use crate::options::ReadOptions;
use crate::position::Position;
use crate::sink::Sink;
use crate::source::{LineNumber, SourceFacts};
use crate::writes::Chain;
use people::{People, Words};
use scripts::Scripts;
use serde_json::Value;
use turns::Turns;

/// Whether an entry shows that the words before it were said before it.
const fn shows_order(entry: &Entry) -> bool {
    !matches!(
        entry,
        Entry::Person { .. }
            | Entry::Started
            | Entry::Meta(_)
            | Entry::Nothing(_)
            | Entry::Unknown { .. }
    )
}

/// A rollout being read.
#[derive(Debug)]
pub(super) struct Reading<S> {
    pub(super) run: Run<S>,
    turns: Turns,
    people: People,
    agents: Twins,
    scripts: Scripts,
    /// The sessions in which commands of this turn go on, by the call that began each.
    sessions: BTreeMap<String, String>,
    has_meta: bool,
}

impl<S: Sink> Reading<S> {
    pub(super) fn new(options: &ReadOptions) -> Self {
        Self {
            run: Run::new(Catalogue::new(TOOLS, options), options.turn),
            turns: Turns::default(),
            people: People::default(),
            agents: Twins::default(),
            scripts: Scripts::default(),
            sessions: BTreeMap::new(),
            has_meta: false,
        }
    }

    /// Takes the next line.
    pub(super) fn take(&mut self, line: &Value, number: LineNumber, facts: &mut SourceFacts) {
        let Spoken { entry, turn, pointer } = Spoken::of(line);
        let at = Position::new(number, pointer);
        let is_late = turn.as_deref().is_some_and(|turn| self.turns.is_earlier(turn));
        if let Entry::Aborted(reason) = &entry
            && !turns::is_known(reason)
        {
            facts.add_unknown_word("turn_aborted.reason", reason);
        }
        if shows_order(&entry) {
            self.settle_people(facts);
        }
        match entry {
            Entry::Meta(meta) => self.meta(meta, facts),
            Entry::Nothing(word) => facts.add_skipped(&word),
            Entry::Unknown { field, word } => facts.add_unknown_word(field, &word),
            Entry::RolledBack(turns) => self.run.roll_back(turns),
            Entry::Started => self.started(turn),
            entry if is_late => self.late(entry, number, facts),
            entry => self.of_turn(entry, turn, at),
        }
    }

    fn of_turn(&mut self, entry: Entry, turn: Option<String>, at: Position) {
        match entry {
            Entry::Person { showing, text, typed } => {
                self.person(Words { text, turn, at }, showing, typed);
            }
            Entry::Hook => self.hook(),
            Entry::Agent { showing, text, said } => {
                if !self.agents.is_second(showing, &text) {
                    self.at_hand(&at).say(text, said, at);
                }
            }
            Entry::Other(text) => self.other(text, at),
            Entry::Call(call, told) => self.call(call, told, at),
            Entry::Output(output) => self.output(output, at),
            Entry::Ending(ending) => self.ending(*ending, at),
            Entry::Activity(activity) => self.activity(activity),
            Entry::Completed(completion) => self.completed(&completion, at),
            Entry::Aborted(reason) => self.aborted(&reason, turn.unwrap_or_default(), at),
            Entry::Failed => self.failed(at),
            Entry::Meta(_)
            | Entry::Started
            | Entry::RolledBack(_)
            | Entry::Nothing(_)
            | Entry::Unknown { .. } => {}
        }
    }

    /// Says how the run stands, as far as it was read.
    pub(super) fn finish(&mut self) {
        self.guess_people();
        self.run.finish();
    }

    /// Whether what was told at the last end may turn out to be otherwise.
    pub(super) const fn was_guessed(&self) -> bool {
        self.people.guessed
    }

    /// Of a fork, the first line is its own; those of its forebears follow.
    fn meta(&mut self, meta: Meta, facts: &mut SourceFacts) {
        if let Some(version) = &meta.version {
            facts.add_version(version);
        }
        if !std::mem::replace(&mut self.has_meta, true) {
            self.run.ids.session = meta.session;
            self.run.ids.agent = meta.agent;
        }
    }

    /// A line of a turn that another one followed: its row would come too late, but what it wrote is
    /// written.
    fn late(&mut self, entry: Entry, line: LineNumber, facts: &mut SourceFacts) {
        facts.add_skipped("late");
        let call = match entry {
            Entry::Ending(ending) if ending.of == Of::Call => ending.call,
            Entry::Call(call, _) => call,
            _ => return,
        };
        for key in crate::flow::write_keys(&call, Chain::Off, &self.run.catalogue) {
            self.run.wrote_earlier(&key, line);
        }
    }

    // ---- calls

    fn call(&mut self, call: Call, told: Option<Told>, at: Position) {
        if call.name == SCRIPT {
            self.scripts.begins(&call.id);
        }
        if call.name == STDIN {
            let session = call.args.get("session_id").or_else(|| call.args.get("process_id"));
            let session =
                session.map(|id| id.as_str().map_or_else(|| id.to_string(), str::to_owned));
            self.sessions.extend(session.map(|session| (call.id.clone(), session)));
        }
        let id = call.id.clone();
        self.at_hand(&at);
        self.run.with(|live, shared| {
            live.call(call, at.clone(), shared);
            if let Some(told) = told {
                live.result(&id, (String::new(), told), at, shared);
            }
        });
    }

    fn output(&mut self, output: Output, at: Position) {
        let live = self.at_hand(&at);
        let tool = live.tool_of(&output.call_id).unwrap_or_default().to_owned();
        let is_command = self.run.catalogue.runs_commands(&tool);
        let output = match tool.as_str() {
            COMMAND | STDIN => self.goes_on(output),
            _ if is_command || tool == super::tools::PATCH => output.unwrapped(),
            _ => output,
        };
        if tool == SCRIPT
            && let Some(key) = self.scripts.ends(&output.call_id)
        {
            self.at_hand(&at).wrote_aside(&key, at.line);
        }
        let Output { call_id, text, told } = output;
        self.run.with(|live, shared| live.result(&call_id, (text, told), at, shared));
    }

    /// Notes whether a command goes on beyond its answer.
    fn goes_on(&mut self, output: Output) -> Output {
        let begun = self.sessions.get(&output.call_id).cloned();
        if let Some(session) = output.session() {
            self.sessions.insert(output.call_id.clone(), session.to_owned());
            let task = session.to_owned();
            self.run.with(|live, _| live.starts(task));
        } else if let (Some(session), true) = (begun, output.has_exited()) {
            self.run.with(|live, _| live.ends(&session));
        }
        output
    }

    fn ending(&mut self, ending: Ending, at: Position) {
        let Ending { call, text, told, process, agents, of } = ending;
        agents.into_iter().for_each(|activity| self.activity(activity));
        if of == Of::Nobody {
            return;
        }
        if self.run.live().is_none() || self.turns.is_pending() {
            self.turns_at_hand(&at);
        }
        let session = self.sessions.get(&call.id).cloned().or(process);
        let scripts = &mut self.scripts;
        self.run.with(|live, shared| {
            session.iter().for_each(|session| live.ends(session));
            if live.made(&call.id) {
                live.tell(&call.id, told, at.line);
            } else if of == Of::Call {
                scripts.called();
                live.aside(call, (text, told), at, shared);
            }
        });
    }

    fn activity(&mut self, activity: Activity) {
        let Activity { agent, works } = activity;
        self.run.with(|live, _| if works { live.starts(agent) } else { live.ends(&agent) });
    }
}
