//! Which files are looked at: those that are named, and of folders those that may hold a record.

use std::fs;
use std::path::{Path, PathBuf};

use super::Failure;

/// How the files of a folder end that are looked at. A file that is named itself always is.
const ENDINGS: [&str; 4] = ["json", "jsonl", "ndjson", "zst"];

/// Every file, in the order in which they are named, those of a folder by name.
pub(super) fn all(named: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for path in named {
        if path.is_dir() {
            add_folder(path, &mut files)?;
        } else {
            files.push(path.clone());
        }
    }
    Ok(files)
}

/// Adds the files of a folder and of those in it. A link to a folder is not followed, so that no
/// folder is entered twice.
fn add_folder(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), Failure> {
    // What is still to be visited, the next one last.
    let mut waiting = vec![folder.to_owned()];
    while let Some(path) = waiting.pop() {
        let failed = |source| Failure::open(&path, source);
        // The folder that was named may itself be a link.
        let kind = if path == folder {
            fs::metadata(&path).map_err(failed)?.file_type()
        } else {
            fs::symlink_metadata(&path).map_err(failed)?.file_type()
        };
        if kind.is_dir() {
            let entries = fs::read_dir(&path).map_err(failed)?;
            let entries = entries.map(|entry| entry.map(|entry| entry.path()));
            let mut entries = entries.collect::<Result<Vec<_>, _>>().map_err(failed)?;
            entries.sort_unstable_by(|one, other| other.cmp(one));
            waiting.append(&mut entries);
        } else if may_hold_a_record(&path) && (kind.is_file() || path.is_file()) {
            files.push(path);
        }
    }
    Ok(())
}

fn may_hold_a_record(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ENDINGS.iter().any(|known| ending == *known))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::all;

    #[test]
    fn folders_are_read_by_name_and_links_to_folders_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir_all(at("b/deep")).unwrap();
        for name in ["a.json", "b/2.jsonl", "b/10.jsonl", "b/deep/x.ndjson", "b/x.txt", "c.json"] {
            fs::write(at(name), "{}").unwrap();
        }
        #[cfg(unix)]
        std::os::unix::fs::symlink(folder.path(), at("b/loop")).unwrap();
        let named = [at("b/x.txt"), folder.path().to_owned(), at("absent.json")];
        let found = all(&named).unwrap();
        let found = found.iter().map(|path| path.strip_prefix(folder.path()).unwrap());
        let found: Vec<_> = found.map(|path| path.to_str().unwrap().replace('\\', "/")).collect();
        let expected = [
            "b/x.txt",
            "a.json",
            "b/10.jsonl",
            "b/2.jsonl",
            "b/deep/x.ndjson",
            "c.json",
            "absent.json",
        ];
        assert_eq!(found, expected);
    }
}
