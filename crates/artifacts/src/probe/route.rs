//! The text of a path, cut into steps.
//!
//! Nothing here looks at a disk. Every character but `/` belongs to a name: `~`, `*`, `[` and a
//! backslash mean nothing special, as they mean nothing to a system call.

use std::collections::VecDeque;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Component, Path};

/// The longest path in bytes; Linux takes 4,096 with the closing NUL. One number on every system,
/// so that they agree.
pub(super) const PATH_BYTES_MAX: usize = 4095;

/// One step of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// `.`, or the slash at a path's end: stay, which only a folder allows.
    Stay,
    /// `..`.
    Up,
    /// A name to look up.
    Name(Vec<u8>),
}

/// The steps of a path, its leading slash aside.
pub(super) fn steps(path: &[u8]) -> VecDeque<Step> {
    let mut steps: VecDeque<Step> = path.split(|byte| *byte == b'/').filter_map(step).collect();
    if path.ends_with(b"/") {
        steps.push_back(Step::Stay);
    }
    steps
}

fn step(text: &[u8]) -> Option<Step> {
    match text {
        b"" => None,
        b"." => Some(Step::Stay),
        b".." => Some(Step::Up),
        name => Some(Step::Name(name.to_vec())),
    }
}

/// Whether steps taken from `depth` folders beneath the root would climb above it, if every name
/// among them were a folder.
pub(super) fn climbs_out<'s>(depth: usize, steps: impl IntoIterator<Item = &'s Step>) -> bool {
    let deeper = |depth: usize, step: &Step| match step {
        Step::Stay => Some(depth),
        Step::Up => depth.checked_sub(1),
        Step::Name(_) => Some(depth + 1),
    };
    steps.into_iter().try_fold(depth, deeper).is_none()
}

/// The absolute paths that are known to be the root: as it was given, and without its links.
#[derive(Clone, Debug)]
pub(super) struct RootNames(Vec<Vec<Vec<u8>>>);

impl RootNames {
    /// Takes absolute paths; one with a `..` in it is left out, since its text does not say where
    /// it leads.
    pub(super) fn new<'p>(paths: impl IntoIterator<Item = &'p Path>) -> Self {
        Self(paths.into_iter().filter_map(names).collect())
    }

    /// Returns the steps that lead from the root to an absolute path, or nothing if its text does
    /// not begin with the root.
    pub(super) fn beneath(&self, absolute: &[u8]) -> Option<VecDeque<Step>> {
        let steps = steps(absolute);
        self.0.iter().find_map(|names| strip(steps.clone(), names))
    }
}

fn names(path: &Path) -> Option<Vec<Vec<u8>>> {
    let mut names = Vec::new();
    for component in path.components() {
        match component {
            Component::Normal(name) => names.push(name.as_bytes().to_vec()),
            Component::RootDir | Component::CurDir => {}
            Component::ParentDir | Component::Prefix(_) => return None,
        }
    }
    Some(names)
}

fn strip(mut steps: VecDeque<Step>, names: &[Vec<u8>]) -> Option<VecDeque<Step>> {
    for name in names {
        while steps.front() == Some(&Step::Stay) {
            steps.pop_front();
        }
        match steps.pop_front() {
            Some(Step::Name(step)) if step == *name => {}
            _ => return None,
        }
    }
    Some(steps)
}

/// Spells a name for people; what is not UTF-8 is written `\xff`.
pub(super) fn legible(name: &[u8]) -> String {
    let mut out = String::new();
    for chunk in name.utf8_chunks() {
        out.push_str(chunk.valid());
        out.push_str(&chunk.invalid().escape_ascii().to_string());
    }
    out
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{RootNames, Step, climbs_out, legible, steps};

    fn spelled(path: &str) -> String {
        steps(path.as_bytes()).iter().map(spelled_step).collect::<Vec<_>>().join(" ")
    }

    fn spelled_step(step: &Step) -> String {
        match step {
            Step::Stay => "stay".to_owned(),
            Step::Up => "up".to_owned(),
            Step::Name(name) => format!("`{}`", legible(name)),
        }
    }

    #[test]
    fn a_path_is_cut_at_slashes_only() {
        for (path, expected) in [
            ("", ""),
            ("/", "stay"),
            ("a//b", "`a` `b`"),
            ("./a/.", "stay `a` stay"),
            ("a/", "`a` stay"),
            ("a/../..", "`a` up up"),
            ("...", "`...`"),
            ("~/[id]/*.{js,ts}", "`~` `[id]` `*.{js,ts}`"),
            (r"a\b", r"`a\b`"),
        ] {
            assert_eq!(spelled(path), expected, "{path}");
        }
    }

    #[test]
    fn an_absolute_path_is_taken_from_the_root_down() {
        let roots = RootNames::new(["/srv/run", "/mnt/run", "/x/../run"].map(Path::new));
        let beneath = |path: &str| {
            let steps = roots.beneath(path.as_bytes())?;
            Some(steps.iter().map(spelled_step).collect::<Vec<_>>().join(" "))
        };
        for (path, expected) in [
            ("/srv/run", Some("")),
            ("/srv/run/", Some("stay")),
            ("//srv/.//run/./a", Some("stay `a`")),
            ("/mnt/run/a/b", Some("`a` `b`")),
            ("/srv/run/../b", Some("up `b`")),
            ("/srv/runner", None),
            ("/srv", None),
            ("/", None),
            ("/srv/x/../run/a", None),
            ("/x/../run/a", None),
        ] {
            assert_eq!(beneath(path).as_deref(), expected, "{path}");
        }
        let everything = RootNames::new([Path::new("/")]);
        assert!(everything.beneath(b"/any/where").is_some());
    }

    #[test]
    fn climbing_is_counted_from_where_one_stands() {
        for (depth, path, out) in [
            (0, "a/..", false),
            (0, "a/../..", true),
            (1, "..", false),
            (1, "../..", true),
            (0, "./../a", true),
            (2, "../../a", false),
        ] {
            assert_eq!(climbs_out(depth, &steps(path.as_bytes())), out, "{depth} {path}");
        }
    }

    #[test]
    fn a_foreign_byte_is_shown_as_itself() {
        assert_eq!(legible(b"rep\xffort\xc3\xa9"), "rep\\xffort\u{e9}");
    }
}
