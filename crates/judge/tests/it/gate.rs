//! The gate over every combination of facts: what it confirms, and what it shows of the verifier.

use proptest::prelude::*;
use quittance_evidence::Contract;
use quittance_judge::gate::{
    ClosureVerdict, Facts, Gate, GateReason, OnExhausted, Streak, VerifierRun, Verify, VetoCounts,
    WriteCounts,
};
use quittance_judge::outcome::ClosureSaid;
use serde_json::{Value, json};

fn verifier_runs() -> Vec<VerifierRun> {
    let ran = |ok| Verify { ok, findings: "f".to_owned(), command: "make".to_owned() };
    vec![
        VerifierRun::NotRun,
        VerifierRun::Ran(Vec::new()),
        VerifierRun::Ran(vec![ran(true)]),
        VerifierRun::Ran(vec![ran(true), ran(false)]),
        VerifierRun::Unavailable,
        VerifierRun::Deadline,
    ]
}

fn each_facts(mut check: impl FnMut(&Facts)) {
    let writes = [None, Some((0, 0)), Some((0, 2)), Some((1, 0))];
    for (writes, verifier) in
        writes.iter().flat_map(|one| verifier_runs().into_iter().map(move |run| (one, run)))
    {
        for flags in 0_u8..64 {
            let flag = |bit: u8| flags & (1 << bit) != 0;
            check(&Facts {
                writes: writes.map(|(source, cosmetic)| WriteCounts { source, cosmetic, other: 0 }),
                verifier: verifier.clone(),
                command: "make".to_owned(),
                oracle_expected: flag(0),
                is_current: flag(1),
                discriminates: flag(2),
                needs_observed_failure: flag(3),
                saw_failure: flag(4),
                streak: flag(5).then_some(Streak { failures: 4, is_converging: false }),
                ..Facts::default()
            });
        }
    }
}

#[test]
fn a_pass_is_shown_only_where_its_word_is_taken_and_red_is_never_confirmed() {
    let mut seen = 0;
    for (requires_write, on_exhausted, used) in [
        (false, OnExhausted::StopUnverified, 0),
        (true, OnExhausted::StopUnverified, 0),
        (true, OnExhausted::StopUnverified, 9),
        (true, OnExhausted::Allow, 9),
    ] {
        let gate = Gate { requires_write, on_exhausted, ..Gate::default() };
        let counts = VetoCounts { total: used, ..VetoCounts::default() };
        each_facts(|facts| {
            seen += 1;
            let written = serde_json::to_value(facts).expect("facts");
            assert_eq!(serde_json::from_value::<Facts>(written).ok().as_ref(), Some(facts));
            let answer = gate.answer(facts, &counts);
            let verdict = ClosureVerdict::read(&answer.answer);
            let observed = answer.answer["verification"]["observed"].as_str().expect("a reading");
            let green = facts.verify().is_some_and(|verify| verify.ok);
            let is_taken = facts.is_current
                && facts.discriminates
                && (!facts.needs_observed_failure || facts.saw_failure);
            assert_eq!(observed == "passed", green && is_taken, "{facts:?}");
            if observed == "failed" {
                assert_ne!(verdict.said, ClosureSaid::Confirmed, "{facts:?}");
            }
            let stands = facts.saw_source() && facts.oracle_expected && observed != "passed";
            if stands {
                assert!(!verdict.confirm, "an unverified change never passes: {facts:?}");
            }
            if facts.verifier == VerifierRun::Deadline {
                assert_eq!(verdict.said, ClosureSaid::Ended, "{facts:?}");
            }
            assert_eq!(answer.charge.is_some(), verdict.said == ClosureSaid::Refused, "{facts:?}");
            if !verdict.confirm {
                assert!(!verdict.feedback.unwrap_or_default().is_empty(), "{facts:?}");
            }
        });
    }
    assert_eq!(seen, 4 * 4 * 6 * 64);
}

/// The reason and what was said, over facts that each rung of the ladder holds for.
fn reason(gate: &Gate, facts: &Facts) -> (String, ClosureSaid) {
    let verdict = ClosureVerdict::read(&gate.answer(facts, &VetoCounts::default()).answer);
    (verdict.reason.unwrap_or_default(), verdict.said)
}

#[test]
fn rows_of_the_gates_own_contract_outrank_a_pass() {
    let rows = json!({"requirements": [{
        "requirement_id": "build", "name": "It builds.", "evidence_roles": ["mutation_summary"],
    }]});
    let gate = Gate { contract: Contract::from_value(&rows).expect("rows"), ..Gate::default() };
    let green = VerifierRun::Ran(vec![Verify { ok: true, ..Verify::default() }]);
    let writes = Some(WriteCounts { source: 1, ..WriteCounts::default() });
    let open = Facts { writes, verifier: green, oracle_expected: true, ..Facts::default() };
    let unmet = GateReason::RequirementsUnmet.as_str().to_owned();
    assert_eq!(reason(&gate, &open), (unmet, ClosureSaid::Refused));
    let met = Facts {
        assessments: json!([{"requirement_id": "build", "met": true, "evidence_refs": [-3]}]),
        evidence: json!([{
            "evidence_index": -3, "role": "mutation_summary", "supports_completion": true,
            "summary": "Changed 1.", "representative_artifact_ids": ["a"],
            "artifact_count": 1, "artifact_set_digest": "sha256:aa",
        }]),
        ..open
    };
    let verified = GateReason::VerifiedAfterWrite.as_str().to_owned();
    assert_eq!(reason(&gate, &met), (verified, ClosureSaid::Confirmed));
}

#[test]
fn vetoes_before_a_write_are_over_once_something_is_written() {
    let gate = Gate { requires_write: true, max_vetoes: 1, ..Gate::default() };
    let unwritten = Facts { writes: Some(WriteCounts::default()), ..Facts::default() };
    let mut counts = VetoCounts::default();
    let charge = gate.answer(&unwritten, &counts).charge.expect("a veto");
    counts.charge(&charge);
    assert_eq!((counts.used(false), counts.used(true)), (1, 0));
    let spent = ClosureVerdict::read(&gate.answer(&unwritten, &counts).answer);
    assert_eq!(spent.said, ClosureSaid::Ended);
    let writes = Some(WriteCounts { source: 1, ..WriteCounts::default() });
    let written = Facts { writes, oracle_expected: true, ..unwritten };
    let again = ClosureVerdict::read(&gate.answer(&written, &counts).answer);
    assert_eq!(again.reason.as_deref(), Some("missing_verification"));
}

fn answers() -> impl Strategy<Value = Value> {
    let word = prop_oneof![
        Just(json!(true)),
        Just(json!(false)),
        Just(Value::Null),
        any::<i64>().prop_map(Value::from),
        "stop_unverified|passed|verified|gate_abstain|[a-z ]{0,4}".prop_map(Value::from),
    ];
    let reading = prop_oneof![
        word.clone(),
        (word.clone(), word.clone(), word.clone()).prop_map(|(observed, command, expected)| {
            json!({"observed": observed, "command": command, "oracle_expected": expected,
                   "discovery": {"state": expected}})
        }),
    ];
    let key = prop::sample::select(
        &["confirm", "action", "reason", "message", "trigger", "requirement_report"][..],
    );
    let record = (prop::collection::btree_map(key, word.clone(), 0..6), reading).prop_map(
        |(fields, reading)| {
            let mut record: serde_json::Map<String, Value> =
                fields.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
            record.insert("verification".to_owned(), reading);
            Value::Object(record)
        },
    );
    prop_oneof![word, record]
}

proptest! {
    /// Whatever a closure answers, only a literal `true` confirms, and an end has a reason.
    #[test]
    fn only_a_literal_true_confirms(answer in answers()) {
        let verdict = ClosureVerdict::read(&answer);
        if verdict.said == ClosureSaid::Confirmed {
            let says = answer == json!(true) || answer["confirm"] == json!(true);
            prop_assert!(says && !verdict.vetoed && verdict.terminal.is_none());
        }
        let ends = verdict.said == ClosureSaid::Ended;
        prop_assert_eq!(ends, verdict.terminal.is_some_and(|reason| !reason.trim().is_empty()));
    }
}
