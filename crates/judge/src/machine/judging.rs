//! One judge's stage: the first question, its one retry, and the further questions in their order.
//!
//! A further question is put once each, on the user turn, under the same prefix. One that cannot
//! be read changes nothing. All of them together are one invocation.

use std::sync::Arc;

use serde_json::{Value, json};

use quittance_evidence::canonical::Digest;

use super::checkpoint::{Admitted, CachedPrefix, Clock, Ended, Reply, admission, answered};
use super::opening::Terms;
use super::run::Run;
use super::settle::{Settled, settle};
use super::{AskedJudge, JudgeQuestion, Progress, Why};
use crate::ledger::{PacketIndex, Report, itemization_prompt};
use crate::policy::{JudgeConfig, Slot};
use crate::precheck::PrecheckResult;
use crate::prompt::{self, Prefix, Prompt};
use crate::record::{AdmissionReceipt, Envelope, ItemizationRetry, ReaskRetry, Record};
use crate::reply::{Decoded, Evidence, verdict_schema};
use crate::verdict::{JudgeOutcome, StageVerdict};

/// A stage in which a judge is being asked.
#[derive(Clone, Debug)]
pub(crate) struct Judging {
    slot: Slot,
    config: Arc<JudgeConfig>,
    precheck: Option<Box<PrecheckResult>>,
    prompt: Prompt,
    prompt_chars: usize,
    prefix: CachedPrefix,
}

/// A question that has been put.
#[derive(Clone, Debug)]
pub(super) struct Waiting {
    admission: Arc<AdmissionReceipt>,
    asked_at_ms: i64,
    record: Option<Box<OfRecord>>,
}

/// The reply of record so far, and the question that first got one.
#[derive(Clone, Debug)]
struct OfRecord {
    envelope: Arc<Envelope>,
    decoded: Decoded,
    /// Whether the judge, asked again, still assessed no row.
    is_omitted: bool,
    contradiction_reasked: bool,
    first: Ended,
}

impl OfRecord {
    fn reply(&self) -> &Value {
        self.envelope.data.as_ref().unwrap_or(&Value::Null)
    }

    /// The rows of the reply, of any shape.
    fn rows(&self) -> Option<&Value> {
        self.reply().get("requirement_report")
    }
}

impl Judging {
    /// Puts the first question.
    pub(super) fn begin(
        mut run: Box<Run>,
        slot: Slot,
        precheck: Option<Box<PrecheckResult>>,
    ) -> Progress {
        let terms = Arc::clone(&run.terms);
        let config = terms.policy.judges.get(slot).clone().unwrap_or_default();
        let prompt = first_prompt(&mut run, &terms, &config);
        let judging = Self {
            slot,
            config: Arc::new(config),
            precheck,
            prompt_chars: prompt.chars(),
            prefix: CachedPrefix::of(&prompt.system),
            prompt,
        };
        Box::new(judging).put(run, Why::First, "", None)
    }

    /// Puts a question. One that may not be put has ended without an answer.
    fn put(
        self: Box<Self>,
        mut run: Box<Run>,
        why: Why,
        addition: &str,
        record: Option<Box<OfRecord>>,
    ) -> Progress {
        let chars = self.prompt_chars.saturating_add(addition.chars().count());
        let model = run.terms.policy.model(self.slot);
        let clock = Clock { now_ms: run.now_ms, deadline_at_ms: run.terms.deadline_at_ms };
        match admission(model, &self.config, clock, chars, &mut run.events) {
            Err(ended) => self.ended(run, why, ended, record),
            Ok(Admitted { model, operation_budget_ms, provider_timeout_ms, receipt }) => {
                let user = format!("{}{addition}", self.prompt.user);
                let question = JudgeQuestion {
                    slot: self.slot,
                    why,
                    prompt: Prompt { user, ..self.prompt.clone() },
                    model,
                    operation_budget_ms,
                    provider_timeout_ms,
                };
                let asked_at_ms = run.now_ms;
                let waiting = Waiting { admission: receipt, asked_at_ms, record };
                Progress::Judge(AskedJudge { question, waiting, judging: self, run })
            }
        }
    }

    /// Takes a reply.
    pub(super) fn replied(
        self: Box<Self>,
        mut run: Box<Run>,
        why: Why,
        waiting: Waiting,
        reply: &Reply,
        now_ms: i64,
    ) -> Progress {
        run.now_ms = now_ms;
        let duration_ms = now_ms.saturating_sub(waiting.asked_at_ms);
        let admission = waiting.admission;
        let ended = answered(reply, &self.prefix, admission, duration_ms, &mut run.events);
        self.ended(run, why, ended, waiting.record)
    }

    fn ended(
        self: Box<Self>,
        mut run: Box<Run>,
        why: Why,
        ended: Ended,
        record: Option<Box<OfRecord>>,
    ) -> Progress {
        let Some(mut record) = record else { return self.first_ended(run, why, ended) };
        match why {
            Why::Itemize => self.itemized(&mut run, ended, &mut record),
            Why::First
            | Why::Retry
            | Why::Contradiction
            | Why::UngroundedQuote
            | Why::DoneSentinel => self.reasked(&mut run, why, ended, &mut record),
        }
        self.further(run, why, record)
    }

    /// Takes the end of the first question, or of its one retry.
    fn first_ended(self: Box<Self>, run: Box<Run>, why: Why, ended: Ended) -> Progress {
        if let Some(reply) = ended.reply() {
            let record = OfRecord {
                decoded: self.decode(&run, reply),
                envelope: Arc::clone(&ended.envelope),
                is_omitted: false,
                contradiction_reasked: false,
                first: ended,
            };
            self.further(run, Why::Retry, Box::new(record))
        } else if why == Why::First && ended.outcome == JudgeOutcome::Error {
            self.put(run, Why::Retry, "", None)
        } else {
            run.judged(self.slot, unanswered(ended), None, self.precheck)
        }
    }

    fn decode(&self, run: &Run, reply: &Value) -> Decoded {
        let index = PacketIndex::of(run.snapshot().packet());
        Decoded::read(reply, self.config.contract.as_ref(), &index)
    }

    /// Puts the next question that the reply of record calls for, or settles.
    fn further(self: Box<Self>, run: Box<Run>, after: Why, record: Box<OfRecord>) -> Progress {
        for why in Why::ALL.into_iter().filter(|why| *why > after) {
            if let Some(addition) = self.addition(&run, why, &record) {
                return self.put(run, why, &addition, Some(record));
            }
        }
        let settled = Settled {
            rows: record.rows(),
            decoded: &record.decoded,
            is_omitted: record.is_omitted,
            contradiction_reasked: record.contradiction_reasked,
        };
        let verdict = StageVerdict {
            judge_duration_ms: record.first.duration_ms,
            ..settle(&settled, &self.config)
        };
        let record = *record;
        let verdict = StageVerdict {
            admission: Some(record.first.admission),
            checkpoint: Some(record.first.envelope),
            ..verdict
        };
        run.judged(self.slot, verdict, record.decoded.requirement_report, self.precheck)
    }

    /// What a further question adds, when the reply of record calls for it.
    fn addition(&self, run: &Run, why: Why, record: &OfRecord) -> Option<String> {
        let decoded = &record.decoded;
        match why {
            Why::First | Why::Retry => None,
            Why::Itemize => {
                let contract = self.config.contract.as_ref();
                let is_due = decoded.is_done() && Report::is_omitted(contract, record.rows());
                contract.filter(|_| is_due).map(itemization_prompt)
            }
            Why::Contradiction => {
                decoded.contradicts_itself().then(|| prompt::CONTRADICTION.to_owned())
            }
            Why::UngroundedQuote if decoded.is_continue() => {
                let snapshot = run.snapshot();
                let evidence = Evidence::of_packet(snapshot.judge_evidence(), snapshot.packet());
                let quotes = evidence.ungrounded(&decoded.gaps);
                (!quotes.is_empty()).then(|| prompt::ungrounded(&quotes))
            }
            Why::DoneSentinel if decoded.is_continue() => {
                let sentinel = &run.terms.policy.done_sentinel;
                let criteria = decoded.sentinel_criteria(sentinel);
                (!criteria.is_empty()).then(|| prompt::sentinel(&criteria, sentinel))
            }
            Why::UngroundedQuote | Why::DoneSentinel => None,
        }
    }

    /// Takes the answer to the question for a report: a new reply of record only when it has one.
    fn itemized(&self, run: &mut Run, ended: Ended, record: &mut OfRecord) {
        let contract = self.config.contract.as_ref();
        let rows = ended.reply().map(|reply| reply.get("requirement_report"));
        let is_itemized = rows.is_some_and(|rows| !Report::is_omitted(contract, rows));
        let required = contract.map_or(0, |contract| contract.requirements().len());
        let retry = ItemizationRetry::new(required, ended.envelope.status, is_itemized);
        run.events.record(Record::Itemization(retry));
        record.is_omitted = !is_itemized;
        if is_itemized {
            self.replace(run, ended, record);
        }
    }

    /// Takes the answer to one of the other questions: any reply becomes the one of record.
    fn reasked(&self, run: &mut Run, why: Why, ended: Ended, record: &mut OfRecord) {
        let retry = ReaskRetry::new(why, ended.envelope.status, ended.envelope.ok);
        run.events.record(Record::Reask(retry));
        record.contradiction_reasked |= why == Why::Contradiction;
        self.replace(run, ended, record);
    }

    fn replace(&self, run: &Run, ended: Ended, record: &mut OfRecord) {
        if let Some(reply) = ended.reply() {
            record.decoded = self.decode(run, reply);
            record.envelope = ended.envelope;
        }
    }
}

fn unanswered(ended: Ended) -> StageVerdict {
    let why = ended.envelope.error.as_deref().unwrap_or_default();
    let verdict = StageVerdict::unavailable(ended.outcome, why);
    StageVerdict {
        judge_duration_ms: ended.duration_ms,
        admission: Some(ended.admission),
        checkpoint: Some(ended.envelope),
        ..verdict
    }
}

fn first_prompt(run: &mut Run, terms: &Terms, config: &JudgeConfig) -> Prompt {
    let system = system(run, terms, config);
    let index = PacketIndex::of(run.snapshot().packet());
    let schema = verdict_schema(config.contract.as_ref(), &index);
    let parts = Prefix {
        config,
        system: &system,
        rubric: &terms.policy.rubric,
        task: &run.snapshot().boundary().task,
        obligations: &terms.obligations,
    };
    let user = prompt::user(run.snapshot(), &terms.earlier);
    Prompt { system: prompt::prefix(parts, &schema).into(), user, schema: Arc::new(schema) }
}

/// The judge's system text; a goal's own, under the obligations, where it was given one.
fn system(run: &mut Run, terms: &Terms, config: &JudgeConfig) -> String {
    let Some(goal) = &config.goal else { return config.system.clone() };
    let Some(retarget) = terms.obligations.retarget() else { return goal.system() };
    let current = goal.retargeted(&retarget.objective);
    let record = json!({
        "schema": "harn.goal_criteria_retired.v1",
        "kind": "goal_criteria_retired",
        "control_id": retarget.control_id,
        "message_id": retarget.message_id,
        "objective": current.objective,
        "previous_objective": goal.objective,
        "retired": goal.pinned_criteria(),
    });
    let digest = Digest::of(&record).to_string();
    let recorded = &mut run.history.retired_goals;
    if !goal.success_criteria.is_empty() && !recorded.contains(&digest) {
        recorded.push(digest);
        run.events.record(Record::GoalCriteriaRetired(record));
    }
    current.system()
}
