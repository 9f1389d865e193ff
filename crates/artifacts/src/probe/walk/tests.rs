//! The walk over folders that exist in memory only: ones that ignore case, and ones that fail.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::path::Path;

use super::{DEPTH_MAX, Fault, Folder, Kind, LINKS_MAX, look};
use crate::probe::route::RootNames;
use crate::probe::spelling::Search;
use crate::{Note, Sighting, Status, Verdict};

enum Node {
    File,
    Folder(BTreeMap<String, Self>),
    Link(String),
}

/// A folder tree, how its names compare, and which call upon it fails.
struct World {
    root: Node,
    same: fn(&str, &str) -> bool,
    calls: Cell<usize>,
    failing: Option<(usize, Fault)>,
}

impl World {
    fn new(same: fn(&str, &str) -> bool, paths: &[&str]) -> Self {
        let mut root = Node::Folder(BTreeMap::new());
        for path in paths {
            plant(&mut root, path);
        }
        Self { root, same, calls: Cell::new(0), failing: None }
    }

    fn look(&self, path: &str) -> Sighting {
        self.calls.set(0);
        look(&Open { world: self, node: &self.root }, &RootNames::new([Path::new("/run")]), path)
    }
}

/// Adds `a/b` (a file), `a/b/` (a folder) or `a/b -> c` (a link).
fn plant(root: &mut Node, path: &str) {
    let (path, leaf) = match path.split_once(" -> ") {
        Some((path, target)) => (path, Node::Link(target.to_owned())),
        None if path.ends_with('/') => (path, Node::Folder(BTreeMap::new())),
        None => (path, Node::File),
    };
    let mut node = root;
    let mut names = path.trim_end_matches('/').split('/').peekable();
    let mut leaf = Some(leaf);
    while let Some(name) = names.next() {
        let Node::Folder(entries) = node else { panic!("{path} is planted beneath a file") };
        let last = names.peek().is_none();
        let make = || if last { leaf.take().unwrap() } else { Node::Folder(BTreeMap::new()) };
        node = entries.entry(name.to_owned()).or_insert_with(make);
    }
}

struct Open<'w> {
    world: &'w World,
    node: &'w Node,
}

impl<'w> Open<'w> {
    fn call(&self) -> Result<(), Fault> {
        let call = self.world.calls.get();
        self.world.calls.set(call + 1);
        match self.world.failing {
            Some((at, fault)) if at == call => Err(fault),
            _ => Ok(()),
        }
    }

    fn entries(&self) -> &'w BTreeMap<String, Node> {
        let Node::Folder(entries) = self.node else { panic!("only folders are opened") };
        entries
    }

    fn find(&self, name: &[u8]) -> Result<&'w Node, Fault> {
        let name = str::from_utf8(name).unwrap();
        let mut entries = self.entries().iter();
        let (_, node) =
            entries.find(|(entry, _)| (self.world.same)(entry, name)).ok_or(Fault::Absent)?;
        Ok(node)
    }
}

impl Folder for Open<'_> {
    fn kind(&self, name: &[u8]) -> Result<Kind, Fault> {
        self.call()?;
        Ok(match self.find(name)? {
            Node::File => Kind::File,
            Node::Folder(_) => Kind::Folder,
            Node::Link(_) => Kind::Link,
        })
    }

    fn enter(&self, name: &[u8]) -> Result<Self, Fault> {
        self.call()?;
        Ok(Open { world: self.world, node: self.find(name)? })
    }

    fn target(&self, name: &[u8]) -> Result<Vec<u8>, Fault> {
        self.call()?;
        match self.find(name)? {
            Node::Link(target) => Ok(target.clone().into_bytes()),
            _ => Err(Fault::Changed),
        }
    }

    fn list(&self, search: &mut Search<'_>) -> Result<(), Fault> {
        self.call()?;
        let _ = self.entries().keys().all(|entry| search.see(entry.as_bytes()));
        Ok(())
    }

    fn gone(&self) -> bool {
        false
    }
}

fn exact(one: &str, other: &str) -> bool {
    one == other
}

fn ignoring_case(one: &str, other: &str) -> bool {
    one.to_lowercase() == other.to_lowercase()
}

/// Takes a composed letter for its parts, and one short name for a long one.
fn loosely(one: &str, other: &str) -> bool {
    let plain =
        |name: &str| name.replace("e\u{301}", "\u{e9}").replace("progra~1", "program files");
    plain(&one.to_lowercase()) == plain(&other.to_lowercase())
}

fn other_case(at: &str, found: &str) -> Sighting {
    let note = Note::OtherCase { at: at.to_owned(), found: found.to_owned() };
    Sighting::noted(Status::Missing, note)
}

#[test]
fn a_name_in_another_case_is_missing_wherever_it_is_looked_for() {
    let paths = ["readme.md", "Docs/guide.md", "here.md", "\u{e9}t\u{e9}"];
    for same in [exact as fn(&str, &str) -> bool, ignoring_case, loosely] {
        let world = World::new(same, &paths);
        assert_eq!(world.look("README.md"), other_case("README.md", "readme.md"));
        assert_eq!(world.look("docs/guide.md"), other_case("docs", "Docs"));
        assert_eq!(world.look("Docs/Guide.md"), other_case("Docs/Guide.md", "Docs/guide.md"));
        let beyond = Sighting::noted(Status::ScopeDenied, Note::OutsideRoot);
        assert_eq!(world.look("docs/../../x"), beyond, "its text leads out of the root");
        assert_eq!(world.look("\u{c9}t\u{e9}"), other_case("\u{c9}t\u{e9}", "\u{e9}t\u{e9}"));
        for path in ["here.md", "Docs/guide.md", "\u{e9}t\u{e9}"] {
            assert_eq!(world.look(path), Sighting::bare(Status::PresentFile), "{path}");
        }
    }
}

#[test]
fn a_name_that_is_equal_in_another_way_cannot_be_told() {
    let world = World::new(loosely, &["caf\u{e9}", "program files/a"]);
    for (path, at) in [("cafe\u{301}", "cafe\u{301}"), ("progra~1/a", "progra~1")] {
        let note = Note::OtherSpelling { at: at.to_owned() };
        assert_eq!(world.look(path), Sighting::noted(Status::StatError, note));
    }
    let world = World::new(exact, &["caf\u{e9}", "program files/a"]);
    for path in ["cafe\u{301}", "progra~1/a"] {
        assert_eq!(world.look(path), Sighting::bare(Status::Missing), "{path}");
    }
}

#[test]
fn a_failing_call_never_decides() {
    let paths = ["a/b/c.txt", "to_b -> a/b/", "abs -> /run/a", "Other", "\u{e9}/x", "dead -> no"];
    let faults = [Fault::Changed, Fault::Denied, Fault::TooLong, Fault::Failed(5)];
    for path in ["a/b/c.txt", "to_b/c.txt", "abs/../to_b/.", "other", "no/x", "\u{e9}/x", "dead"] {
        let mut world = World::new(exact, &paths);
        let undisturbed = world.look(path);
        let calls = world.calls.get();
        for (call, fault) in (0..calls).flat_map(|call| faults.map(|fault| (call, fault))) {
            world.failing = Some((call, fault));
            let sighting = world.look(path);
            let told = sighting.status.verdict() != Verdict::Unverifiable;
            assert!(
                !told || sighting.status == undisturbed.status,
                "{path}, call {call} of {calls}, {fault:?}: {sighting:?}"
            );
        }
    }
}

#[test]
fn what_vanishes_between_two_calls_is_not_missing() {
    // Calls: kind, its rival, then the folder or link is opened.
    for (paths, path) in [(["d/f"], "d/f"), (["l -> d"], "l")] {
        let mut world = World::new(exact, &paths);
        world.failing = Some((2, Fault::Absent));
        let at = path.split('/').next().unwrap().to_owned();
        let expected = Sighting::noted(Status::StatError, Note::Changed { at });
        assert_eq!(world.look(path), expected);
    }
}

#[test]
fn links_are_counted_over_the_whole_path() {
    let mut paths = vec![format!("l{LINKS_MAX} -> end"), "end".to_owned()];
    paths.extend((0..LINKS_MAX).map(|n| format!("l{n} -> l{}", n + 1)));
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    let world = World::new(exact, &paths);
    assert_eq!(world.look("l1"), Sighting::bare(Status::PresentFile));
    let at = format!("l{LINKS_MAX}");
    assert_eq!(world.look("l0"), Sighting::noted(Status::StatError, Note::LinkLoop { at }));
}

#[test]
fn links_that_multiply_come_to_an_end() {
    let mut paths = vec!["l9 -> .".to_owned(), "m9 -> .".to_owned()];
    for n in 0..9 {
        paths.push(format!("l{n} -> {}", vec![format!("l{}", n + 1); 9].join("/")));
        paths.push(format!("m{n} -> {}", vec![format!("m{}", n + 1); 9].join("/../")));
    }
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    let world = World::new(exact, &paths);
    assert_eq!(world.look("l0").status, Status::StatError);
    assert_eq!(world.look("m0").status, Status::ScopeDenied);
    assert!(world.calls.get() < 1_000);
}

#[test]
fn a_folder_too_deep_cannot_be_told() {
    let deepest = vec!["d"; DEPTH_MAX].join("/");
    let world = World::new(exact, &[&format!("{deepest}/d/file"), &format!("{deepest}/file")]);
    assert_eq!(world.look(&format!("{deepest}/file")), Sighting::bare(Status::PresentFile));
    let at = format!("{deepest}/d");
    let expected = Sighting::noted(Status::StatError, Note::TooDeep { at });
    assert_eq!(world.look(&format!("{deepest}/d/file")), expected);
}

#[test]
fn an_empty_link_leads_nowhere() {
    let note = Note::DanglingLink { at: "l".to_owned() };
    let world = World::new(exact, &["l -> "]);
    assert_eq!(world.look("l"), Sighting::noted(Status::Missing, note));
}
