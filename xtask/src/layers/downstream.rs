//! A stranger's crate that depends on one of ours alone.
//!
//! In our own workspace cargo unifies features and development dependencies; only a crate outside
//! of it shows what a user compiles. The workspace's lock file goes along, so the same versions
//! are used and nothing is fetched that is here already.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use super::graph;
use crate::failure::Failure;
use crate::{files, run};

/// A package in a temporary folder, gone when this is dropped.
#[derive(Debug)]
pub(super) struct Downstream {
    folder: TempDir,
}

impl Downstream {
    /// Writes a package that depends on the crate in `crates/<folder>` and nothing else.
    pub(super) fn of(root: &Path, folder: &str) -> Result<Self, Failure> {
        let made = TempDir::new().map_err(|cause| files::unusable(Path::new("temp"), cause))?;
        let place = made.path();
        fs::create_dir(place.join("src")).map_err(|cause| files::unusable(place, cause))?;
        let library = format!("//! Uses one crate.\n\npub use quittance_{folder} as used;\n");
        files::write(&place.join("src/lib.rs"), library.as_bytes())?;
        files::write(&place.join("Cargo.toml"), manifest(root, folder).as_bytes())?;
        files::write(&place.join("Cargo.lock"), &files::read(&root.join("Cargo.lock"))?)?;
        Ok(Self { folder: made })
    }

    /// Names every outside crate it compiles, build dependencies and procedural macros included.
    pub(super) fn outside_crates(&self) -> Result<Vec<String>, Failure> {
        let metadata = graph::metadata(self.folder.path(), false)?;
        let member = metadata.workspace_packages().into_iter().next();
        let reached = member.map(|package| graph::outside_reach(&metadata, &package.id));
        let chains = reached.unwrap_or_default().into_values();
        Ok(chains.filter_map(|mut chain| chain.pop()).collect())
    }

    /// Compiles it; what it builds is kept below the target folder for the next time.
    pub(super) fn build(&self, target_folder: &Path) -> Result<(), Failure> {
        let mut command = run::cargo(self.folder.path());
        command.args(["build", "--quiet", "--target-dir"]).arg(target_folder.join("downstream"));
        run::stdout(&mut command).map(drop)
    }
}

fn manifest(root: &Path, folder: &str) -> String {
    let path = root.join("crates").join(folder);
    let path = path.display().to_string().replace('\\', r"\\").replace('"', r#"\""#);
    format!(
        "[workspace]\n\n[package]\nname = \"downstream\"\nversion = \"0.0.0\"\n\
         edition = \"2024\"\npublish = false\n\n[dependencies]\n\
         quittance-{folder} = {{ path = \"{path}\" }}\n"
    )
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::manifest;

    #[test]
    fn the_manifest_names_one_dependency() {
        let table: toml::Table = manifest(Path::new("/repo/a \"b\""), "evidence").parse().unwrap();
        let dependencies = table["dependencies"].as_table().unwrap();
        assert_eq!(dependencies.len(), 1);
        let path = dependencies["quittance-evidence"]["path"].as_str().unwrap();
        assert!(path.ends_with("crates/evidence") && path.contains("\"b\""), "{path}");
    }
}
