//! A command as the policy file writes it: a list of words, or one line for the shell.

use serde::{Deserialize, Serialize};

use super::table::Item;
use super::{PolicyError, PolicyProblem};

/// A command to run.
///
/// INVARIANT: a list has at least one word, and its first is not blank; a line is not blank.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
#[expect(clippy::exhaustive_enums, reason = "there are two ways to write a command")]
pub enum Command {
    /// A line that the shell runs.
    Shell(String),
    /// A program and its arguments, which no shell looks at.
    Words(Vec<String>),
}

impl Command {
    pub(super) fn read(item: &Item<'_>) -> Result<Self, PolicyError> {
        if item.is_text() {
            return item.text().map(Self::Shell);
        }
        let words: Vec<String> = item.list()?.iter().map(Item::word).collect::<Result<_, _>>()?;
        match words.first() {
            Some(program) if !program.trim().is_empty() => Ok(Self::Words(words)),
            Some(_) | None => Err(item.problem(PolicyProblem::Blank)),
        }
    }

    /// The command as one line, as a person would type it; receipts name it so.
    #[must_use]
    pub fn line(&self) -> String {
        match self {
            Self::Shell(line) => line.clone(),
            Self::Words(words) => {
                words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
            }
        }
    }
}

/// A word as a shell would need it.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+@%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_what_a_person_would_type() {
        let words = |words: &[&str]| {
            Command::Words(words.iter().map(|word| (*word).to_owned()).collect()).line()
        };
        assert_eq!(words(&["cargo", "test", "--quiet"]), "cargo test --quiet");
        assert_eq!(words(&["test", "-s", "it's here", ""]), r"test -s 'it'\''s here' ''");
        assert_eq!(Command::Shell("make && make test".to_owned()).line(), "make && make test");
    }
}
