//! Any text for a path, over trees made of links: no panic, and nothing outside is ever seen.
//!
//! The system's own answer is the measure. Whatever is said to be there resolves to a place inside
//! the root; whatever is said to be missing does not resolve.

use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::symlink;
use std::path::Path;

use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use quittance_artifacts::{Disk, Probe, Status};
use tempfile::TempDir;

/// `{base}/ws` is the root, `{base}/outside` must not be seen.
fn check(disk: &Disk, base: &Path, path: &str) -> Result<(), TestCaseError> {
    let root = base.join("ws");
    let sighting = disk.look(path);
    let real = root.join(path).canonicalize();
    let inside = real.as_ref().is_ok_and(|real| real.starts_with(&root));
    match &sighting.status {
        Status::PresentFile | Status::PresentDir | Status::PresentOther => {
            prop_assert!(inside, "{path:?}: {sighting:?}, but {real:?}");
            let kind = real.unwrap().metadata().unwrap().file_type();
            prop_assert_eq!(sighting.status == Status::PresentDir, kind.is_dir());
            prop_assert_eq!(sighting.status == Status::PresentFile, kind.is_file());
        }
        Status::Missing => {
            let error = real.map_err(|error| error.kind());
            let absent = [Err(ErrorKind::NotFound), Err(ErrorKind::NotADirectory)];
            prop_assert!(absent.contains(&error), "{path:?}: {sighting:?}, but {error:?}");
        }
        // The walk may leave the root on its way to a place inside.
        Status::ScopeDenied => {}
        Status::StatError => prop_assert!(!inside || path.is_empty(), "{path:?}: {sighting:?}"),
        Status::ReadOnlyDenied | Status::Unknown(_) => prop_assert!(false, "{sighting:?}"),
    }
    Ok(())
}

/// What a path or a link's text is made of; `{base}` is filled in.
fn segment() -> impl Strategy<Value = String> {
    prop_oneof![
        8 => prop::sample::select(vec!["a", "b", "c", "d", "..", "..", ".", "", "ws", "outside", "secret"])
            .prop_map(str::to_owned),
        1 => prop::sample::select(vec!["A", "~", "*", "[a]", "a\0", "{base}", "{base}/ws", "a ", "\\"])
            .prop_map(str::to_owned),
        1 => any::<String>(),
    ]
}

fn text() -> impl Strategy<Value = String> {
    let start = prop_oneof![6 => Just(""), 1 => Just("{base}/ws/"), 1 => Just("{base}/")];
    (start, prop::collection::vec(segment(), 1..7))
        .prop_map(|(start, segments)| start.to_owned() + &segments.join("/"))
}

#[derive(Clone, Debug)]
enum Made {
    Folder(String),
    File(String),
    Link(String, String),
}

fn entry() -> impl Strategy<Value = Made> {
    let place = prop::collection::vec("[abcd]", 1..4).prop_map(|names| names.join("/"));
    prop_oneof![
        place.clone().prop_map(Made::Folder),
        place.clone().prop_map(Made::File),
        (place, text()).prop_map(|(place, target)| Made::Link(place, target)),
    ]
}

/// Makes what can be made; an entry whose place is taken is left out.
fn build(entries: &[Made]) -> TempDir {
    let base = TempDir::new().unwrap();
    let root = base.path().join("ws");
    fs::create_dir(&root).unwrap();
    fs::create_dir(base.path().join("outside")).unwrap();
    fs::write(base.path().join("outside/secret"), "").unwrap();
    for entry in entries {
        let _ = match entry {
            Made::Folder(place) => fs::create_dir_all(root.join(place)),
            Made::File(place) => fs::write(root.join(place), ""),
            Made::Link(place, target) => symlink(fill(base.path(), target), root.join(place)),
        };
    }
    base
}

fn fill(base: &Path, text: &str) -> String {
    text.replace("{base}", base.to_str().unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, ..ProptestConfig::default() })]

    #[test]
    fn no_text_over_any_tree_is_seen_outside_the_root(
        entries in prop::collection::vec(entry(), 0..10),
        paths in prop::collection::vec(text(), 16),
    ) {
        let base = build(&entries);
        let real = base.path().canonicalize().unwrap();
        let disk = Disk::open(&real.join("ws")).unwrap();
        for path in &paths {
            check(&disk, &real, &fill(&real, path))?;
        }
    }

    #[test]
    fn any_text_at_all_is_answered(path in any::<String>(), repeat in 0usize..2_000) {
        let base = build(&[]);
        let real = base.path().canonicalize().unwrap();
        let disk = Disk::open(&real.join("ws")).unwrap();
        check(&disk, &real, &path)?;
        let status = disk.look(&path.repeat(repeat)).status;
        prop_assert!(status != Status::PresentFile && status != Status::PresentOther);
    }
}
