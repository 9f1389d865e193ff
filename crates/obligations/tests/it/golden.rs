//! One golden per rule: rows or messages in, every reading of the result out.

use std::fs;

use quittance_evidence::Contract;
use quittance_obligations::Obligations;
use serde_json::{Value, json};

fn readings(case: &Value) -> Value {
    let task = case["task"].as_str().unwrap();
    let owed = match (case["rows"].as_array(), case["messages"].as_array()) {
        (Some(rows), None) => Obligations::from_control_rows(rows, task),
        (None, Some(messages)) => Obligations::from_messages(messages, task),
        _ => panic!("a case has rows or messages"),
    };
    let contract = Contract::from_value(&case["contract"]).unwrap();
    json!({
        "obligations": owed,
        "digest": owed.digest_text(),
        "objective": owed.objective(task),
        "requirements": owed.requirements(contract),
        "prompt": owed.prompt().lines().collect::<Vec<_>>(),
    })
}

#[test]
fn golden() {
    insta::glob!("../../../../golden/obligations", "*/case.json", |path| {
        let case: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
        let mut settings = insta::Settings::clone_current();
        settings.set_snapshot_path(path.parent().unwrap());
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        // With the model client in the build, a JSON object keeps the order in which it was made.
        settings.set_sort_maps(true);
        settings.remove_snapshot_suffix();
        settings.remove_input_file();
        settings.bind(|| insta::assert_json_snapshot!("obligations", readings(&case)));
    });
}
