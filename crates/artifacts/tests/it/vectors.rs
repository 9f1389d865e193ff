//! The verdicts that the original gave when it was run.

use std::path::Path;

use quittance_artifacts::Status;
use serde_json::Value;

#[test]
fn every_verdict_is_the_originals() {
    let file = "../../../shared/vectors/completion.ndjson";
    let Ok(text) = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)) else {
        println!("skipped: no {file}");
        return;
    };
    let lines = text.lines().filter(|line| line.contains(r#""op":"artifacts."#));
    let mut seen = 0;
    for line in lines {
        let vector: Value = serde_json::from_str(line).unwrap();
        assert_eq!(vector["op"], "artifacts.verdict", "{line}");
        let status = Status::read(vector["args"]["status"].as_str().unwrap());
        assert_eq!(vector["expected"]["ok"], status.verdict().as_str(), "{line}");
        seen += 1;
    }
    assert!(seen >= 120, "only {seen} vectors");
}
