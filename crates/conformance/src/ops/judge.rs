//! Operations of `quittance-judge`, each a reading of its arguments and one call.

use quittance_evidence::contract::Contract;
use quittance_evidence::value;
use quittance_evidence::verification::Observed;
use quittance_judge::admit::{Request, admit};
use quittance_judge::gap::{GapClass, unattributed};
use quittance_judge::gate::{
    Budgeted, Derived, GateReason, LadderVerdict, Streak, Verify, WriteCounts, WriteFact,
    WriteKind, apply_budget, classify_writes, climb, combine_verify,
};
use quittance_judge::ledger::{PacketIndex, Report};
use quittance_judge::reply::{Decoded, Evidence, clamp_detail};
use quittance_judge::verifier::{TerminalReading, VerifierReading};
use serde_json::{Value, json};

use super::{arg, text};

pub(super) fn to_value(record: &impl serde::Serialize) -> Result<Value, String> {
    serde_json::to_value(record).map_err(|error| error.to_string())
}

pub(super) fn flag(args: &Value, key: &str) -> bool {
    *arg(args, key) == Value::Bool(true)
}

fn contract(args: &Value, key: &str) -> Result<Option<Contract>, String> {
    Contract::from_value(arg(args, key)).map_err(|error| error.to_string())
}

pub(super) fn requirements_report(args: &Value) -> Result<Value, String> {
    let contract = contract(args, "contract")?;
    let packet = PacketIndex::of(arg(args, "packet"));
    let rows = Some(arg(args, "rows"));
    Ok(json!({
        "report": contract.as_ref().map(|contract| Report::assess(contract, rows, &packet)),
        "omitted": Report::is_omitted(contract.as_ref(), rows),
        "unassessed": Report::unassessed(contract.as_ref()),
    }))
}

pub(super) fn verdict_read(args: &Value) -> Result<Value, String> {
    let contract = contract(args, "contract")?;
    let packet = PacketIndex::of(arg(args, "packet"));
    let decoded = Decoded::read(arg(args, "reply"), contract.as_ref(), &packet);
    let evidence = Evidence::of_text(text(args, "evidence"));
    Ok(json!({
        "contradicts": decoded.contradicts_itself(),
        "refuses_without_gap": decoded.refuses_without_a_gap(),
        "unattributed": unattributed(&decoded.gaps),
        "ungrounded": evidence.ungrounded(&decoded.gaps),
        "decoded": decoded,
    }))
}

pub(super) fn verdict_clamp_detail(args: &Value) -> Result<Value, String> {
    Ok(clamp_detail(arg(args, "detail").as_str().ok_or("no detail")?).into())
}

pub(super) fn judge_gap_class(args: &Value) -> Result<Value, String> {
    to_value(&GapClass::read(args.get("value")))
}

pub(super) fn judge_admission(args: &Value) -> Result<Value, String> {
    let number = |key: &str| arg(args, key).as_i64().ok_or(format!("no {key}"));
    let admission = admit(Request {
        now_ms: number("now_ms")?,
        deadline_at_ms: arg(args, "deadline_at_ms").as_i64(),
        operation_budget_ms: number("operation_budget_ms")?,
        reserve_ms: number("reserve_ms")?,
    });
    to_value(&admission)
}

fn verifier(args: &Value) -> VerifierReading<'_> {
    VerifierReading {
        deterministic_invoked: flag(args, "deterministic_invoked"),
        deterministic_reason: text(args, "deterministic_reason"),
        oracle_expected: flag(args, "oracle_expected"),
        observed: match text(args, "observed") {
            "passed" => Observed::Passed,
            "failed" => Observed::Failed,
            _ => Observed::NotRun,
        },
    }
}

pub(super) fn judge_arbitration(args: &Value) -> Result<Value, String> {
    let verifier = verifier(args);
    let class = GapClass::read(args.get("gap_class"));
    let reasked = flag(args, "reasked");
    Ok(json!({
        "verification": verifier.overrules_failed_verification(class),
        "contradiction": verifier.overrules_contradiction(class, reasked),
    }))
}

pub(super) fn judge_typed_green(args: &Value) -> Result<Value, String> {
    let reading = arg(args, "reading");
    let count = |key: &str| {
        arg(reading, key).as_u64().and_then(|count| usize::try_from(count).ok()).unwrap_or_default()
    };
    let terminal = TerminalReading {
        verifier: verifier(reading),
        stop_reason: text(reading, "stop_reason"),
        final_text: text(reading, "final_text"),
        pending_effects: count("pending_tool_batch_effect_count"),
        open_rows: count("ledger_pending_count"),
    };
    Ok(terminal.is_typed_green().into())
}

fn integer(args: &Value, key: &str) -> Option<i64> {
    value::field(args, key).and_then(value::integer)
}

fn count(args: &Value, key: &str) -> u64 {
    integer(args, key).and_then(|count| u64::try_from(count).ok()).unwrap_or_default()
}

fn verify(value: &Value) -> Verify {
    let said = |key| value::text(value::field(value, key));
    Verify { ok: flag(value, "ok"), findings: said("findings"), command: said("command") }
}

pub(super) fn gate_ladder(args: &Value) -> Result<Value, String> {
    let facts = arg(args, "derived");
    let writes = WriteCounts {
        source: count(facts, "source_write_count"),
        cosmetic: count(facts, "cosmetic_write_count"),
        other: 0,
    };
    let derived = Derived {
        writes: flag(facts, "source_known").then_some(writes),
        requires_write: value::field(facts, "requires_write") != Some(&json!(false)),
        verify: value::field(facts, "verify").map(verify),
        oracle_expected: flag(facts, "oracle_expected"),
        streak: value::field(facts, "consecutive_failed_after_write").map(|failures| Streak {
            failures: value::integer(failures).unwrap_or_default(),
            is_converging: flag(facts, "verification_failures_converging"),
        }),
        escalation_threshold: integer(facts, "escalation_threshold").unwrap_or(3),
        escalation_target: value::field(facts, "escalation_target").map(value::display),
    };
    Ok(match climb(&derived) {
        LadderVerdict::Pass(reason) => json!({
            "ok": true, "reason": reason, "strict": null, "has_feedback": false,
            "escalation_recommended": null, "escalation_target": null,
        }),
        LadderVerdict::Refusal {
            reason,
            is_strict,
            feedback,
            escalation_recommended,
            escalation_target,
        } => json!({
            "ok": false, "reason": reason, "strict": is_strict,
            "has_feedback": !feedback.is_empty(),
            "escalation_recommended": escalation_recommended,
            "escalation_target": escalation_target,
        }),
    })
}

pub(super) fn gate_budget(args: &Value) -> Result<Value, String> {
    let given = arg(args, "verdict");
    let word = text(given, "reason");
    // The budget does not look at the reason; a word of the host's own passes through it.
    let known = GateReason::ALL.into_iter().find(|reason| reason.as_str() == word);
    let reason = known.unwrap_or(GateReason::GateAbstain);
    let is_ok = flag(given, "ok");
    let verdict = if is_ok {
        LadderVerdict::Pass(reason)
    } else {
        LadderVerdict::Refusal {
            reason,
            is_strict: flag(given, "strict"),
            feedback: String::new(),
            escalation_recommended: None,
            escalation_target: None,
        }
    };
    let max_vetoes = arg(args, "max_vetoes").as_i64().ok_or("no max_vetoes")?;
    Ok(match apply_budget(verdict, count(args, "vetoes_used"), max_vetoes) {
        Budgeted::Stands(_) => json!({"verdict": given, "charge": !is_ok}),
        Budgeted::Released { .. } => json!({
            "verdict": {
                "ok": true,
                "reason": GateReason::VetoBudgetExhausted,
                "converted_from": word,
            },
            "charge": false,
        }),
    })
}

pub(super) fn gate_combine_verify(args: &Value) -> Result<Value, String> {
    let verdicts: Vec<Verify> = match arg(args, "verify") {
        Value::Null => Vec::new(),
        Value::Array(verdicts) => verdicts.iter().map(verify).collect(),
        verdict => vec![verify(verdict)],
    };
    Ok(combine_verify(&verdicts).map_or(
        Value::Null,
        |verify| json!({"ok": verify.ok, "findings": verify.findings, "command": verify.command}),
    ))
}

pub(super) fn gate_classify_writes(args: &Value) -> Result<Value, String> {
    let writes = arg(args, "writes").as_array().into_iter().flatten();
    let writes: Vec<WriteFact> = writes
        .map(|write| WriteFact {
            path: value::text(value::field(write, "path")),
            kind: WriteKind::read(write.get("kind")),
        })
        .collect();
    let counts = classify_writes(&writes);
    Ok(json!({
        "source_write_count": counts.source,
        "cosmetic_write_count": counts.cosmetic,
        "other_write_count": counts.other,
    }))
}
