//! No text of the repository names a path of one machine.
//!
//! Samples use neutral roots (`/repo/…`). What is refused: home folders of any name, and the place
//! this checkout and its reader's home lie at, where that place is deep enough to be nobody
//! else's.

use std::env;
use std::path::Path;

use crate::failure::Finding;
use crate::files::Text;

/// Folders that hold one folder per person.
const HOMES: [&str; 2] = ["home", "Users"];

/// Folders that are somebody's own on one machine.
const OWN: [&str; 2] = ["root", "work"];

/// How Windows spells a home folder, plain and inside JSON.
const WINDOWS_HOMES: [&str; 2] = [":\\Users\\", ":\\\\Users\\\\"];

/// A place with fewer parts than this may be anybody's, like `/src` or `/tmp`.
const PARTS_MIN: usize = 2;

/// The places of the machine the check runs on.
#[derive(Clone, Debug, Default)]
pub(super) struct Machine {
    places: Vec<String>,
}

impl Machine {
    /// Looks at where the checkout and the home folder lie.
    pub(super) fn here(root: &Path) -> Self {
        let home = env::var("HOME").or_else(|_| env::var("USERPROFILE")).ok();
        Self::with(&[
            Some(root.display().to_string()),
            root.parent().map(|parent| parent.display().to_string()),
            home,
        ])
    }

    fn with(places: &[Option<String>]) -> Self {
        let deep =
            |place: &&String| place.split('/').filter(|part| !part.is_empty()).count() >= PARTS_MIN;
        Self { places: places.iter().flatten().filter(deep).cloned().collect() }
    }

    /// Finds each line of a text that names a path of one machine.
    pub(super) fn paths(&self, text: &Text) -> Vec<Finding> {
        let mut findings = Vec::new();
        for (index, line) in text.text.lines().enumerate() {
            if let Some(path) = self.first_in(line) {
                let place = format!("{}:{}", text.path, index + 1);
                findings.push(Finding::at(place, format!("names a path of one machine: `{path}`")));
            }
        }
        findings
    }

    /// The first such path of a line, as far as it identifies the machine.
    fn first_in(&self, line: &str) -> Option<String> {
        let own = self.places.iter().find(|place| names(line, place));
        let windows = WINDOWS_HOMES.iter().find(|home| is_followed_by_a_name(line, home));
        let known = own.cloned().or_else(|| windows.map(|home| (*home).to_owned()));
        known.or_else(|| absolute_paths(line).find_map(of_one_machine))
    }
}

fn is_followed_by_a_name(line: &str, home: &str) -> bool {
    let mut rests = line.split(home).skip(1);
    rests.any(|rest| rest.starts_with(char::is_alphanumeric))
}

/// Whether a line holds a path that is the place or lies in it.
fn names(line: &str, place: &str) -> bool {
    line.match_indices(place).any(|(at, _)| {
        let rest = line.split_at(at).1.strip_prefix(place).unwrap_or_default();
        !rest.starts_with(|next: char| next.is_alphanumeric() || "._-".contains(next))
    })
}

/// Every rest of a line that begins an absolute path, without its leading slash.
fn absolute_paths(line: &str) -> impl Iterator<Item = &str> {
    line.match_indices('/').filter_map(|(at, _)| {
        let (before, rest) = line.split_at(at);
        begins_a_path(before).then(|| rest.strip_prefix('/').unwrap_or_default())
    })
}

/// Whether a slash after this text opens a path rather than going on with one.
fn begins_a_path(before: &str) -> bool {
    // In JSON a line break or a tab before the path is spelled with a letter.
    if ["\\n", "\\t", "\\r", "file://"].iter().any(|opening| before.ends_with(opening)) {
        return true;
    }
    before
        .chars()
        .next_back()
        .is_none_or(|last| !last.is_alphanumeric() && !"._-~/>}*".contains(last))
}

fn of_one_machine(path: &str) -> Option<String> {
    let (folder, rest) = path.split_once('/')?;
    let name: String =
        rest.chars().take_while(|next| next.is_alphanumeric() || "._-".contains(*next)).collect();
    if HOMES.contains(&folder) && !name.is_empty() {
        return Some(format!("/{folder}/{name}"));
    }
    OWN.contains(&folder).then(|| format!("/{folder}/"))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::Machine;
    use crate::files::Text;

    fn found(machine: &Machine, line: &str) -> usize {
        machine.paths(&Text { path: "a".to_owned(), text: line.to_owned() }).len()
    }

    /// An absolute path, put together here so that this file does not name one itself.
    fn below(folder: &str, rest: &str) -> String {
        format!("/{folder}/{rest}")
    }

    #[test]
    fn homes_of_any_name_are_found() {
        let machine = Machine::default();
        for path in [
            below("home", "alice/x"),
            below("home", "alice"),
            below("Users", "alice/x"),
            below("root", "x"),
            below("work", "x"),
            format!("C:\\{}\\alice", "Users"),
            format!("C:\\\\{}\\\\alice", "Users"),
        ] {
            assert_eq!(found(&machine, &path), 1, "{path}");
            assert_eq!(found(&machine, &format!("{{\"cwd\":\"{path}\"}}")), 1, "{path}");
        }
        for opening in ["text\\n", "file://", "--root=", "PATH=/bin:"] {
            assert_eq!(
                found(&machine, &format!("{opening}{}", below("home", "a/b"))),
                1,
                "{opening}"
            );
        }
    }

    #[test]
    fn neutral_and_relative_paths_pass() {
        let machine = Machine::default();
        for line in [
            "/repo/src/lib.rs".to_owned(),
            below("home", "<name>/x"),
            below("homework", "x"),
            format!("src{}", below("work", "x")),
            format!("..{}", below("home", "x")),
            format!("$HOME{}", below("work", "x")),
            format!("https://example.org{}", below("home", "x")),
        ] {
            assert_eq!(found(&machine, &line), 0, "{line}");
        }
    }

    #[test]
    fn the_place_of_this_checkout_is_found_unless_it_may_be_anybodys() {
        let here = Machine::here(Path::new("/builds/group/checkout"));
        assert_eq!(found(&here, "see /builds/group/other"), 1);
        assert_eq!(found(&here, "see /builds/groups/other"), 0);
        let shallow = Machine::with(&[Some("/repo".to_owned()), Some("/".to_owned()), None]);
        assert_eq!(found(&shallow, "/repo/src"), 0);
    }
}
