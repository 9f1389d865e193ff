//! `quittance trust`: which policies a hook may obey.
//!
//! A policy runs commands and names servers, so a hook obeys only a copy that the user kept in
//! their own configuration folder. The copy is found by the folder of the policy file; a file that
//! was changed, removed or put nearer to the work since does not replace it.

use std::path::{Path, PathBuf};

use quittance_driver::EffectivePolicy;
use quittance_driver::policy::{FILE_NAME, locate};
use quittance_evidence::canonical::Digest;
use serde_json::json;

use crate::exit::Failure;
use crate::folders::Folders;
use crate::render::{Page, escape};
use crate::{Answer, args, input};

/// The policies that this user trusts.
#[derive(Debug)]
pub(crate) struct Trusted {
    folder: PathBuf,
}

/// A trusted policy.
#[derive(Debug)]
pub(crate) struct Kept {
    /// The folder whose policy it is: declared paths and the verifier start there.
    pub(crate) root: PathBuf,
    /// Its text as it was when it was trusted.
    pub(crate) text: String,
    /// Whether the file in that folder says something else now, is gone, or another stands nearer.
    pub(crate) is_changed: bool,
}

impl Trusted {
    pub(crate) fn of(folders: &Folders) -> Self {
        Self { folder: folders.config.join("trusted") }
    }

    /// Where the copy of a folder's policy is kept. The name says nothing of the folder, and no
    /// two folders share one.
    fn place(&self, root: &Path) -> PathBuf {
        let digest = Digest::of_bytes(root.as_os_str().as_encoded_bytes());
        self.folder.join(digest.hex()).join(FILE_NAME)
    }

    /// Keeps a copy.
    pub(crate) fn keep(&self, root: &Path, text: &str) -> std::io::Result<()> {
        let place = self.place(root);
        if let Some(folder) = place.parent() {
            std::fs::create_dir_all(folder)?;
        }
        // Written beside and moved, so that a hook never reads half of it.
        let beside = place.with_extension(format!("{}.new", std::process::id()));
        std::fs::write(&beside, text)?;
        std::fs::rename(&beside, &place)
    }

    /// Forgets a copy; says whether there was one.
    pub(crate) fn forget(&self, root: &Path) -> std::io::Result<bool> {
        match std::fs::remove_file(self.place(root)) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// The trusted policy of the nearest folder that has one, from a folder upward. What the agent
    /// wrote nearer than that, or over it, changes nothing but `is_changed`.
    pub(crate) fn nearest(&self, start: &Path) -> std::io::Result<Option<Kept>> {
        let start = start.canonicalize()?;
        let mut is_shadowed = false;
        for root in start.ancestors() {
            match std::fs::read_to_string(self.place(root)) {
                Ok(text) => {
                    let is_changed = is_shadowed || !says(&root.join(FILE_NAME), &text);
                    return Ok(Some(Kept { root: root.to_owned(), text, is_changed }));
                }
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
            is_shadowed |= root.join(FILE_NAME).symlink_metadata().is_ok();
        }
        Ok(None)
    }
}

/// Whether a file says just this. The agent may have put anything in its place: a pipe would be
/// waited for, and what is longer need not be read.
fn says(file: &Path, text: &str) -> bool {
    let found = std::fs::metadata(file);
    let may_say = |found: &std::fs::Metadata| {
        found.is_file() && usize::try_from(found.len()) == Ok(text.len())
    };
    found.is_ok_and(|found| may_say(&found))
        && std::fs::read(file).is_ok_and(|now| now == text.as_bytes())
}

/// Keeps a copy of the policy, and says what it lets a hook do.
pub(crate) fn run(args: &args::Trust) -> Result<Answer, Failure> {
    let folders = Folders::of_user().ok_or(Failure::NoHome)?;
    let trusted = Trusted::of(&folders);
    let file = file(args)?;
    let root = root(&file)?;
    let failed = |source| Failure::Write { path: trusted.place(&root), source };
    if args.revoke {
        let was_trusted = trusted.forget(&root).map_err(failed)?;
        return Ok(revoked(&root, was_trusted));
    }
    let (text, policy) = input::policy_text(&file)?;
    trusted.keep(&root, &text).map_err(failed)?;
    Ok(kept(&root, &policy))
}

/// Keeps a copy of a policy that was just written for a folder, and says what it lets a hook do.
pub(crate) fn keep(trusted: &Trusted, root: &Path, text: &str) -> Result<Answer, Failure> {
    let policy = EffectivePolicy::parse(text)
        .map_err(|source| Failure::Policy { path: root.join(FILE_NAME), source })?;
    let failed = |source| Failure::Write { path: trusted.place(root), source };
    trusted.keep(root, text).map_err(failed)?;
    Ok(kept(root, &policy))
}

/// The policy file that is meant: the one named, or the one found from here upward.
fn file(args: &args::Trust) -> Result<PathBuf, Failure> {
    let named = match &args.policy {
        Some(file) if file.is_dir() => Some(file.join(FILE_NAME)),
        Some(file) => Some(file.clone()),
        None => std::env::current_dir()
            .ok()
            .and_then(|here| locate(&here, std::env::home_dir().as_deref())),
    };
    named.ok_or_else(|| Failure::Open {
        path: FILE_NAME.into(),
        source: std::io::Error::from(std::io::ErrorKind::NotFound),
    })
}

fn root(file: &Path) -> Result<PathBuf, Failure> {
    let folder = input::folder_of(file);
    folder.canonicalize().map_err(|source| Failure::Open { path: folder, source })
}

fn revoked(root: &Path, was_trusted: bool) -> Answer {
    let mut page = Page::default();
    let shown = escape::foreign(&root.to_string_lossy());
    let said = if was_trusted { "no longer trusted" } else { "was not trusted" };
    page.line("policy", &format!("{said}: the policy of {shown}"));
    let document =
        json!({"root": root.to_string_lossy(), "trusted": false, "was_trusted": was_trusted});
    Answer { document, text: page.into_text(), code: 0 }
}

fn kept(root: &Path, policy: &EffectivePolicy) -> Answer {
    let mut page = Page::default();
    page.line("trusted", &format!("the policy of {}", escape::foreign(&root.to_string_lossy())));
    let reach = reach(policy);
    page.lines("runs", reach.commands.iter().map(|command| escape::foreign(command)));
    page.lines("asks", reach.servers.iter().map(|server| escape::foreign(server)));
    if reach.commands.is_empty() && reach.servers.is_empty() {
        page.plain("It runs no command and asks no server.");
    }
    let document = json!({
        "root": root.to_string_lossy(),
        "trusted": true,
        "commands": reach.commands,
        "servers": reach.servers,
    });
    Answer { document, text: page.into_text(), code: 0 }
}

/// What a policy lets a hook do beside looking at declared paths.
struct Reach {
    commands: Vec<String>,
    servers: Vec<String>,
}

fn reach(policy: &EffectivePolicy) -> Reach {
    use quittance_driver::policy::JudgeSource;
    let policy = &policy.policy;
    let verify = policy.verify.as_ref().filter(|verify| verify.when.runs());
    let mut commands: Vec<String> =
        verify.and_then(|verify| verify.command.as_ref()).map(|it| it.line()).into_iter().collect();
    let mut servers = Vec::new();
    let judges = [&policy.judges.verification, &policy.judges.completion];
    for judge in judges.into_iter().flatten() {
        match &judge.source {
            JudgeSource::Command { command } => commands.push(command.line()),
            JudgeSource::Provider { provider, base_url } => {
                servers.extend(base_url.clone().or_else(|| provider.clone()));
            }
            JudgeSource::Tape { .. } => {}
        }
    }
    Reach { commands, servers }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn world() -> (tempfile::TempDir, Trusted, PathBuf) {
        let top = tempfile::tempdir().unwrap();
        let root = top.path().join("repo");
        std::fs::create_dir_all(root.join("src")).unwrap();
        let root = root.canonicalize().unwrap();
        let trusted = Trusted { folder: top.path().join("trusted") };
        (top, trusted, root)
    }

    #[test]
    fn a_copy_is_found_from_below_and_outlives_the_file() {
        let (_top, trusted, root) = world();
        std::fs::write(root.join(FILE_NAME), "version = 1").unwrap();
        assert!(trusted.nearest(&root).unwrap().is_none());
        trusted.keep(&root, "version = 1").unwrap();
        let kept = trusted.nearest(&root.join("src")).unwrap().unwrap();
        assert_eq!((kept.root.as_path(), kept.text.as_str()), (root.as_path(), "version = 1"));
        assert!(!kept.is_changed);

        std::fs::write(root.join(FILE_NAME), "version = 1 # mine now").unwrap();
        assert!(trusted.nearest(&root).unwrap().unwrap().is_changed);
        std::fs::remove_file(root.join(FILE_NAME)).unwrap();
        let kept = trusted.nearest(&root).unwrap().unwrap();
        assert_eq!((kept.text.as_str(), kept.is_changed), ("version = 1", true));
        assert!(trusted.forget(&root).unwrap());
        assert!(!trusted.forget(&root).unwrap());
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_in_the_files_place_is_not_waited_for() {
        let (_top, trusted, root) = world();
        trusted.keep(&root, "version = 1").unwrap();
        let pipe = root.join(FILE_NAME);
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        assert!(trusted.nearest(&root).unwrap().unwrap().is_changed);
    }

    #[test]
    fn a_file_put_nearer_does_not_take_its_place() {
        let (_top, trusted, root) = world();
        std::fs::write(root.join(FILE_NAME), "version = 1").unwrap();
        trusted.keep(&root, "version = 1").unwrap();
        std::fs::write(root.join("src").join(FILE_NAME), "version = 1").unwrap();
        let kept = trusted.nearest(&root.join("src")).unwrap().unwrap();
        assert_eq!((kept.root, kept.is_changed), (root, true));
    }
}
