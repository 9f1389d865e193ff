//! The policy file: what it may say, and the error for everything it may not.

use quittance_driver::Policy;
use quittance_driver::policy::EffectivePolicy;
use quittance_evidence::Requirement;

use crate::golden;

fn problem(text: &str) -> String {
    Policy::parse(text).unwrap_err().to_string()
}

#[test]
fn a_whole_file_is_read() {
    let policy = Policy::parse(
        r#"
        version = 1
        [contract]
        artifacts = ["dist/out.js", " dist/out.js ", "report.md"]
        required_tools = ["Write"]
        [[contract.requirements]]
        id = " build "
        name = "The release build passes."
        evidence = ["deterministic_verification"]
        [[contract.requirements]]
        id = "docs"
        name = "The docs say so."
        [tools."Bash"]
        verify = ["cargo test"]
        read_only = ["make -n"]
        "#,
    )
    .unwrap();
    assert_eq!(policy.contract.artifacts.paths(), ["dist/out.js", "report.md"]);
    assert_eq!(policy.contract.required_tools, ["Write"]);
    let contract = policy.contract.requirements.unwrap();
    let ids: Vec<&str> = contract.requirements().iter().map(Requirement::id).collect();
    assert_eq!(ids, ["build", "docs"]);
    assert_eq!(contract.requirements()[1].roles().len(), 2);
    assert!(policy.tools.verify["Bash"].contains("cargo test"));
    assert!(policy.tools.read_only["Bash"].contains("make -n"));
}

#[test]
fn every_section_is_read_and_goes_into_the_receipt_and_back() {
    let file = golden::folder().join("policy/whole_read/quittance.toml");
    let policy = EffectivePolicy::parse(&std::fs::read_to_string(file).unwrap()).unwrap();
    let record = policy.to_value();
    golden::pin("policy/whole_read", "policy", &golden::pretty(&record));
    let mut back = EffectivePolicy::from_value(&record).unwrap();
    assert_eq!(back.to_value(), record);
    back.policy.receipts = policy.policy.receipts.clone();
    assert_eq!(back, policy);
}

#[test]
fn a_receipt_names_no_tape_and_no_ledger() {
    let text = "version = 1\n[judge.completion]\ntape = \"/folks/u/replies.jsonl\"\n\
                [receipts]\nledger = \"/folks/u/ledger.db\"";
    let record = EffectivePolicy::parse(text).unwrap().to_value().to_string();
    assert!(!record.contains("/folks/u"), "{record}");
    assert!(record.contains(r#""kind":"tape""#), "{record}");
}

#[test]
fn a_file_may_declare_nothing() {
    assert_eq!(Policy::parse("version = 1").unwrap(), Policy::default());
    assert!(Policy::parse("version = 1\n[contract]\nartifacts = []\nrequirements = []").is_ok());
}

#[test]
fn every_problem_names_line_key_and_cause() {
    let file = golden::folder().join("policy/broken_refused/texts.json");
    let texts: Vec<String> = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    let problems = texts.iter().map(|text| problem(text)).collect::<Vec<_>>().join("\n");
    golden::pin("policy/broken_refused", "problems", &problems);
}
