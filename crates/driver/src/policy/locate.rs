//! Where the policy file of a folder is.

use std::path::{Path, PathBuf};

/// The file's name.
pub const FILE_NAME: &str = "quittance.toml";

/// Looks for the policy file from a folder upward. The search ends at the repository's top folder
/// or the user's home folder, whichever comes first: a file above either is somebody else's.
#[must_use]
pub fn locate(start: &Path, home: Option<&Path>) -> Option<PathBuf> {
    for folder in start.ancestors() {
        let candidate = folder.join(FILE_NAME);
        // A dangling link or a folder of this name is found too: reading it fails and says so,
        // where passing it over would drop the policy in silence.
        if candidate.symlink_metadata().is_ok() {
            return Some(candidate);
        }
        if folder.join(".git").exists() || Some(folder) == home {
            return None;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn never_above_the_repository_or_home() {
        let top = tempfile::tempdir().unwrap();
        let below = top.path().join("home/repo/src");
        std::fs::create_dir_all(&below).unwrap();
        std::fs::write(top.path().join(FILE_NAME), "version = 1").unwrap();
        assert_eq!(locate(&below, None), Some(top.path().join(FILE_NAME)));
        assert_eq!(locate(&below, Some(&top.path().join("home"))), None);
        std::fs::create_dir(top.path().join("home/repo/.git")).unwrap();
        assert_eq!(locate(&below, None), None);
        std::fs::write(top.path().join("home/repo").join(FILE_NAME), "version = 1").unwrap();
        assert_eq!(locate(&below, None), Some(top.path().join("home/repo").join(FILE_NAME)));
    }
}
