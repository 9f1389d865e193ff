//! The bytes of all golden snapshots at one moment, to compare with another or put back.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::failure::Failure;
use crate::files;
use crate::tidy::goldens;

/// Snapshot files by their path relative to the root.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Snapshots(BTreeMap<String, Vec<u8>>);

impl Snapshots {
    /// Reads every snapshot under the golden folder.
    pub(super) fn read(root: &Path) -> Result<Self, Failure> {
        let mut snapshots = BTreeMap::new();
        for path in files::list(root)? {
            if path.starts_with(goldens::FOLDER) && path.ends_with(goldens::SNAPSHOT) {
                let bytes = files::read(&root.join(&path))?;
                snapshots.insert(path, bytes);
            }
        }
        Ok(Self(snapshots))
    }

    /// Names what is not the same at the other moment, appeared or gone ones included.
    pub(super) fn differing(&self, other: &Self) -> Vec<String> {
        let paths = self.0.keys().chain(other.0.keys().filter(|path| !self.0.contains_key(*path)));
        paths.filter(|path| self.0.get(*path) != other.0.get(*path)).cloned().collect()
    }

    /// Puts the chosen ones back as they were at this moment, and removes chosen newer ones.
    pub(super) fn restore(
        &self,
        root: &Path,
        chosen: impl Fn(&str) -> bool,
    ) -> Result<(), Failure> {
        let now = Self::read(root)?;
        for path in self.differing(&now).iter().filter(|path| chosen(path)) {
            let place = root.join(path);
            match self.0.get(path) {
                Some(bytes) => files::write(&place, bytes)?,
                None => fs::remove_file(&place).map_err(|cause| files::unusable(&place, cause))?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::Snapshots;

    fn put(root: &Path, case: &str, text: &str) {
        let folder = root.join("golden/area").join(case);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("x.snap"), text).unwrap();
    }

    #[test]
    fn what_changed_is_named_and_put_back_unless_chosen_otherwise() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        put(root, "kept", "1");
        put(root, "changed", "1");
        let before = Snapshots::read(root).unwrap();
        put(root, "changed", "2");
        put(root, "new", "1");
        let after = Snapshots::read(root).unwrap();
        let named = ["golden/area/changed/x.snap", "golden/area/new/x.snap"];
        assert_eq!(before.differing(&after), named);

        before.restore(root, |path| path.contains("new")).unwrap();
        let restored = Snapshots::read(root).unwrap();
        assert_eq!(before.differing(&restored), named[..1]);
        before.restore(root, |_| true).unwrap();
        assert_eq!(Snapshots::read(root).unwrap(), before);
    }
}
