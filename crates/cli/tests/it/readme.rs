//! The README says what the program says.

use crate::run::{quittance, top};

#[test]
fn the_first_screen_is_what_is_printed() {
    let readme = std::fs::read_to_string(top().join("README.md")).unwrap();
    let args = ["check", "examples/false-done/session.jsonl"];
    let policy = ["--policy", "examples/false-done/quittance.toml"];
    let run = quittance(&top(), &[args, policy].concat());
    assert_eq!(run.code, 12);
    let command = format!("-- {} {}", args.join(" "), policy.join(" "));
    assert!(readme.contains(&format!("{command}\n{}```", run.stdout)), "{}", run.stdout);
}

#[test]
fn the_screen_of_a_standing_is_what_is_printed() {
    let readme = std::fs::read_to_string(top().join("README.md")).unwrap();
    let file = "golden/standing/empty_list_came_back_empty_undeclared/transcript.jsonl";
    let run = quittance(&top(), &["assess", file]);
    assert_eq!(run.code, 0);
    assert!(readme.contains(&format!("-- assess {file}\n{}```", run.stdout)), "{}", run.stdout);
}

#[test]
fn the_honest_example_is_verified_and_without_a_verifier_nobody_said_yes() {
    let case = top().join("examples/honest-done");
    let args = ["check", "session.jsonl", "--policy", "quittance.toml"];
    let run = quittance(&case, &args);
    assert_eq!(run.code, 0, "{}", run.stdout);
    let run = quittance(&case, &[&args[..], &["--no-verify"]].concat());
    assert_eq!(run.code, 13, "{}", run.stdout);
}
