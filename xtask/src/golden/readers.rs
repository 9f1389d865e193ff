//! The test binaries that read the golden folder, and how they are run.
//!
//! The binaries are those `cargo test --workspace` builds, so a verification after the tests
//! compiles nothing. Each is started directly, as cargo would start it: only the ones that name
//! the folder in their sources run.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use cargo_metadata::{Artifact, Message};

use crate::failure::Failure;
use crate::{files, run};

/// How sources spell the golden folder.
const SPELLINGS: [&str; 2] = ["golden/", "golden\""];

/// What insta does with a snapshot that differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Update {
    /// Leaves it and fails the test.
    No,
    /// Writes it and lets the test pass.
    Always,
}

/// One test binary.
#[derive(Clone, Debug)]
pub(super) struct Reader {
    /// Its source, relative to the root.
    pub(super) name: String,
    executable: PathBuf,
    package: PathBuf,
}

impl Reader {
    /// Runs it. The snapshots it asks for are added to the file `noted`, one path a line.
    pub(super) fn run(&self, update: Update, noted: &Path) -> Result<(), Failure> {
        let update = match update {
            Update::No => "no",
            Update::Always => "always",
        };
        let mut command = Command::new(&self.executable);
        command.arg("--quiet").current_dir(&self.package);
        // Full match: the snapshot's head counts too. A pass is never forced, since that would
        // also hide an inline snapshot that differs, which insta cannot write itself.
        command.envs([("INSTA_UPDATE", update), ("INSTA_REQUIRE_FULL_MATCH", "1")]);
        command.env("INSTA_SNAPSHOT_REFERENCES_FILE", noted);
        command.env("CARGO_MANIFEST_DIR", &self.package);
        println!("running the tests of {}", self.name);
        run::succeed(&mut command)
    }
}

/// Builds the workspace's tests and keeps the binaries that read the golden folder.
pub(super) fn find(root: &Path) -> Result<Vec<Reader>, Failure> {
    let asked = ["test", "--workspace", "--no-run", "--message-format=json-render-diagnostics"];
    let printed = run::stdout(run::cargo(root).args(asked))?;
    let mut readers = Vec::new();
    for message in Message::parse_stream(printed.as_bytes()) {
        let message = message.map_err(|cause| files::unusable(root, cause))?;
        if let Message::CompilerArtifact(artifact) = message {
            readers.extend(reader(root, &artifact)?);
        }
    }
    readers.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(readers)
}

fn reader(root: &Path, artifact: &Artifact) -> Result<Option<Reader>, Failure> {
    let source = artifact.target.src_path.as_std_path();
    let (Some(executable), Some(package)) = (&artifact.executable, artifact.manifest_path.parent())
    else {
        return Ok(None);
    };
    // The chores write the folder's name without testing anything in it.
    let ours = package.as_std_path() == root.join("xtask");
    if !artifact.profile.test || ours || !names_the_folder(&sources_of(source)?)? {
        return Ok(None);
    }
    Ok(Some(Reader {
        name: files::relative(root, source).unwrap_or_else(|| source.display().to_string()),
        executable: executable.clone().into_std_path_buf(),
        package: package.as_std_path().to_path_buf(),
    }))
}

/// The sources a target may be made of: the folder of a `main.rs` or `lib.rs`, else the one file.
fn sources_of(source: &Path) -> Result<Vec<PathBuf>, Failure> {
    let whole_folder = source.file_name().is_some_and(|name| name == "main.rs" || name == "lib.rs");
    let mut found = Vec::new();
    let mut waiting = vec![source.to_path_buf()];
    if let Some(folder) = source.parent().filter(|_| whole_folder) {
        waiting.push(folder.to_path_buf());
    }
    while let Some(path) = waiting.pop() {
        if path.is_dir() {
            for entry in fs::read_dir(&path).map_err(|cause| files::unusable(&path, cause))? {
                waiting.push(entry.map_err(|cause| files::unusable(&path, cause))?.path());
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    Ok(found)
}

fn names_the_folder(sources: &[PathBuf]) -> Result<bool, Failure> {
    for source in sources {
        let text = String::from_utf8_lossy(&files::read(source)?).into_owned();
        if SPELLINGS.iter().any(|spelling| text.contains(spelling)) {
            return Ok(true);
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{names_the_folder, sources_of};

    fn reads(target: &str, files: &[(&str, &str)]) -> bool {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        names_the_folder(&sources_of(&folder.path().join(target)).unwrap()).unwrap()
    }

    #[test]
    fn a_target_is_asked_with_all_its_modules() {
        let files =
            [("it/main.rs", "mod audit;"), ("it/audit.rs", "glob!(\"../../golden/audit\")")];
        assert!(reads("it/main.rs", &files));
        assert!(reads("it/main.rs", &[("it/main.rs", "root.join(\"golden\")")]));
    }

    #[test]
    fn a_target_of_one_file_is_not_asked_for_its_neighbours() {
        let files = [("one.rs", "fn f() {}"), ("two.rs", "join(\"golden\")")];
        assert!(!reads("one.rs", &files));
        assert!(reads("two.rs", &files));
    }
}
