//! The operations of the vectors, each a reading of its arguments and one call.

use quittance_evidence::contract::Contract;
use quittance_judge::gap::{GapClass, unattributed};
use quittance_judge::ledger::{PacketIndex, Report};
use quittance_judge::reply::{Decoded, Evidence, clamp_detail};
use serde_json::{Value, json};

pub(crate) type Op = fn(&Value) -> Result<Value, String>;

/// The operation of a name, where it is one of ours.
pub(crate) fn find(op: &str) -> Option<Op> {
    Some(match op {
        "requirements.contract" => requirements_contract,
        "requirements.report" => requirements_report,
        "verdict.read" => verdict_read,
        "verdict.clamp_detail" => verdict_clamp_detail,
        "judge.gap_class" => judge_gap_class,
        _ => return None,
    })
}

pub(super) fn to_value(record: &impl serde::Serialize) -> Result<Value, String> {
    serde_json::to_value(record).map_err(|error| error.to_string())
}

fn contract(args: &Value, key: &str) -> Result<Option<Contract>, String> {
    Contract::from_value(&args[key]).map_err(|error| error.to_string())
}

fn requirements_contract(args: &Value) -> Result<Value, String> {
    to_value(&contract(args, "value")?)
}

fn requirements_report(args: &Value) -> Result<Value, String> {
    let contract = contract(args, "contract")?;
    let packet = PacketIndex::of(&args["packet"]);
    let rows = Some(&args["rows"]);
    Ok(json!({
        "report": contract.as_ref().map(|contract| Report::assess(contract, rows, &packet)),
        "omitted": Report::is_omitted(contract.as_ref(), rows),
        "unassessed": Report::unassessed(contract.as_ref()),
    }))
}

fn verdict_read(args: &Value) -> Result<Value, String> {
    let contract = contract(args, "contract")?;
    let packet = PacketIndex::of(&args["packet"]);
    let decoded = Decoded::read(&args["reply"], contract.as_ref(), &packet);
    let evidence = Evidence::of_text(args["evidence"].as_str().unwrap_or_default());
    Ok(json!({
        "contradicts": decoded.contradicts_itself(),
        "refuses_without_gap": decoded.refuses_without_a_gap(),
        "unattributed": unattributed(&decoded.gaps),
        "ungrounded": evidence.ungrounded(&decoded.gaps),
        "decoded": decoded,
    }))
}

fn verdict_clamp_detail(args: &Value) -> Result<Value, String> {
    Ok(clamp_detail(args["detail"].as_str().ok_or("no detail")?).into())
}

fn judge_gap_class(args: &Value) -> Result<Value, String> {
    to_value(&GapClass::read(args.get("value")))
}
