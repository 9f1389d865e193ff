//! Every word on the wire, and every message of an error, listed once.

use quittance_evidence::Contract;
use quittance_judge::Action;
use quittance_judge::abandonment::AbandonmentCause;
use quittance_judge::directive::FeedbackDelivery;
use quittance_judge::feedback::{FeedbackAction, Suppression};
use quittance_judge::gap::GapClass;
use quittance_judge::gate::GateReason;
use quittance_judge::ledger::RowStatus;
use quittance_judge::machine::{Failure, Why};
use quittance_judge::outcome::Outcome;
use quittance_judge::policy::{JudgeConfig, Slot};
use quittance_judge::precheck::PrecheckAction;
use quittance_judge::reply::{GoalKind, JudgeWord, REPLY_BYTES_MAX, read_live};
use quittance_judge::turn::RefusalCap;
use quittance_judge::verdict::{JudgeOutcome, Rule, Source, VerdictWord};
use serde::Serialize;
use serde_json::{Value, json};

/// The words of an enum, each as it is written and as it is serialized.
fn words<T: Serialize + Copy>(all: &[T], as_str: impl Fn(T) -> &'static str) -> String {
    let words = all.iter().map(|word| {
        let written = serde_json::to_value(word).expect("a word");
        assert_eq!(written, as_str(*word));
        as_str(*word)
    });
    words.collect::<Vec<_>>().join(" ")
}

fn serialized<T: Serialize>(all: &[T]) -> String {
    let word = |one: &T| serde_json::to_value(one).expect("a word").as_str().map(str::to_owned);
    all.iter().filter_map(word).collect::<Vec<_>>().join(" ")
}

/// One line for each enum.
fn listing(enums: &[(&str, String)]) -> String {
    let lines = enums.iter().map(|(name, words)| format!("{name}: {words}"));
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn words_on_the_wire() {
    let whys: Vec<&str> = Why::ALL.into_iter().map(Why::as_str).collect();
    let judges: Vec<&str> = JudgeWord::ALL.into_iter().map(JudgeWord::as_str).collect();
    let failures: Vec<&str> = Failure::ALL.into_iter().map(Failure::as_str).collect();
    let options: Vec<&str> = Slot::ALL.into_iter().map(Slot::option).collect();
    let ends = JudgeOutcome::ALL.into_iter().filter_map(JudgeOutcome::terminal_reason);
    insta::assert_snapshot!(listing(&[
        ("action", words(&Action::ALL, Action::as_str)),
        ("outcome", words(&Outcome::ALL, Outcome::as_str)),
        ("abandonment", words(&AbandonmentCause::ALL, AbandonmentCause::as_str)),
        ("gap class", words(&GapClass::ALL, GapClass::as_str)),
        ("row status", words(&RowStatus::ALL, RowStatus::as_str)),
        ("goal kind", words(&GoalKind::ALL, GoalKind::as_str)),
        ("verdict", words(&VerdictWord::ALL, VerdictWord::as_str)),
        ("source", words(&Source::ALL, Source::as_str)),
        ("judge outcome", words(&JudgeOutcome::ALL, JudgeOutcome::as_str)),
        ("judge end", ends.collect::<Vec<_>>().join(" ")),
        ("rule", words(&Rule::ALL, Rule::as_str)),
        ("gate reason", words(&GateReason::ALL, GateReason::as_str)),
        ("slot", words(&Slot::ALL, Slot::as_str)),
        ("slot option", options.join(" ")),
        ("judge word", judges.join(" ")),
        ("why asked", whys.join(" ")),
        ("failure", failures.join(" ")),
    ]), @r#"
    action: accept continue stop_unverified stop_verified
    outcome: waiting stopped refused unverified abandoned unadjudicated verified accepted
    abandonment: required_tool_missing no_tool_call_succeeded declared_artifact_missing
    gap class: missing_artifact unmet_manner_clause failed_verification unresolved_authorization other none
    row status: met unmet missing unsupported
    goal kind: achieved partially_achieved not_achieved unknown
    verdict: done continue unavailable
    source: deterministic llm gate catalog completion_precheck policy
    judge outcome: skipped_verified_after_write skipped_light_scrutiny skipped_precheck skipped_empty_answer admission_refused model_unconfigured route_unavailable timeout error
    judge end: completion_judge_deadline_admission_refused completion_judge_model_unconfigured completion_judge_route_unavailable completion_judge_deadline_timeout completion_judge_error
    rule: completion_requirements_pending completion_judge_gap_contradicts_done failed_verification_contradicted_by_gate gap_contradicts_done_survived_reask_over_passing_verifier
    gate reason: no_source_write verification_after_write_red failed_verification repeated_verification_failures verified_after_write verified missing_verification no_workspace_write wrote_source_no_oracle gate_abstain facts_unavailable verifier_unavailable stale_verification non_discriminating_verification required_failure_unobserved requirements_unmet veto_budget_exhausted deadline
    slot: verification completion
    slot option: verify_completion_judge turn_end_condition
    judge word: done continue
    why asked: first retry itemize contradiction ungrounded_quote done_sentinel
    failure: timeout auth environment other
    "#);
}

#[test]
fn words_of_feedback() {
    insta::assert_snapshot!(listing(&[
        (
            "delivery",
            serialized(&[
                FeedbackDelivery::None,
                FeedbackDelivery::Deferred,
                FeedbackDelivery::Delivered,
            ]),
        ),
        (
            "feedback",
            serialized(&[FeedbackAction::Inform, FeedbackAction::Continue, FeedbackAction::Stop]),
        ),
        (
            "suppression",
            serialized(&[
                Suppression::EmptyContent,
                Suppression::UnchangedNextStep,
                Suppression::ByteIdenticalDuplicate,
                Suppression::ContradictedByStop,
            ]),
        ),
        (
            "precheck",
            serialized(&[
                PrecheckAction::FullJudge,
                PrecheckAction::Continue,
                PrecheckAction::ControlStop,
            ]),
        ),
    ]), @r#"
    delivery: none deferred delivered
    feedback: inform continue stop
    suppression: empty_content unchanged_next_step byte_identical_duplicate contradicted_by_stop
    precheck: full_judge continue control_stop
    "#);
}

fn config(value: &Value) -> String {
    JudgeConfig::normalize(value).expect_err("an error").to_string()
}

#[test]
fn messages_of_errors() {
    let unreadable = |text: &str| read_live(text).expect_err("an error").to_string();
    let two_rows =
        json!([{"requirement_id": "a", "name": "A"}, {"requirement_id": "a", "name": "B"}]);
    let contract = json!({"requirement_contract": {"requirements": two_rows}});
    assert!(Contract::from_value(&contract["requirement_contract"]).is_err());
    let messages = [
        config(&json!({"fail_open": true})),
        config(&json!({"max_invocations": "3"})),
        config(&json!({"timeout_ms": 0})),
        config(&contract),
        RefusalCap::new(0).expect_err("an error").to_string(),
        unreadable(""),
        unreadable(&"x".repeat(REPLY_BYTES_MAX + 1)),
        unreadable("[]"),
        unreadable("fine"),
        unreadable("{\"verdict\":"),
        unreadable("{\"verdict\":\"yes\"}"),
        unreadable("{\"verdict\":\"done\"}{\"verdict\":\"continue\"}"),
        unreadable("{\"verdict\":\"done\",\"gaps\":1}"),
    ];
    insta::assert_snapshot!(messages.join("\n"), @r#"
    read the judge: `fail_open` was removed; a judge that cannot answer never approves
    read the judge: `max_invocations` is a string, not an integer
    read the judge: `timeout_ms` is 0, less than 1
    read the judge: read requirement 1: id `a` is already taken by an earlier row
    refuse a turn 0 times: the cap lies between 1 and 7
    the reply is empty
    the reply is longer than 262144 bytes
    the reply is no JSON object
    the reply holds no object with a verdict
    the reply breaks off inside an object
    the verdict `yes` is neither `done` nor `continue`
    the reply holds more than one verdict
    the reply approves beside gaps that cannot be read
    "#);
}
