//! A boundary from files: the answers that a world would give, written down.
//!
//! A case is a folder: `session.jsonl` (the transcript), `quittance.toml` (the policy; none, nothing
//! is declared) and `world.json`:
//! `{"disk": {PATH: STATUS}, "verifier": {...}, "judge": [REPLY | {"failed": WORD}], "took_ms": N,
//! "deadline_ms": N, "kind": KIND, "undecided": CAUSE, "before": {...}, "host": {"candidate", "waiting"}}`, every key optional.

use std::collections::VecDeque;
use std::io::Cursor;
use std::path::Path;

use async_trait::async_trait;
use quittance_artifacts::{Probe, Recorded, Sighting, Status};
use quittance_driver::policy::VerifyPolicy;
use quittance_driver::{Adjudicated, Before, Case, EffectivePolicy, Effects, HostSays, adjudicate};
use quittance_evidence::verification::Observed;
use quittance_evidence::{EvidenceBuilder, canonical};
use quittance_hosts::{ReadOptions, Session};
use quittance_judge::machine::{Failure, JudgeQuestion, Reply};
use quittance_ledger::{Ended, JudgeKind, TapeEntry, VerifierRecord};
use serde_json::Value;

/// A case's files.
#[derive(Debug)]
pub(crate) struct World {
    pub(crate) transcript: Vec<u8>,
    pub(crate) policy: EffectivePolicy,
    pub(crate) facts: Value,
}

impl World {
    pub(crate) fn read(folder: &Path) -> Self {
        let text = |name: &str| std::fs::read_to_string(folder.join(name));
        let policy = text("quittance.toml").unwrap_or_else(|_| "version = 1".to_owned());
        let policy = EffectivePolicy::parse(&policy)
            .unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        let facts = text("world.json").map_or(Value::Null, |text| {
            serde_json::from_str(&text)
                .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        });
        Self { transcript: std::fs::read(folder.join("session.jsonl")).unwrap(), policy, facts }
    }

    pub(crate) fn session(&self) -> Session<EvidenceBuilder> {
        let options = ReadOptions { tools: self.policy.policy.tools.clone(), ..Default::default() };
        quittance_hosts::read(Cursor::new(self.transcript.as_slice()), options).unwrap()
    }

    /// The boundary, with the answers written down.
    pub(crate) fn adjudicate(&self) -> Adjudicated {
        self.adjudicate_with(&mut Scripted::of(&self.facts))
    }

    pub(crate) fn adjudicate_with(&self, effects: &mut dyn Effects) -> Adjudicated {
        let before = Before {
            turn: match self.facts.get("before") {
                Some(turn) => serde_json::from_value(turn.clone()).unwrap(),
                None => Default::default(),
            },
            deadline_ms: self.facts["deadline_ms"].as_i64(),
            standing: Value::Null,
            undecided: self.facts["undecided"].as_str().map(str::to_owned),
        };
        let case = Case::open(self.session(), self.host(), &self.policy.policy, &self.disk());
        block_on(adjudicate(case, &self.policy, before, effects))
    }

    fn host(&self) -> HostSays {
        let host = &self.facts["host"];
        let waiting = host["waiting"].as_array().into_iter().flatten();
        HostSays {
            candidate: host["candidate"].as_str().map(str::to_owned),
            waiting: waiting.filter_map(Value::as_str).map(str::to_owned).collect(),
        }
    }

    fn disk(&self) -> impl Probe + use<> {
        let seen = self.facts["disk"].as_object().cloned().unwrap_or_default();
        let sighting = |word: &Value| match word.as_str().unwrap() {
            "present" => Sighting::bare(Status::PresentFile),
            "missing" => Sighting::bare(Status::Missing),
            "unverifiable" => Sighting::bare(Status::StatError),
            other => panic!("no such status: {other}"),
        };
        seen.iter().map(|(path, word)| (path.clone(), sighting(word))).collect::<Recorded>()
    }
}

/// Answers that were written down; anything else fails the test.
pub(crate) struct Scripted {
    verifier: Option<Value>,
    judge: VecDeque<Value>,
    kind: JudgeKind,
    took_ms: i64,
    now_ms: i64,
}

impl Scripted {
    pub(crate) fn of(facts: &Value) -> Self {
        Self {
            verifier: facts.get("verifier").cloned(),
            judge: facts["judge"].as_array().cloned().unwrap_or_default().into(),
            kind: match facts["kind"].as_str() {
                None => JudgeKind::Provider,
                Some(word) => serde_json::from_value(word.into()).unwrap(),
            },
            took_ms: facts["took_ms"].as_i64().unwrap_or(0),
            now_ms: 0,
        }
    }
}

#[async_trait]
impl Effects for Scripted {
    async fn verify(&mut self, verify: &VerifyPolicy) -> VerifierRecord {
        let record = self.verifier.take().expect("the verifier is run, and the case has none");
        self.now_ms += self.took_ms;
        verifier_record(verify, &record, self.now_ms)
    }

    async fn ask(&mut self, question: &JudgeQuestion) -> TapeEntry {
        let before = self.now_ms;
        self.now_ms += self.took_ms;
        let reply = self.judge.pop_front().expect("a judge is asked, and the case has no reply");
        TapeEntry::new(question, self.kind, &reply_of(&reply), before, self.now_ms)
    }
}

fn verifier_record(verify: &VerifyPolicy, record: &Value, after_ms: i64) -> VerifierRecord {
    let word = record["ended"].as_str().unwrap_or("exited");
    let ended: Ended = serde_json::from_value(word.into()).unwrap();
    let exit_status = record["exit"].as_i64();
    let reading = match (record["reading"].as_str(), exit_status) {
        (Some("not_run"), _) => Observed::NotRun,
        (None, Some(0)) => Observed::Passed,
        (None, Some(_)) => Observed::Failed,
        (None, None) => Observed::NotRun,
        (Some(other), _) => panic!("no such reading: {other}"),
    };
    VerifierRecord {
        exit_status,
        reading,
        cause: record["cause"].as_str().unwrap_or_default().to_owned(),
        findings: record["findings"].as_str().unwrap_or_default().to_owned(),
        after_ms,
        ..VerifierRecord::without_run(&verify.command.as_ref().unwrap().line(), ended)
    }
}

pub(crate) fn reply_of(reply: &Value) -> Reply {
    match reply {
        Value::String(text) => Reply::text(text.clone()),
        Value::Object(fields) if fields.contains_key("failed") => {
            let word = reply["failed"].as_str().unwrap();
            let failure = Failure::ALL.into_iter().find(|known| known.as_str() == word).unwrap();
            Reply::Failed { failure, message: "as written down".to_owned() }
        }
        object => Reply::text(canonical::to_text(object)),
    }
}

pub(crate) fn block_on<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    runtime.block_on(future)
}
