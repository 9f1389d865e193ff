//! The laws, over random policies, worlds, replies and earlier boundaries.
//!
//! A law is stated from the receipt and from what the world was told to answer, never from what
//! the machine thinks of it.

use std::sync::LazyLock;

use async_trait::async_trait;
use proptest::prelude::*;
use quittance_artifacts::{Recorded, Sighting, Status};
use quittance_driver::policy::VerifyPolicy;
use quittance_driver::{
    Adjudicated, Before, Case, EffectivePolicy, Effects, HostSays, adjudicate, replay,
};
use quittance_evidence::EvidenceBuilder;
use quittance_evidence::verification::Observed;
use quittance_hosts::{ReadOptions, Session};
use quittance_judge::machine::{Failure, JudgeQuestion, Reply, Usage};
use quittance_judge::outcome::Outcome;
use quittance_ledger::{Ended, JudgeKind, Receipt, TapeEntry, TurnState, VerifierRecord};
use serde_json::{Value, json};

use crate::golden;
use crate::world::block_on;

/// Sessions of every kind of end.
const SESSIONS: [&str; 10] = [
    "receipts/verifier_green_after_write_verified",
    "receipts/question_answered_verifier_not_due_unadjudicated",
    "receipts/own_check_passed_after_the_write_verified",
    "receipts/own_check_failed_refused",
    "receipts/earlier_turn_wrote_verified",
    "receipts/user_stopped_it_stopped",
    "hostile/answer_cut_at_its_limit_over_a_missing_artifact_unverified",
    "hostile/interrupt_of_an_older_build_is_no_stop_refused",
    "hostile/queue_line_of_nobody_refused",
    "hostile/write_in_a_line_too_deep_to_read_refused",
];

static TRANSCRIPTS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let read = |name: &&str| std::fs::read(golden::folder().join(name).join("session.jsonl"));
    SESSIONS.iter().map(|name| read(name).unwrap()).collect()
});

/// Everything a boundary is made of.
#[derive(Clone, Debug)]
struct Setting {
    session: usize,
    policy: String,
    disk: [Status; 2],
    verifier: Option<(Ended, Observed)>,
    replies: Vec<Reply>,
    took_ms: i64,
    deadline_ms: Option<i64>,
    before: Value,
    host: HostSays,
}

/// The answers, over and over; a judge without replies says nothing.
struct World {
    verifier: Option<(Ended, Observed)>,
    replies: Vec<Reply>,
    asked: usize,
    took_ms: i64,
    now_ms: i64,
}

#[async_trait]
impl Effects for World {
    async fn verify(&mut self, verify: &VerifyPolicy) -> VerifierRecord {
        self.now_ms = self.now_ms.saturating_add(self.took_ms);
        let (ended, reading) = self.verifier.unwrap_or((Ended::NotStarted, Observed::NotRun));
        let command = verify.command.as_ref().unwrap().line();
        let record = VerifierRecord::without_run(&command, ended);
        VerifierRecord { reading, findings: "It fails.".into(), after_ms: self.now_ms, ..record }
    }

    async fn ask(&mut self, question: &JudgeQuestion) -> TapeEntry {
        let before = self.now_ms;
        self.now_ms = self.now_ms.saturating_add(self.took_ms);
        let reply = self.replies.get(self.asked % self.replies.len().max(1));
        self.asked += 1;
        let silent = Reply::text("");
        TapeEntry::new(question, JudgeKind::Command, reply.unwrap_or(&silent), before, self.now_ms)
    }
}

impl Setting {
    fn policy(&self) -> EffectivePolicy {
        EffectivePolicy::parse(&self.policy).unwrap_or_else(|error| panic!("{error}"))
    }

    fn session(&self, policy: &EffectivePolicy) -> Session<EvidenceBuilder> {
        let options = ReadOptions { tools: policy.policy.tools.clone(), ..Default::default() };
        let bytes = TRANSCRIPTS[self.session].as_slice();
        quittance_hosts::read(std::io::Cursor::new(bytes), options).unwrap()
    }

    fn adjudicate(&self, turn: TurnState) -> Adjudicated {
        let policy = self.policy();
        let seen = ["dist/out.js", "report.md"].into_iter().zip(self.disk.clone());
        let disk: Recorded =
            seen.map(|(path, status)| (path.to_owned(), Sighting::bare(status))).collect();
        let case = Case::open(self.session(&policy), self.host.clone(), &policy.policy, &disk);
        let before = Before { turn, deadline_ms: self.deadline_ms, ..Before::default() };
        let mut world = World {
            verifier: self.verifier,
            replies: self.replies.clone(),
            asked: 0,
            took_ms: self.took_ms,
            now_ms: 0,
        };
        block_on(adjudicate(case, &policy, before, &mut world))
    }

    fn once(&self) -> Adjudicated {
        self.adjudicate(serde_json::from_value(self.before.clone()).unwrap())
    }
}

prop_compose! {
    fn policies()(
        artifacts in prop::bool::ANY,
        tools in prop::bool::weighted(0.2),
        rows in prop::collection::vec(0..4_usize, 0..3),
        when in prop::option::of(prop::sample::select(vec![
            "after_write", "always", "observed", "never",
        ])),
        requires_write in prop::bool::weighted(0.2),
        allow in prop::bool::ANY,
        vetoes in 0..4_u32,
        refusals in 1..=7_u32,
        judges in (prop::bool::weighted(0.4), prop::bool::weighted(0.7)),
        cap in 0..4_u32,
    ) -> String {
        let mut parts = vec!["version = 1\n[contract]".to_owned()];
        if artifacts {
            parts.push("artifacts = [\"dist/out.js\", \"report.md\"]".to_owned());
        }
        if tools {
            parts.push("required_tools = [\"Write\"]".to_owned());
        }
        parts.extend(rows.iter().enumerate().map(|(at, kind)| row(at, *kind)));
        if let Some(when) = when {
            let command = if when == "observed" { "" } else { "command = \"cargo test\"\n" };
            let requires = format!("requires_write = {requires_write}");
            parts.push(format!("[verify]\nwhen = \"{when}\"\n{command}{requires}"));
            parts.push("[tools.Bash]\nverify = [\"cargo test\"]".to_owned());
        }
        let on_exhausted = if allow { "allow" } else { "stop_unverified" };
        parts.push(format!("[gate]\nmax_vetoes = {vetoes}\non_exhausted = \"{on_exhausted}\""));
        let judges = [("verification", judges.0), ("completion", judges.1)];
        parts.extend(judges.iter().filter(|(_, is_declared)| *is_declared).map(|(slot, _)| {
            format!("[judge.{slot}]\ncommand = \"judge\"\nmax_invocations = {cap}")
        }));
        parts.push(format!("[stop]\nmax_refusals = {refusals}"));
        parts.join("\n")
    }
}

/// Kinds of rows, by the beginning of their ids, and the evidence each accepts.
const ROWS: [(&str, &str); 4] = [
    ("words", "\"assistant_output\""),
    ("check", "\"deterministic_verification\""),
    ("change", "\"mutation_summary\""),
    ("either", "\"assistant_output\", \"deterministic_verification\""),
];

fn row(at: usize, kind: usize) -> String {
    let (id, roles) = ROWS[kind];
    let head = format!("[[contract.requirements]]\nid = \"{id}{at}\"\nname = \"Row {at}.\"");
    format!("{head}\nevidence = [{roles}]")
}

fn statuses() -> impl Strategy<Value = Status> {
    prop_oneof![
        3 => Just(Status::PresentFile),
        1 => Just(Status::Missing),
        1 => Just(Status::StatError),
    ]
}

fn verifiers() -> impl Strategy<Value = Option<(Ended, Observed)>> {
    prop_oneof![
        3 => Just(Some((Ended::Exited, Observed::Passed))),
        2 => Just(Some((Ended::Exited, Observed::Failed))),
        1 => Just(Some((Ended::Exited, Observed::NotRun))),
        1 => Just(Some((Ended::Signaled, Observed::NotRun))),
        1 => Just(Some((Ended::Deadline, Observed::NotRun))),
        1 => Just(None),
    ]
}

/// Any JSON, with the words of a verdict among its keys and texts.
fn json_values() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        prop::sample::select(vec!["done", "continue", "accept", "none", "other", "words0"])
            .prop_map(Value::from),
        ".{0,12}".prop_map(Value::from),
    ];
    let keys = prop::sample::select(vec![
        "verdict",
        "detail",
        "gap_class",
        "gaps",
        "requirement_report",
        "requirement_id",
        "met",
        "evidence_refs",
        "goal_assessment",
        "criterion",
        "kind",
        "action",
        "confirm",
    ]);
    leaf.prop_recursive(4, 32, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(keys.clone().prop_map(str::to_owned), inner, 0..5)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

prop_compose! {
    fn verdicts()(
        word in prop::sample::select(vec!["done", "done", "done", "continue", "dоne"]),
        class in prop::option::of(prop::sample::select(vec![
            "none", "other", "failed_verification", "missing_artifact",
        ])),
        rows in prop::collection::vec(
            (prop::sample::select(vec!["words", "check", "change", "either"]), 0..3_usize,
             any::<bool>(), prop::collection::vec(-4..8_i64, 0..4)),
            0..4,
        ),
        reports in prop::bool::weighted(0.8),
        gap in prop::option::weighted(0.2, json_values()),
        extra in prop::option::weighted(0.1, json_values()),
    ) -> String {
        let mut reply = json!({"verdict": word, "detail": "So it is."});
        if let Some(class) = class {
            reply["gap_class"] = class.into();
        }
        if reports {
            reply["requirement_report"] = rows
                .into_iter()
                .map(|(kind, at, met, refs)| {
                    json!({"requirement_id": format!("{kind}{at}"), "met": met, "evidence_refs": refs})
                })
                .collect();
        }
        if let Some(gap) = gap {
            reply["gaps"] = json!([gap]);
        }
        if let Some(extra) = extra {
            reply["extra"] = extra;
        }
        reply.to_string()
    }
}

fn replies() -> impl Strategy<Value = Reply> {
    prop_oneof![
        5 => verdicts().prop_map(Reply::text),
        1 => (verdicts(), any::<u64>()).prop_map(|(text, tokens)| Reply::Text {
            text,
            usage: Usage { input_tokens: tokens, cache_read_tokens: u64::MAX, ..Usage::default() },
        }),
        2 => json_values().prop_map(|value| Reply::text(value.to_string())),
        1 => (verdicts(), ".{0,20}").prop_map(|(text, more)| Reply::text(text + &more)),
        1 => any::<String>().prop_map(Reply::text),
        1 => prop::sample::select(Failure::ALL.to_vec())
            .prop_map(|failure| Reply::Failed { failure, message: "no".into() }),
    ]
}

prop_compose! {
    fn befores()(
        invocations in (0..4_u64, 0..4_u64),
        unwritten in 0..4_u64,
        red in 0..4_u64,
        refused in 0..8_usize,
        covered in prop::option::of(0..9_u64),
    ) -> Value {
        let given: Vec<Value> = (0..refused)
            .map(|at| json!({"evidence_id": format!("sha256:{at:064}"), "feedback": "sha256:00"}))
            .collect();
        json!({
            "invocations": {"verification": invocations.0, "completion": invocations.1},
            "vetoes": {
                "total": unwritten + red,
                "by_reason": {"no_source_write": unwritten, "verification_after_write_red": red},
            },
            "history": {"step": {"next_step": "", "knowledge_state": ""}},
            "refusals": {"given": given},
            "covered": covered.map(|line| json!({"line": line, "command": "cargo test"})),
        })
    }
}

prop_compose! {
    fn settings()(
        session in 0..SESSIONS.len(),
        policy in policies(),
        disk in [statuses(), statuses()],
        verifier in verifiers(),
        replies in prop::collection::vec(replies(), 0..4),
        took_ms in prop::sample::select(vec![0, 900, 58_000, i64::MAX]),
        deadline_ms in prop::option::weighted(0.3, prop::sample::select(vec![0, 60_000, i64::MAX])),
        before in befores(),
        candidate in prop::option::weighted(0.2, prop_oneof![Just("Done.".to_owned()), ".{0,9}"]),
    ) -> Setting {
        let host = HostSays { candidate, waiting: Vec::new() };
        Setting { session, policy, disk, verifier, replies, took_ms, deadline_ms, before, host }
    }
}

/// Whether a reply, read by nobody's rules but JSON's, says `done` anywhere.
fn says_done(entry: &TapeEntry) -> bool {
    match entry.told.reply() {
        Reply::Text { text, .. } => text.contains("\"done\""),
        Reply::Failed { .. } => false,
    }
}

fn reading(receipt: &Receipt) -> Option<(Observed, bool)> {
    receipt.body().inputs.gate.as_ref().map(|gate| (gate.reading, gate.is_stale))
}

/// Whether a call of this turn is known to have changed a file, by the record of writes alone.
fn has_changed(receipt: &Receipt) -> bool {
    receipt.body().run["writes"].as_array().unwrap().iter().any(|write| {
        write["chain"] == "on" && write["path"].is_string() && write["succeeded"] != json!(0)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..Default::default() })]

    #[test]
    fn no_approval_over_what_no_model_decides(setting in settings()) {
        let made = setting.once();
        let receipt = &made.receipt;
        let body = receipt.body();
        prop_assert_eq!(receipt.status(), made.ruling.outcome.as_str());
        if made.ruling.outcome.approves() {
            let read = reading(receipt);
            let is_green = read == Some((Observed::Passed, false));
            prop_assert!(!matches!(read, Some((Observed::Failed, _))), "red");
            prop_assert!(!matches!(read, Some((_, true))), "stale");
            let missing = body.artifacts.as_ref().is_some_and(|audit| !audit.missing().is_empty());
            prop_assert!(!missing, "missing");
            let rows = &body.policy["effective"]["contract"]["requirements"]["requirements"];
            for row in rows.as_array().into_iter().flatten() {
                let id = row["requirement_id"].as_str().unwrap();
                prop_assert!(!id.starts_with("check") || is_green, "an unchecked row");
                prop_assert!(!id.starts_with("change") || has_changed(receipt), "an unchanged row");
                let pending = &body.directive["requirements"]["pending_count"];
                prop_assert_eq!(pending, &json!(0), "an open row");
            }
            prop_assert!(is_green || body.tape.iter().any(says_done), "nobody said yes");
            prop_assert_eq!(made.ruling.outcome == Outcome::Verified, is_green);
            prop_assert!(made.ruling.block.is_none() && made.ruling.unmet.is_none());
        }
        if ["cap", "repeat"].contains(&made.ruling.cause.as_str()) {
            prop_assert_eq!(made.ruling.outcome, Outcome::Unverified);
            prop_assert!(made.ruling.block.is_none());
        }
        let blocks = matches!(made.ruling.outcome, Outcome::Refused | Outcome::Abandoned);
        prop_assert_eq!(made.ruling.block.is_some(), blocks);
        prop_assert!(!made.ruling.block.is_some_and(|said| said.trim().is_empty()));
    }

    #[test]
    fn the_same_boundary_is_the_same_receipt_and_is_made_again_from_it(setting in settings()) {
        let made = setting.once().receipt;
        prop_assert_eq!(setting.once().receipt.id(), made.id());
        let parsed = Receipt::parse(&made.to_text()).unwrap();
        prop_assert_eq!(&parsed, &made);
        let session = setting.session(&setting.policy());
        let replayed = block_on(replay(&parsed, session, Value::Null)).unwrap();
        prop_assert_eq!(&replayed.differences, &[]);
        prop_assert_eq!(replayed.adjudicated.receipt.id(), made.id());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..Default::default() })]

    #[test]
    fn a_turn_is_refused_so_often_and_then_let_go(
        setting in settings(),
        rounds in prop::collection::vec((verifiers(), replies()), 12),
    ) {
        let cap = usize::from(setting.policy().policy.stop.max_refusals.get());
        let mut turn = TurnState::default();
        let mut blocks = 0;
        for (verifier, reply) in rounds {
            let round = Setting { verifier, replies: vec![reply], ..setting.clone() };
            let made = round.adjudicate(turn);
            blocks += usize::from(made.ruling.block.is_some());
            turn = made.after;
        }
        prop_assert!(blocks <= cap, "{blocks} of {cap}");
    }
}
