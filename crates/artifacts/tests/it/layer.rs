//! One file touches a disk.

use std::fs;
use std::path::{Path, PathBuf};

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(sources(&path));
        } else {
            files.push(path);
        }
    }
    files
}

#[test]
fn only_the_disk_probe_reaches_the_system() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let reaches = |path: &PathBuf| {
        let text = fs::read_to_string(path).unwrap();
        ["rustix::", "std::fs", "std::env", "std::process", ".canonicalize("]
            .iter()
            .any(|word| text.contains(word))
    };
    let found: Vec<PathBuf> = sources(&src).into_iter().filter(reaches).collect();
    assert_eq!(found, [src.join("probe/disk.rs")]);
}
