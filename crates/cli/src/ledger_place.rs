//! Where a project's ledger lies, and which folder is the project.
//!
//! The default place is below the user's data folder, where an agent that works in the project
//! does not write, and is found by the project's folder alone. Nothing here opens a ledger.

use std::path::{Path, PathBuf};

use quittance_driver::Policy;
use quittance_driver::policy::locate;
use quittance_evidence::canonical::Digest;

use crate::exit::Failure;
use crate::folders::Folders;
use crate::input::folder_of;
use crate::trust::Trusted;

/// The folder of all ledgers, in the data folder.
const FOLDER: &str = "ledgers";
/// The ledger's file.
const FILE: &str = "ledger.db";

/// The ledger of a project: where its policy says (from the project's folder), else one of its own
/// in the data folder. `policy` must be one that the user trusts, or the default: it names a file
/// that is written.
pub(crate) fn of(root: &Path, folders: &Folders, policy: &Policy) -> PathBuf {
    if let Some(ledger) = &policy.receipts.ledger {
        return root.join(ledger);
    }
    // The same folder by another name is the same project. One that is gone has only its name.
    let root = root.canonicalize().unwrap_or_else(|_| root.to_owned());
    let digest = Digest::of_bytes(root.as_os_str().as_encoded_bytes());
    folders.data.join(FOLDER).join(digest.hex()).join(FILE)
}

/// The ledger of the project that a folder is in: a hook's that works there. Only a trusted policy
/// says where.
pub(crate) fn from(start: &Path, folders: &Folders) -> Result<PathBuf, Failure> {
    let opened = |source| Failure::Open { path: start.to_owned(), source };
    let Some(kept) = Trusted::of(folders).nearest(start).map_err(opened)? else {
        let project = project(start, std::env::home_dir().as_deref());
        return Ok(of(&project, folders, &Policy::default()));
    };
    let policy = Policy::parse(&kept.text);
    let policy = policy.map_err(|source| Failure::Policy { path: kept.root.clone(), source })?;
    Ok(of(&kept.root, folders, &policy))
}

/// The folder that a project is known by, from a folder in it: that of its policy, else the
/// repository's top folder, else the folder itself. Neither is looked for above the home folder.
pub(crate) fn project(start: &Path, home: Option<&Path>) -> PathBuf {
    if let Some(file) = locate(start, home) {
        return folder_of(&file);
    }
    let mut below_home = start.ancestors().take_while(|folder| Some(*folder) != home);
    let top = below_home.find(|folder| folder.join(".git").exists());
    top.unwrap_or(start).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folders() -> Folders {
        Folders { config: "/c/quittance".into(), data: "/d/quittance".into() }
    }

    #[test]
    fn a_folder_by_any_name_is_one_project() {
        let top = tempfile::tempdir().unwrap();
        let root = top.path().join("repo");
        std::fs::create_dir_all(root.join("src")).unwrap();
        let place = of(&root, &folders(), &Policy::default());
        assert_eq!(of(&root.join("src/.."), &folders(), &Policy::default()), place);
        assert_ne!(of(&root.join("src"), &folders(), &Policy::default()), place);
        assert!(place.starts_with("/d/quittance/ledgers") && place.ends_with("ledger.db"));
    }

    #[test]
    fn the_policy_names_another_place() {
        let ledger = |text: &str| {
            let text = format!("version = 1\n[receipts]\nledger = \"{text}\"\n");
            of(Path::new("/repo"), &folders(), &Policy::parse(&text).unwrap())
        };
        assert_eq!(ledger("../receipts.db"), Path::new("/repo/../receipts.db"));
        assert_eq!(ledger("/var/receipts.db"), Path::new("/var/receipts.db"));
    }

    #[test]
    fn a_project_is_its_policys_folder_then_the_repository_then_the_folder() {
        let top = tempfile::tempdir().unwrap();
        let home = top.path().join("home");
        let below = home.join("repo/sub/src");
        std::fs::create_dir_all(&below).unwrap();
        let project = |start: &Path| project(start, Some(&home));
        assert_eq!(project(&below), below);
        // Somebody's dotfiles are no project of everything below them.
        std::fs::create_dir(home.join(".git")).unwrap();
        assert_eq!(project(&below), below);
        std::fs::create_dir(home.join("repo/.git")).unwrap();
        assert_eq!(project(&below), home.join("repo"));
        std::fs::write(home.join("repo/sub/quittance.toml"), "version = 1").unwrap();
        assert_eq!(project(&below), home.join("repo/sub"));
    }
}
