//! Which files belong to the repository, and their text.
//!
//! Git knows which files are ours, new ones included and ignored ones not. Where git does not
//! answer (a source archive, a checkout owned by somebody else) the folders are walked instead,
//! which can only see more.

use std::path::{Path, PathBuf};
use std::{env, fs};

use crate::failure::Failure;
use crate::run;

/// Folders that never hold a file of ours; only asked where git does not answer.
const NOT_OURS: [&str; 3] = ["target", ".git", ".scratch"];

/// One file of the repository that is text.
#[derive(Clone, Debug)]
pub(crate) struct Text {
    /// Relative to the root, parts joined by `/`.
    pub(crate) path: String,
    /// What it says.
    pub(crate) text: String,
}

/// The workspace root: the folder above this package, as cargo names it when it runs us. Two
/// checkouts may share a target folder, so what was true at compile time comes second.
pub(crate) fn root() -> PathBuf {
    let told = env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let package = told.unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")));
    package.parent().unwrap_or(&package).to_path_buf()
}

/// Lists the repository's files, sorted, relative to the root.
pub(crate) fn list(root: &Path) -> Result<Vec<String>, Failure> {
    let mut paths = match listed_by_git(root) {
        Ok(paths) => paths,
        Err(failure) => {
            println!("git does not list the files, so the folders are walked: {failure}");
            walked(root)?
        }
    };
    paths.sort();
    paths.dedup();
    Ok(paths)
}

/// Reads those of the listed files that are UTF-8; the others are no text and are left out.
pub(crate) fn texts(root: &Path, paths: &[String]) -> Result<Vec<Text>, Failure> {
    let mut texts = Vec::new();
    for path in paths {
        if let Ok(text) = String::from_utf8(read(&root.join(path))?) {
            texts.push(Text { path: path.clone(), text });
        }
    }
    Ok(texts)
}

/// Reads one file whole.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    fs::read(path).map_err(|cause| unusable(path, cause))
}

/// Writes one file whole.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    fs::write(path, bytes).map_err(|cause| unusable(path, cause))
}

/// The failure of a file that could not be used.
pub(crate) fn unusable(path: &Path, cause: std::io::Error) -> Failure {
    Failure::File { path: path.display().to_string(), cause }
}

fn listed_by_git(root: &Path) -> Result<Vec<String>, Failure> {
    let asked = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
    let printed = run::stdout(run::git(root).args(asked))?;
    let paths = printed.split('\0').filter(|path| !path.is_empty());
    // A file deleted but not yet committed is still listed, and a link may lead nowhere.
    Ok(paths.filter(|path| root.join(path).is_file()).map(str::to_owned).collect())
}

fn walked(root: &Path) -> Result<Vec<String>, Failure> {
    let mut found = Vec::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).map_err(|cause| unusable(&folder, cause))? {
            let entry = entry.map_err(|cause| unusable(&folder, cause))?;
            let kind = entry.file_type().map_err(|cause| unusable(&entry.path(), cause))?;
            let ours = !NOT_OURS.iter().any(|name| entry.file_name() == *name);
            if kind.is_dir() && ours {
                folders.push(entry.path());
            } else if kind.is_file() {
                found.extend(relative(root, &entry.path()));
            }
        }
    }
    Ok(found)
}

/// The path below the root with `/` between its parts; none for a name that is not Unicode.
pub(crate) fn relative(root: &Path, path: &Path) -> Option<String> {
    let below = path.strip_prefix(root).ok()?;
    let parts: Option<Vec<&str>> = below.iter().map(|part| part.to_str()).collect();
    Some(parts?.join("/"))
}

#[cfg(test)]
mod tests {
    use super::{list, root, texts, walked};

    #[test]
    fn git_and_a_walk_both_find_this_file() {
        let here = "xtask/src/files.rs".to_owned();
        assert!(list(&root()).unwrap().contains(&here));
        assert!(walked(&root()).unwrap().contains(&here));
    }

    #[test]
    fn a_file_that_is_not_text_is_left_out() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a"), [0xff, 0xfe]).unwrap();
        std::fs::write(folder.path().join("b"), "text").unwrap();
        let read = texts(folder.path(), &["a".to_owned(), "b".to_owned()]).unwrap();
        assert_eq!(read.len(), 1);
        assert_eq!(read[0].path, "b");
    }
}
