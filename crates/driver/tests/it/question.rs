//! A judge's question, as the machine puts it.

use quittance_evidence::contract::Contract;
use quittance_evidence::snapshot::Boundary;
use quittance_evidence::{EvidenceBuilder, ToolCatalogue};
use quittance_judge::machine::{JudgeQuestion, Progress, Proposal, open};
use quittance_judge::policy::{JudgeConfig, PerSlot, Policy, Slot};
use quittance_obligations::Obligations;

use crate::golden;

/// The question of a slot about a run that was asked to fix a parser.
pub(crate) fn of(slot: Slot) -> JudgeQuestion {
    asked(slot, None)
}

/// The same under a contract of one row.
pub(crate) fn under_contract() -> JudgeQuestion {
    asked(Slot::Completion, contract())
}

/// The contract of one row.
pub(crate) fn contract() -> Option<Contract> {
    let rows = golden::input("judges/openai_contract_nullable", "contract.json");
    Contract::from_value(&serde_json::from_str(&rows).unwrap()).unwrap()
}

fn asked(slot: Slot, contract: Option<Contract>) -> JudgeQuestion {
    let boundary = Boundary {
        task: "Fix the parser.".to_owned(),
        stop_reason: "natural".to_owned(),
        text: "Fixed.".to_owned(),
        ..Boundary::default()
    };
    let snapshot = EvidenceBuilder::new(ToolCatalogue::default()).snapshot(boundary);
    let owed = Obligations::of_session(&[], &[], "Fix the parser.");
    let judge =
        JudgeConfig { model: Some("judge-model".to_owned()), contract, ..JudgeConfig::standard() };
    let mut judges = PerSlot::default();
    *judges.get_mut(slot) = Some(judge);
    let policy = Policy { judges, ..Policy::default() };
    match open(Proposal::new(snapshot, owed, policy), 0) {
        Progress::Judge(asked) => asked.question().clone(),
        other => panic!("{} is not asked: {other:?}", slot.as_str()),
    }
}
