//! Large inputs, on which anything quadratic would not come back.

use quittance_evidence::Contract;
use quittance_judge::ledger::{Boundary, PacketIndex, Report};
use quittance_judge::reply::{Decoded, Evidence, REPLY_BYTES_MAX, clamp_detail, read_live};
use serde_json::{Value, json};

const MANY: usize = 100_000;

fn rows(of: impl Fn(usize) -> Value) -> Value {
    (0..MANY).map(of).collect()
}

#[test]
fn a_ledger_of_many_rows_is_assessed_and_joined() {
    let requirements =
        rows(|at| json!({"requirement_id": format!("r{at}"), "name": format!("Row {at}.")}));
    let contract = Contract::from_value(&json!({"requirements": requirements}));
    let contract = contract.expect("a contract").expect("rows");
    let packet = json!({"requirement_evidence": rows(|at| json!({
        "evidence_index": at, "role": "assistant_output", "supports_completion": true,
        "summary": "said", "representative_artifact_ids": [],
    }))});
    let index = PacketIndex::of(&packet);
    let reported =
        rows(|at| json!({"requirement_id": format!("r{at}"), "met": true, "evidence_refs": [at]}));
    let report = Report::assess(&contract, Some(&reported), &index);
    assert!(report.is_complete());
    assert_eq!(index.eligible(&contract).len(), MANY);
    let joined = Boundary {
        gate: report.clone(),
        verification: Report::unassessed(Some(&contract)),
        completion: report,
    };
    assert_eq!(joined.report().pending_count(), MANY);
    let repeated = json!({"rows": rows(|at| json!({
        "requirement_id": "r", "name": "n", "met": true, "status": "met", "evidence_refs": [at],
    }))});
    let gate = Report::from_host(&repeated);
    let one = Boundary { gate, verification: Report::empty(), completion: Report::empty() };
    assert_eq!(one.report().rows().first().map(|row| row.evidence_refs.len()), Some(MANY));
}

#[test]
fn many_gaps_quotes_and_words_are_read() {
    let gaps =
        rows(|at| json!({"criterion": "c", "detail": "d", "evidence_quote": format!("q{at}")}));
    let reply = json!({"verdict": "continue", "gaps": gaps, "detail": "word ".repeat(MANY)});
    let decoded = Decoded::read(&reply, None, &PacketIndex::default());
    assert_eq!(decoded.gaps.len(), MANY);
    let shown = " q1 \n".repeat(200);
    assert!(Evidence::of_text(&shown).ungrounded(&decoded.gaps).len() > MANY - 20);
    assert!(clamp_detail(&" ".repeat(MANY)).ends_with("[truncated]"));
}

#[test]
fn text_made_to_defeat_the_search_ends() {
    for piece in ["{", "{\"a\":", "}", "{}", "{\"verdict\":1}", "\"{", "{\"a\":{x}}", "\\\"{"] {
        let text = piece.repeat(REPLY_BYTES_MAX / piece.len());
        assert!(read_live(&text).is_err(), "{piece}");
    }
}
