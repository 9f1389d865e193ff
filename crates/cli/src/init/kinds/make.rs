//! Projects that say themselves how they are checked: a target of `make`, a recipe of `just`.

use super::{Check, Found};
use crate::init::facts::Facts;

/// What such a target is called, the most telling first: GNU's own word is `check`.
const TARGETS: [&str; 2] = ["check", "test"];

pub(super) fn make(facts: &Facts) -> Option<Found> {
    // In the order in which GNU make looks for them.
    let from = facts.first(&["GNUmakefile", "makefile", "Makefile"])?;
    Some(found("Make", from, facts.text(from), "make"))
}

pub(super) fn just(facts: &Facts) -> Option<Found> {
    let from = facts.first(&["justfile", "Justfile", ".justfile"])?;
    Some(found("just", from, facts.text(from), "just"))
}

fn found(kind: &'static str, from: &str, text: &str, program: &'static str) -> Found {
    let found = Found::of(kind, from, targets(text, program));
    let is_in_part = found.checks.is_empty() && text.lines().any(includes);
    let amiss = format!("`{from}` includes other files, which are not looked at");
    Found { amiss: is_in_part.then_some(amiss), ..found }
}

/// Whether a line takes in another file, as `make` or `just` writes it.
fn includes(line: &str) -> bool {
    let words = ["include ", "-include ", "sinclude ", "import ", "import? "];
    words.iter().any(|word| line.starts_with(word))
}

fn targets(text: &str, program: &'static str) -> Vec<Check> {
    let defined = TARGETS.into_iter().filter(|target| text.lines().any(|line| is_of(line, target)));
    defined.map(|target| Check::of([program, target])).collect()
}

/// Whether a line defines a target: its name among those before a colon that is no assignment.
fn is_of(line: &str, target: &str) -> bool {
    let Some((names, rest)) = line.split_once(':') else { return false };
    let is_assignment = rest.starts_with('=') || rest.starts_with(":=");
    let is_recipe_line = line.starts_with([' ', '\t', '#']);
    !is_assignment && !is_recipe_line && names.split_whitespace().any(|name| name == target)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_is_a_name_before_a_colon() {
        for line in ["check:", "check: build", "all check test:", "check::", "check arg='x': build"]
        {
            assert!(is_of(line, "check"), "{line}");
        }
        for line in
            ["check := 1", "check ::= 1", "\tcheck: x", "# check: x", "precheck:", "x: check", ""]
        {
            assert!(!is_of(line, "check"), "{line}");
        }
    }
}
