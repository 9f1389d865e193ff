//! Python projects: pytest where anything points to it, tox where it is set up, else the
//! language's own runner.

use super::{Check, Found, has_table};
use crate::init::facts::Facts;

const PROJECT: &str = "pyproject.toml";
/// What a Python project is known by.
const SIGNS: [&str; 8] = [
    PROJECT,
    "setup.py",
    "setup.cfg",
    "tox.ini",
    "pytest.ini",
    "requirements.txt",
    "Pipfile",
    "conftest.py",
];
/// Where tests usually lie.
const FOLDERS: [&str; 2] = ["tests", "test"];

pub(super) fn found(facts: &Facts) -> Option<Found> {
    let from = facts.first(&SIGNS).map(str::to_owned).or_else(|| {
        // A script with a test beside it needs no description.
        facts.has_any(is_test).then(|| "test_*.py".to_owned())
    })?;
    let mut checks = Vec::new();
    if uses_pytest(facts) || has_tests(facts) {
        checks.push(pytest(facts));
    }
    if uses_tox(facts) {
        checks.push(Check::of(["tox", "-q"]));
    }
    // It passes over tests that only pytest knows.
    if has_tests(facts) && !uses_pytest(facts) {
        checks.push(unittest(facts));
    }
    Some(Found::of("Python", &from, checks))
}

fn is_test(name: &str) -> bool {
    name.starts_with("test_") && name.to_ascii_lowercase().ends_with(".py")
}

fn has_tests(facts: &Facts) -> bool {
    facts.first(&FOLDERS).is_some() || facts.has_any(is_test)
}

fn uses_pytest(facts: &Facts) -> bool {
    facts.first(&["pytest.ini", "conftest.py"]).is_some()
        || facts.text(PROJECT).contains("pytest")
        || has_table(facts.text("setup.cfg"), "tool:pytest")
        || has_table(facts.text("tox.ini"), "pytest")
}

fn uses_tox(facts: &Facts) -> bool {
    let is_set_up = ["tox", "testenv"].iter().any(|name| has_table(facts.text("tox.ini"), name));
    is_set_up || has_table(facts.text(PROJECT), "tool.tox")
}

/// How the project's own Python is reached.
fn runner(facts: &Facts) -> Vec<&'static str> {
    const BY_LOCK: [(&str, [&str; 2]); 4] = [
        ("uv.lock", ["uv", "run"]),
        ("poetry.lock", ["poetry", "run"]),
        ("pdm.lock", ["pdm", "run"]),
        ("Pipfile.lock", ["pipenv", "run"]),
    ];
    let locked = BY_LOCK.into_iter().find(|(lock, _)| facts.has(lock));
    match locked {
        Some((_, [manager, run])) => vec![manager, run, "python"],
        None if facts.has(".venv") => vec![".venv/bin/python"],
        None => vec!["python3"],
    }
}

fn pytest(facts: &Facts) -> Check {
    let with = |rest: &[&'static str]| [runner(facts), rest.to_vec()].concat();
    let needs = Some(with(&["-m", "pytest", "--version"]));
    Check { command: with(&["-m", "pytest", "-q"]), needs }
}

fn unittest(facts: &Facts) -> Check {
    let start = facts.first(&FOLDERS).map_or_else(Vec::new, |folder| vec!["-s", folder]);
    let command = [runner(facts), vec!["-m", "unittest", "discover"], start].concat();
    Check { command, needs: None }
}
