//! Getting the clients: from the npm registry into a cache outside every clone, once a machine.
//!
//! A package is installed beside its place and moved there when it is whole, so that what a broken
//! fetch leaves is never taken for a client. No script of a package is run, and npm keeps no second
//! copy. A registry that hangs costs a bounded time, and is asked once for each package.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use super::client::Package;
use super::ground::Missing;
use crate::run;

/// How long one package may take: 400 MB on a slow line.
const PACKAGE: Duration = Duration::from_secs(300);

/// How long all of them may take together.
const ALL: Duration = Duration::from_secs(7 * 60);

/// Gets packages, each once.
#[derive(Debug)]
pub(crate) struct Fetcher {
    until: Instant,
    asked: Vec<(Package, Result<PathBuf, Missing>)>,
}

impl Fetcher {
    pub(crate) fn new() -> Self {
        Self { until: Instant::now() + ALL, asked: Vec::new() }
    }

    /// The folder of modules that holds a package, fetched unless it is there.
    pub(crate) fn modules(&mut self, package: Package) -> Result<PathBuf, Missing> {
        if let Some((_, found)) = self.asked.iter().find(|(asked, _)| *asked == package) {
            return found.clone();
        }
        let found = modules(package, self.until.saturating_duration_since(Instant::now()));
        self.asked.push((package, found.clone()));
        found
    }
}

fn modules(package: Package, left: Duration) -> Result<PathBuf, Missing> {
    let cache =
        cache().ok_or_else(|| Missing::new("there is no home folder to cache clients in"))?;
    let folder = cache.join(package.folder());
    let modules = folder.join("node_modules");
    if package.program(&modules).exists() {
        return Ok(modules);
    }
    println!("fetching {} into {}", package.wanted(), cache.display());
    install(package, &cache, &folder, left.min(PACKAGE))
        .map_err(|why| Missing::new(format!("{} cannot be had: {why}", package.wanted())))?;
    Ok(modules)
}

/// `$XDG_CACHE_HOME/quittance`, else the same below the home folder.
fn cache() -> Option<PathBuf> {
    let told = env::var_os("XDG_CACHE_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    let cache = told.or_else(|| Some(env::home_dir()?.join(".cache")))?;
    Some(cache.join("quittance"))
}

fn install(package: Package, cache: &Path, folder: &Path, left: Duration) -> Result<(), String> {
    if left.as_secs() == 0 {
        return Err("the time for fetching is up".to_owned());
    }
    fs::create_dir_all(cache).map_err(|cause| cause.to_string())?;
    let made = tempfile::Builder::new().prefix("fetching-").tempdir_in(cache);
    let made = made.map_err(|cause| cause.to_string())?;
    let own_cache = made.path().join("npm-cache");
    let mut npm = Command::new("timeout");
    npm.args(["--kill-after=10", &left.as_secs().to_string(), "npm", "install"]);
    npm.arg("--prefix").arg(made.path()).arg("--cache").arg(&own_cache);
    npm.args(["--no-save", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"]);
    npm.args(["--no-update-notifier", "--fetch-retries=1", &package.wanted()]);
    run::stdout(&mut npm).map_err(|failure| failure.to_string())?;
    if !package.program(&made.path().join("node_modules")).exists() {
        return Err("the package brings no program for this machine".to_owned());
    }
    drop(fs::remove_dir_all(&own_cache));
    // What a broken fetch of an earlier day left is nobody's; another fetch at the same time may
    // have been quicker, and its folder is as good.
    let moved = fs::rename(made.path(), folder);
    let is_there = package.program(&folder.join("node_modules")).exists();
    moved.or_else(|cause| if is_there { Ok(()) } else { Err(cause.to_string()) })
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::Fetcher;
    use crate::hosts::client::Client;
    use crate::hosts::ground::Missing;

    #[test]
    fn a_package_that_cannot_be_had_is_asked_for_once() {
        let missing = Missing::new("the registry does not answer");
        let package = Client::Codex.package();
        let asked = vec![(package, Err(missing.clone()))];
        let mut fetcher = Fetcher { until: Instant::now(), asked };
        assert_eq!(fetcher.modules(Client::CodexCodeMode.package()), Err(missing));
        assert_eq!(fetcher.asked.len(), 1);
    }

    #[test]
    fn nothing_is_fetched_when_the_time_is_up() {
        let folder = tempfile::tempdir().unwrap();
        let package = Client::GeminiCli.package();
        let place = folder.path().join(package.folder());
        let left = std::time::Duration::ZERO;
        let refused = super::install(package, folder.path(), &place, left).unwrap_err();
        assert_eq!(refused, "the time for fetching is up");
    }
}
