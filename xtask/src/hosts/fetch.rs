//! Getting the clients: from the npm registry into a cache outside every clone, once a machine.
//!
//! A package is installed beside its place and moved there when it is whole, so that what a broken
//! fetch leaves is never taken for a client. No script of a package is run.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::client::Package;
use super::ground::Missing;
use crate::run;

/// How long one package may take: 400 MB on a slow line.
const FETCH_SECONDS: &str = "300";

/// The folder of modules that holds a package, fetched unless it is there.
pub(crate) fn modules(package: Package) -> Result<PathBuf, Missing> {
    let cache =
        cache().ok_or_else(|| Missing::new("there is no home folder to cache clients in"))?;
    let folder = cache.join(package.folder());
    let modules = folder.join("node_modules");
    if package.program(&modules).exists() {
        return Ok(modules);
    }
    println!("fetching {} into {}", package.wanted(), cache.display());
    install(package, &cache, &folder)
        .map_err(|why| Missing::new(format!("{} cannot be had: {why}", package.wanted())))?;
    Ok(modules)
}

/// `$XDG_CACHE_HOME/quittance`, else the same below the home folder.
fn cache() -> Option<PathBuf> {
    let told = env::var_os("XDG_CACHE_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    let cache = told.or_else(|| Some(env::home_dir()?.join(".cache")))?;
    Some(cache.join("quittance"))
}

fn install(package: Package, cache: &Path, folder: &Path) -> Result<(), String> {
    fs::create_dir_all(cache).map_err(|cause| cause.to_string())?;
    let made = tempfile::Builder::new().prefix("fetching-").tempdir_in(cache);
    let made = made.map_err(|cause| cause.to_string())?;
    let mut npm = Command::new("timeout");
    npm.args(["--kill-after=10", FETCH_SECONDS, "npm", "install", "--prefix"]).arg(made.path());
    npm.args(["--no-save", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"]);
    npm.args(["--no-update-notifier", "--fetch-retries=1", &package.wanted()]);
    run::stdout(&mut npm).map_err(|failure| failure.to_string())?;
    if !package.program(&made.path().join("node_modules")).exists() {
        return Err("the package brings no program for this machine".to_owned());
    }
    // What a broken fetch of an earlier day left is nobody's; another fetch at the same time may
    // have been quicker, and its folder is as good.
    let moved = fs::rename(made.path(), folder);
    let is_there = package.program(&folder.join("node_modules")).exists();
    moved.or_else(|cause| if is_there { Ok(()) } else { Err(cause.to_string()) })
}
