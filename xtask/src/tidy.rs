//! Rules of the house that no compiler checks.
//!
//! Each rule is a function from names and texts to findings, so a test can provoke it without a
//! disk; this file gathers the repository's files and runs them all.

use std::path::Path;

use crate::failure::{Failure, Finding};
use crate::files::{self, Text};

pub(crate) mod goldens;
mod machine;
mod manifest;
mod notes;
mod rust;

/// Runs every rule over the repository.
pub(crate) fn tidy(root: &Path) -> Result<(), Failure> {
    let paths = files::list(root)?;
    let texts = files::texts(root, &paths)?;
    let mut findings = goldens::orphans(&paths);
    findings.extend(goldens::misplaced(&paths));
    let machine = machine::Machine::here(root);
    for text in &texts {
        findings.extend(of_one_file(text, &machine));
    }
    println!("tidy: looked at {} files", paths.len());
    Failure::unless_empty(findings)
}

fn of_one_file(text: &Text, machine: &machine::Machine) -> Vec<Finding> {
    let mut findings = machine.paths(text);
    findings.extend(notes::without_reason(text));
    if text.path.ends_with(".rs") {
        findings.extend(rust::module_doc(text));
        findings.extend(rust::attributes(text));
    }
    if text.path == "Cargo.toml" {
        findings.extend(manifest::reasons(text));
    } else if manifest::is_of_a_crate(&text.path) {
        findings.extend(manifest::crate_rules(text));
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::{of_one_file, tidy};
    use crate::files::{self, Text};

    #[test]
    fn the_repository_is_tidy() {
        if let Err(failure) = tidy(&files::root()) {
            panic!("{failure}");
        }
    }

    #[test]
    fn every_rule_of_a_file_is_run() {
        let machine = super::machine::Machine::default();
        let found = |path: &str, text: &str| {
            let text = Text { path: path.to_owned(), text: text.to_owned() };
            of_one_file(&text, &machine).len()
        };
        let home = format!("/{}/alice/x", "home");
        let note = format!("{0}{0} {1}\n", '/', "TODO");
        assert_eq!(found("README.md", &home), 1);
        assert_eq!(found("a/b.rs", &format!("#[ignore]\nfn f() {{}} // {home}\n{note}")), 4);
        assert_eq!(found("crates/x/Cargo.toml", "[package]\nname = \"y\"\n"), 2);
        assert_eq!(found("Cargo.toml", "[workspace.dependencies]\nserde = \"1\"\n"), 1);
    }
}
