//! The user's own folders, where nothing of a project is read from.

use std::path::{Path, PathBuf};

/// Where the user's configuration and data are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Folders {
    /// Holds `config.toml` and the trusted policies.
    pub(crate) config: PathBuf,
    /// Holds the ledgers.
    pub(crate) data: PathBuf,
}

/// Our folder's name in each.
const NAME: &str = "quittance";

impl Folders {
    /// The folders of this user; none where there is no home to put them in.
    pub(crate) fn of_user() -> Option<Self> {
        let home = std::env::home_dir().filter(|home| home.is_absolute());
        let named = |variable| {
            let folder = std::env::var_os(variable).map(PathBuf::from);
            // A relative one is to be ignored, says the standard that names them.
            folder.filter(|folder| folder.is_absolute())
        };
        Self::from(home.as_deref(), named("XDG_CONFIG_HOME"), named("XDG_DATA_HOME"))
    }

    fn from(home: Option<&Path>, config: Option<PathBuf>, data: Option<PathBuf>) -> Option<Self> {
        let below = |folder: &str| home.map(|home| home.join(folder));
        Some(Self {
            config: config.or_else(|| below(".config"))?.join(NAME),
            data: data.or_else(|| below(".local/share"))?.join(NAME),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_named_folder_comes_before_the_home_folder() {
        let home = Some(Path::new("/folks/u"));
        let here = Folders::from(home, None, Some("/data".into())).unwrap();
        assert_eq!(here.config, Path::new("/folks/u/.config/quittance"));
        assert_eq!(here.data, Path::new("/data/quittance"));
        assert_eq!(Folders::from(None, None, Some("/data".into())), None);
    }
}
