//! Where a host's settings lie on this machine.

use std::env;
use std::path::{Path, PathBuf};

use quittance_hosts::hook::Host;
use quittance_hosts::settings::{Place, location};

use crate::exit::Failure;

/// The settings file of a host: in the project's folder, or in the user's own.
pub(crate) fn settings(host: Host, place: Place, project: &Path) -> Result<PathBuf, Failure> {
    let location = location(host, place);
    let folder = match place {
        Place::Project => project.join(location.folder),
        Place::User => user(host)?,
    };
    Ok(folder.join(location.file))
}

/// The folder of a host's user settings: the one that its own variable names, else in the home
/// folder.
pub(super) fn user(host: Host) -> Result<PathBuf, Failure> {
    let location = location(host, Place::User);
    let named = location.folder_variable.and_then(env::var_os).filter(|folder| !folder.is_empty());
    if let Some(folder) = named.map(PathBuf::from) {
        let absolute = std::path::absolute(&folder);
        return absolute.map_err(|source| Failure::Open { path: folder, source });
    }
    let home = env::home_dir().filter(|home| home.is_absolute());
    Ok(home.ok_or(Failure::NoHome)?.join(location.folder))
}
