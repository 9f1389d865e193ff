//! What needs a disk that a case file cannot describe: sizes, roots, and a tree that moves.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use quittance_artifacts::{Disk, Note, Probe, Sighting, Status, Verdict};
use tempfile::TempDir;

fn untold(note: Note) -> Sighting {
    Sighting::noted(Status::StatError, note)
}

#[test]
fn lengths_are_taken_to_the_limit_and_no_further() {
    let base = TempDir::new().unwrap();
    let disk = Disk::open(base.path()).unwrap();
    let longest = "n".repeat(255);
    fs::write(base.path().join(&longest), "").unwrap();
    assert_eq!(disk.look(&longest), Sighting::bare(Status::PresentFile));
    let over = "n".repeat(256);
    assert_eq!(disk.look(&over), untold(Note::NameTooLong { at: over.clone() }));
    // The first step that is not there ends the look, whatever comes after.
    assert_eq!(disk.look(&format!("no/{over}")), Sighting::bare(Status::Missing));

    let padded = |bytes: usize| format!("{}{longest}", "./".repeat((bytes - 255) / 2));
    assert_eq!(padded(4095).len(), 4095);
    assert_eq!(disk.look(&padded(4095)), Sighting::bare(Status::PresentFile));
    assert_eq!(disk.look(&padded(4097)), untold(Note::PathTooLong));
    assert_eq!(disk.look(&"a/".repeat(10_000_000)), untold(Note::PathTooLong));
}

#[test]
fn texts_that_are_no_paths_cannot_be_told() {
    let base = TempDir::new().unwrap();
    let disk = Disk::open(base.path()).unwrap();
    assert_eq!(disk.look(""), untold(Note::EmptyPath));
    assert_eq!(disk.look("a\0b"), untold(Note::NulByte));
    assert_eq!(disk.look("\0"), untold(Note::NulByte));
}

#[test]
fn a_root_must_be_a_folder_that_can_be_reached() {
    let base = TempDir::new().unwrap();
    let at = |name: &str| base.path().join(name);
    fs::write(at("file"), "").unwrap();
    symlink("loop", at("loop")).unwrap();
    symlink("gone", at("dangling")).unwrap();
    let messages: Vec<String> = ["none", "file", "file/below", "dangling", "loop"]
        .map(|name| Disk::open(&at(name)).unwrap_err().to_string())
        .map(|message| message.replace(base.path().to_str().unwrap(), "{base}"))
        .to_vec();
    insta::assert_snapshot!(messages.join("\n"), @r#"
    open the root `{base}/none`: it is not there
    open the root `{base}/file`: it is not a folder
    open the root `{base}/file/below`: it is not a folder
    open the root `{base}/dangling`: it is not there
    open the root `{base}/loop`: Too many levels of symbolic links (os error 40)
    "#);
    for name in ["", "a\0b"] {
        assert!(Disk::open(Path::new(name)).is_err(), "{name:?}");
    }
}

#[test]
fn a_root_may_be_the_whole_disk() {
    let base = TempDir::new().unwrap();
    fs::write(base.path().join("a"), "").unwrap();
    symlink(base.path().join("a"), base.path().join("l")).unwrap();
    let disk = Disk::open(Path::new("/")).unwrap();
    let real = base.path().canonicalize().unwrap();
    for name in ["a", "l"] {
        let path = real.join(name);
        let path = path.to_str().unwrap();
        assert_eq!(disk.look(path), Sighting::bare(Status::PresentFile));
        assert_eq!(disk.look(path.strip_prefix('/').unwrap()), Sighting::bare(Status::PresentFile));
    }
    let missing = real.join("b");
    assert_eq!(disk.look(missing.to_str().unwrap()), Sighting::bare(Status::Missing));
}

#[test]
fn a_root_that_was_removed_is_no_evidence() {
    let base = TempDir::new().unwrap();
    let root = base.path().join("ws");
    fs::create_dir(&root).unwrap();
    let disk = Disk::open(&root).unwrap();
    assert_eq!(disk.look("a"), Sighting::bare(Status::Missing));
    fs::remove_dir(&root).unwrap();
    assert_eq!(disk.look("a"), untold(Note::RootGone));
    // A new folder of the same name is not the one that was opened.
    fs::create_dir(&root).unwrap();
    assert_eq!(disk.look("a"), untold(Note::RootGone));
}

#[test]
fn a_device_is_something() {
    let disk = Disk::open(Path::new("/dev")).unwrap();
    assert_eq!(disk.look("null"), Sighting::bare(Status::PresentOther));
}

/// `d` is by turns a folder without `f` and a link to a folder outside that holds one.
#[test]
fn a_link_put_in_place_meanwhile_leads_nowhere() {
    let base = TempDir::new().unwrap();
    let at = |name: &str| base.path().join(name);
    fs::create_dir_all(at("ws/real")).unwrap();
    fs::create_dir(at("outside")).unwrap();
    fs::write(at("outside/f"), "").unwrap();
    symlink(at("outside"), at("ws/link")).unwrap();
    let disk = Disk::open(&at("ws")).unwrap();

    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                for name in ["ws/real", "ws/link"] {
                    fs::rename(at(name), at("ws/d")).unwrap();
                    fs::rename(at("ws/d"), at(name)).unwrap();
                }
            }
        });
        let seen = (0..20_000).find(|_| disk.look("d/f").status.verdict() == Verdict::Present);
        done.store(true, Ordering::Relaxed);
        assert_eq!(seen, None);
    });
}
