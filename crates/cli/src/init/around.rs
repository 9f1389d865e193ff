//! What lies around the folder whose policy is written: only told, never obeyed.

use std::path::{Path, PathBuf};

use quittance_driver::policy::locate;

use super::facts::Facts;
use super::kinds;
use crate::render::escape;

/// Folders that hold what was fetched or built, and nobody's project.
const NOT_PROJECTS: [&str; 5] = ["build", "dist", "node_modules", "target", "vendor"];
/// How many folders are looked into, and how many are told of.
const LOOKED_INTO: usize = 200;
const TOLD: usize = 8;

/// A hook that works above the folder does not find its policy, and one that works in it finds no
/// other.
pub(super) fn above(folder: &Path) -> Option<String> {
    let above = folder.parent().filter(|_| !is_repository(folder))?;
    if let Some(policy) = locate(above, std::env::home_dir().as_deref()) {
        let shown = escape::foreign(&policy.to_string_lossy());
        return Some(format!(
            "`{shown}` holds for whoever works above this folder, and no more in it"
        ));
    }
    let root = above.ancestors().find(|folder| is_repository(folder))?;
    let shown = escape::foreign(&root.to_string_lossy());
    Some(format!(
        "the repository begins at `{shown}`, which was not looked at; a policy there holds for all \
         of it"
    ))
}

fn is_repository(folder: &Path) -> bool {
    folder.join(".git").exists()
}

/// Projects in the folders right below.
pub(super) fn below(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = entries
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
        .map(|entry| entry.path())
        .take(LOOKED_INTO)
        .collect();
    folders.sort();
    folders.iter().filter_map(|folder| project(folder)).take(TOLD).collect()
}

fn project(folder: &Path) -> Option<String> {
    let name = folder.file_name()?.to_str()?;
    if name.starts_with('.') || NOT_PROJECTS.contains(&name) {
        return None;
    }
    let found = kinds::kinds(&Facts::of(folder).ok()?).into_iter().next()?;
    let name = escape::foreign(name);
    Some(format!("`{name}` holds a project of its own: {} (`{}`)", found.kind, found.from))
}
