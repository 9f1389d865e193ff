//! Which kind of project a folder holds, and which command checks one of that kind: facts in,
//! proposals out. Nothing is run and nothing is looked at here.
//!
//! A command is made of words of ours. What a project's files say chooses among them and is never
//! put into one.

mod make;
mod npm;
mod python;

use super::facts::Facts;

/// A kind of project that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    /// What people call it.
    pub(super) kind: &'static str,
    /// The file it was known by.
    pub(super) from: String,
    /// Commands that may check it, the best first; none where nothing says how.
    pub(super) checks: Vec<Check>,
    /// What kept its files from saying more.
    pub(super) amiss: Option<String>,
}

impl Found {
    fn of(kind: &'static str, from: &str, checks: Vec<Check>) -> Self {
        Self { kind, from: from.to_owned(), checks, amiss: None }
    }
}

/// A command that may check a project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Check {
    /// Program and arguments.
    pub(crate) command: Vec<&'static str>,
    /// What has to succeed for the command to be there at all: its own exit status does not tell a
    /// missing runner from a failing test.
    pub(crate) needs: Option<Vec<&'static str>>,
}

impl Check {
    fn of<const N: usize>(command: [&'static str; N]) -> Self {
        Self { command: command.to_vec(), needs: None }
    }
}

/// Every kind that a folder shows signs of, the likeliest first: a language's own way before the
/// ways that fit any language.
pub(super) fn kinds(facts: &Facts) -> Vec<Found> {
    let readers = [cargo, npm::found, python::found, go, maven, gradle, make::just, make::make];
    readers.into_iter().filter_map(|read| read(facts)).collect()
}

fn cargo(facts: &Facts) -> Option<Found> {
    let from = facts.first(&["Cargo.toml"])?;
    let is_workspace = has_table(facts.text(from), "workspace");
    let check = if is_workspace {
        Check::of(["cargo", "test", "--workspace", "--quiet"])
    } else {
        Check::of(["cargo", "test", "--quiet"])
    };
    Some(Found::of("Cargo", from, vec![check]))
}

fn go(facts: &Facts) -> Option<Found> {
    let from = facts.first(&["go.mod"])?;
    let checks = vec![Check::of(["go", "test", "./..."])];
    Some(Found::of("Go", from, checks))
}

fn maven(facts: &Facts) -> Option<Found> {
    let from = facts.first(&["pom.xml"])?;
    let program = if facts.has("mvnw") { "./mvnw" } else { "mvn" };
    let checks = vec![Check::of([program, "--batch-mode", "test"])];
    Some(Found::of("Maven", from, checks))
}

fn gradle(facts: &Facts) -> Option<Found> {
    let from = facts.first(&[
        "build.gradle.kts",
        "build.gradle",
        "settings.gradle.kts",
        "settings.gradle",
    ])?;
    let program = if facts.has("gradlew") { "./gradlew" } else { "gradle" };
    let checks = vec![Check::of([program, "--console=plain", "test"])];
    Some(Found::of("Gradle", from, checks))
}

/// Whether a TOML or INI file has a table, or one below it, by its heading's line.
fn has_table(text: &str, name: &str) -> bool {
    text.lines().any(|line| {
        let heading = line.trim().strip_prefix('[').and_then(|rest| rest.strip_prefix(name));
        heading.is_some_and(|rest| rest.starts_with([']', '.']))
    })
}
