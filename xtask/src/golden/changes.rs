//! Which snapshots differ from the last commit, and which ids in them.
//!
//! An id that changes for an unchanged input is a change of the contract: the changelog has to
//! name it, so it is printed where it cannot be overlooked.

use std::path::Path;

use crate::failure::Failure;
use crate::tidy::goldens;
use crate::{files, run};

/// How many hex digits a SHA-256 digest has.
const DIGEST_DIGITS: usize = 64;

/// How many of them are printed, enough to tell two apart.
const SHOWN_DIGITS: usize = 12;

/// Prints every chosen snapshot that differs from the last commit.
pub(super) fn print(root: &Path, chosen: impl Fn(&str) -> bool) -> Result<(), Failure> {
    let asked = ["status", "--porcelain=v1", "-z", "--no-renames", "--untracked-files=all", "--"];
    let status = run::stdout(run::git(root).args(asked).arg(goldens::FOLDER))?;
    let changed: Vec<_> = snapshots(&status).filter(|path| chosen(path)).collect();
    println!("snapshots that differ from the last commit: {}", changed.len());
    for path in changed {
        let before = run::stdout(run::git(root).arg("show").arg(format!("HEAD:{path}"))).ok();
        let after = files::read(&root.join(path)).ok();
        let after = after.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        println!("{} {path}", word(before.is_some(), after.is_some()));
        let (before, after) = (ids(&before.unwrap_or_default()), ids(&after.unwrap_or_default()));
        before.iter().filter(|id| !after.contains(id)).for_each(|id| println!("    - {id}"));
        after.iter().filter(|id| !before.contains(id)).for_each(|id| println!("    + {id}"));
    }
    Ok(())
}

/// The snapshots git's status names.
fn snapshots(status: &str) -> impl Iterator<Item = &str> {
    let paths = status.split('\0').filter_map(|entry| entry.get(3..));
    paths.filter(|path| path.ends_with(goldens::SNAPSHOT))
}

fn word(before: bool, after: bool) -> &'static str {
    match (before, after) {
        (false, _) => "new    ",
        (true, false) => "gone   ",
        (true, true) => "changed",
    }
}

/// Every digest of a text in its order, each with what stands before it in its line.
fn ids(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in text.lines() {
        let mut label = String::new();
        for word in line.split(|next: char| !next.is_ascii_alphanumeric() && next != '_') {
            if word.len() == DIGEST_DIGITS && word.chars().all(|digit| digit.is_ascii_hexdigit()) {
                let shown: String = word.chars().take(SHOWN_DIGITS).collect();
                found.push(format!("{label} {shown}…").trim_start().to_owned());
            } else if !word.is_empty() && word != "sha256" {
                word.clone_into(&mut label);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{ids, snapshots};

    #[test]
    fn ids_are_found_with_their_names() {
        let (one, two) = ("0123456789abcdef".repeat(4), "f".repeat(64));
        let text = format!(
            "{{\n  \"receipt_id\": \"sha256:{one}\",\n  \"other\": 1, \"digest\": \"{two}\"\n}}\n{}",
            "a".repeat(63)
        );
        assert_eq!(ids(&text), ["receipt_id 0123456789ab…", "digest ffffffffffff…"]);
        assert_eq!(ids(&one), ["0123456789ab…"]);
    }

    #[test]
    fn only_snapshots_of_a_status_are_named() {
        let status = " M golden/a/b/x.snap\0?? golden/a/c/case.json\0?? golden/a/c/x.snap\0";
        let named: Vec<_> = snapshots(status).collect();
        assert_eq!(named, ["golden/a/b/x.snap", "golden/a/c/x.snap"]);
    }
}
