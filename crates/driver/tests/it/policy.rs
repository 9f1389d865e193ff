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

const WHOLE: &str = r#"
version = 1
[contract]
artifacts = ["dist/out.js"]
[[contract.requirements]]
id = "build"
name = "The release build passes."
evidence = ["deterministic_verification"]
[verify]
command = ["cargo", "test", "--quiet"]
timeout_s = 30
when = "after_write"
requires_write = true
cosmetic = ["**/*.md"]
[gate]
max_vetoes = 2
on_exhausted = "allow"
[judge.verification]
command = "my-judge --strict"
[judge.completion]
provider = "anthropic"
model = "claude"
max_invocations = 1
operation_timeout_ms = 1000
deadline_reserve_ms = 0
rubric = ""
[stop]
max_refusals = 7
[tools.Bash]
verify = ["cargo test"]
[hook]
deadline_s = 60
[receipts]
ledger = "ledger.db"
[redact]
patterns = [{ name = "token", regex = "tok_[a-z0-9]+" }]
"#;

#[test]
fn every_section_is_read_and_goes_into_the_receipt_and_back() {
    let policy = EffectivePolicy::parse(WHOLE).unwrap();
    let record = policy.to_value();
    golden::pin("policy/whole_read", "policy", &golden::pretty(&record));
    let mut back = EffectivePolicy::from_value(&record).unwrap();
    assert_eq!(back.to_value(), record);
    back.policy.receipts = policy.policy.receipts.clone();
    assert_eq!(back, policy);
}

#[test]
fn a_receipt_names_no_tape_and_no_ledger() {
    let text = "version = 1\n[judge.completion]\ntape = \"/home/u/replies.jsonl\"\n\
                [receipts]\nledger = \"/home/u/ledger.db\"";
    let record = EffectivePolicy::parse(text).unwrap().to_value().to_string();
    assert!(!record.contains("/home/u"), "{record}");
    assert!(record.contains(r#""kind":"tape""#), "{record}");
}

#[test]
fn a_file_may_declare_nothing() {
    assert_eq!(Policy::parse("version = 1").unwrap(), Policy::default());
    assert!(Policy::parse("version = 1\n[contract]\nartifacts = []\nrequirements = []").is_ok());
}

#[test]
fn every_problem_names_line_key_and_cause() {
    let problems = [
        "",
        "version = 2",
        "version = \"1\"",
        "version = 1\nversion = 1",
        "version = 1\n[contract]\nartefacts = []",
        "version = 1\n[contrat]\n",
        "version = 1\n[verify]\ncommand = []",
        "version = 1\n[verify]\ncommand = [\" \", \"x\"]",
        "version = 1\n[verify]\nwhen = \"always\"",
        "version = 1\n[verify]\nwhen = \"sometimes\"",
        "version = 1\n[verify]\ncommand = 3",
        "version = 1\n[verify]\ncommand = \"true\"\ntimeout_s = 0",
        "version = 1\n[verify]\ncommand = \"true\"\ncosmetic = [\"a[\"]",
        "version = 1\n[verify]\ncommand = \"true\"\nrequires_write = 1",
        "version = 1\n[gate]\nmax_vetoes = -1",
        "version = 1\n[gate]\non_exhausted = \"accept\"",
        "version = 1\n[stop]\nmax_refusals = 8",
        "version = 1\n[judge.completion]\nprovider = \"anthropic\"",
        "version = 1\n[judge.completion]\nmodel = \"m\"",
        "version = 1\n[judge.complete]\nmodel = \"m\"",
        "version = 1\n[judge.completion]\ncommand = \"j\"\ntape = \"t\"",
        "version = 1\n[judge.completion]\nbase_url = \"u\"\ntape = \"t\"\nmodel = \"m\"",
        "version = 1\n[judge.completion]\nprovider = \"openai\"\nmodel = \"m\"\napi_key = \"k\"",
        "version = 1\n[hook]\ndeadline_s = 0",
        "version = 1\n[redact]\npatterns = [{name = \"a\", regex = \"(\"}]",
        "version = 1\n[redact]\npatterns = [{name = \"a\", regex = \"x*\"}]",
        "version = 1\n[redact]\npatterns = [{name = \"a b\", regex = \"x\"}]",
        "version = 1\n[redact]\npatterns = [{name = \"a\"}]",
        "version = 1\n[contract]\nartifacts = \"dist/out.js\"",
        "version = 1\n[contract]\nartifacts = [\"a\",\n  5]",
        "version = 1\n[contract]\nartifacts = [\" \"]",
        "version = 1\n[contract]\nrequired_tools = [[]]",
        "version = 1\n[[contract.requirements]]\nname = \"x\"",
        "version = 1\n[[contract.requirements]]\nid = \"a\"\nname = \"x\"\nevidence = [\"tests\"]",
        "version = 1\n[[contract.requirements]]\nid = \"a\"\nname = \"x\"\nevidence = []",
        "version = 1\n[[contract.requirements]]\nid = \"a\"\nname = \"x\"\nnome = 1",
        "version = 1\n[[contract.requirements]]\nid = \"a\"\nname = \"x\"\n\
         [[contract.requirements]]\nid = \"a\"\nname = \"y\"",
        "version = 1\ntools = []",
        "version = 1\n[tools.Bash]\nverfy = []",
        "version = 1\n[tools]\nBash = 3",
        "version = \n",
        "verison = 1",
        "version = 1\n[[contract.requirements]]\nid = \"a\"\nnme = \"x\"",
    ]
    .map(problem)
    .join("\n");
    golden::pin("policy/broken_refused", "problems", &problems);
}
