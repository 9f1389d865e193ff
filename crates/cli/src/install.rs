//! `quittance install` and `quittance uninstall`: the hook in a host's own settings.
//!
//! What the change is, is `quittance-hosts`' to say; here it is put on the disk. Nothing but our
//! own entry is touched, and no trust is written that the user did not ask for.

mod args;
mod codex;
mod diff;
mod failure;
mod file;
mod place;
mod policy;
mod report;

use std::path::{Path, PathBuf};

use quittance_hosts::hook::Host;
use quittance_hosts::settings::{self, Edit, HEADROOM_S, Place, Scope, SettingsError, Silenced};
use serde_json::Value;

pub(crate) use args::{Install, Uninstall};
pub(crate) use codex::HookTrust;
pub(crate) use failure::Failure;
pub(crate) use place::settings as settings_file;
use policy::{Obeyed, keep};
use report::Report;

use crate::exit::Failure as Exit;
use crate::folders::Folders;
use crate::render::escape;
use crate::{Answer, ledger_place};
use args::Target;
use file::{Change, EditFn, SettingsFile};

/// Puts the hook in.
pub(crate) fn install(args: &Install) -> Result<Answer, Exit> {
    let Target { host, dry_run, .. } = args.target;
    if args.trust && host != Host::Codex {
        return Err(Failure::NoTrust { title: host.title() }.into());
    }
    let folders = Folders::of_user().ok_or(Exit::NoHome)?;
    let obeyed = Obeyed::from(&here()?, &folders)?;
    let file = file(&args.target)?;
    if args.target.place() == Place::Project && file_in(host, Place::User)?.path() == file.path() {
        return Err(Failure::NoProject { path: file.path().to_owned() }.into());
    }
    let deadline_s = deadline(args, &obeyed, &file)?;
    let program = program()?;
    let scope = match args.target.place() {
        Place::Project => Scope::Project,
        Place::User => Scope::User { program: &program },
    };
    let edit = |bytes: Option<&[u8]>| settings::install(host, bytes, scope, deadline_s);
    // Before anything is written, so that what cannot be edited leaves nothing behind.
    let planned = file.preview(&edit)?;
    if args.trust {
        trust_in(&file, &planned)?.give(true)?;
    }
    let mut report = Report::of(&args.target, file.path());
    let change = made(&file, &edit, dry_run)?;
    report.changed(file.path(), &change);
    report.note_of(host, args.target.place());
    if let Some(other) = installed_elsewhere(&args.target, file.path()) {
        report.twice(&other);
    }
    let in_part =
        |source: Exit| Exit::InPart { done: file.path().to_owned(), source: source.into() };
    trusting(args, &file, &change, &mut report).map_err(in_part)?;
    let kept = keep(obeyed.copy, dry_run).map_err(in_part)?;
    report.page.plain(kept.text.trim_end());
    report.insert("deadline_s", deadline_s);
    report.insert("policy", kept.document);
    Ok(report.answer())
}

/// Takes the hook out.
pub(crate) fn uninstall(args: &Uninstall) -> Result<Answer, Exit> {
    let Target { host, dry_run, .. } = args.target;
    let file = file(&args.target)?;
    let mut report = Report::of(&args.target, file.path());
    let change = made(&file, &|bytes| taken_out(host, bytes), dry_run)?;
    report.changed(file.path(), &change);
    if host == Host::Codex {
        match untrusting(&file, &change, dry_run, &mut report) {
            Ok(()) => {}
            // The hook is out all the same.
            Err(failure) => report.failed("trust", &failure),
        }
    }
    Ok(report.answer())
}

/// What is left without our hook. A file may go only where it holds just what we would have made.
fn taken_out(host: Host, bytes: Option<&[u8]>) -> Result<Edit, SettingsError> {
    let mut left = settings::uninstall(host, bytes)?;
    left.empty &= bytes.is_some_and(|bytes| is_ours_alone(host, bytes));
    Ok(left)
}

fn is_ours_alone(host: Host, bytes: &[u8]) -> bool {
    let entries = settings::installed(host, bytes).unwrap_or_default();
    let Some(entry) = entries.first() else { return false };
    let program = entry.program.as_str();
    let is_bare = program == NAME;
    let scope = if is_bare { Scope::Project } else { Scope::User { program } };
    let deadline_s = entry.timeout_s.and_then(|timeout_s| timeout_s.checked_sub(HEADROOM_S));
    let made =
        deadline_s.and_then(|deadline_s| settings::install(host, None, scope, deadline_s).ok());
    made.is_some_and(|made| made.text.as_bytes() == bytes)
}

/// How a project's settings name this program.
const NAME: &str = "quittance";

/// Takes back the trust that entries had, which nothing needs any longer.
fn untrusting(
    file: &SettingsFile,
    change: &Change,
    is_dry: bool,
    report: &mut Report,
) -> Result<(), Exit> {
    let trust = HookTrust::of(file.path(), change.before.as_deref().unwrap_or_default())?;
    let taken = trust.take(is_dry)?;
    if taken.is_changed {
        report.changed(trust.path(), &taken);
    }
    Ok(())
}

/// The trust that the hooks in a changed file need.
fn trust_in(file: &SettingsFile, change: &Change) -> Result<HookTrust, Exit> {
    HookTrust::of(file.path(), change.after.as_deref().unwrap_or_default().as_bytes())
}

/// Gives Codex's trust where that was asked for, else says that it is needed.
fn trusting(
    args: &Install,
    file: &SettingsFile,
    change: &Change,
    report: &mut Report,
) -> Result<(), Exit> {
    if args.target.host != Host::Codex {
        return Ok(());
    }
    let trust = trust_in(file, change)?;
    if args.trust {
        let given = trust.give(args.target.dry_run)?;
        report.changed(trust.path(), &given);
    }
    // Without --trust its `config.toml` is only looked at, and need not be readable.
    match stands(args, file, &trust) {
        Ok((is_trusted, silenced)) => {
            report.insert("is_trusted", is_trusted);
            report.page.lines("silenced", silenced.map(str::to_owned));
            let is_due = !is_trusted && !args.trust;
            report.page.lines("untrusted", is_due.then(|| UNTRUSTED.to_owned()));
        }
        Err(failure) if args.trust => return Err(failure.into()),
        Err(failure) => {
            report.insert("is_trusted", Value::Null);
            let failure = escape::foreign(&failure.to_string());
            report.page.line("untrusted", &format!("it may be, nobody can tell: cannot {failure}"));
        }
    }
    Ok(())
}

/// Whether the hook is trusted now, and what silences it all the same.
fn stands(
    args: &Install,
    file: &SettingsFile,
    trust: &HookTrust,
) -> Result<(bool, Option<&'static str>), Failure> {
    let is_trusted = if args.trust { !args.target.dry_run } else { trust.is_given()? };
    Ok((is_trusted, silenced(trust, args.target.place(), file.path())?))
}

/// Why Codex runs the hook in no case, whatever trust it has; that is the user's to change.
pub(crate) fn silenced(
    trust: &HookTrust,
    place: Place,
    hooks: &Path,
) -> Result<Option<&'static str>, Failure> {
    // The settings lie in a folder of the project's.
    let project = hooks.ancestors().nth(2).filter(|_| place == Place::Project);
    Ok(trust.silenced(project)?.map(|silenced| match silenced {
        Silenced::SwitchedOff => "Codex's `config.toml` switches it off: `enabled = false`",
        Silenced::ProjectUntrusted => {
            "Codex's `config.toml` calls the project untrusted, and runs none of its hooks"
        }
        _ => "Codex's `config.toml` keeps it from running",
    }))
}

const UNTRUSTED: &str = "Codex skips a hook that you do not trust, and says nothing: trust it in \
                         Codex with `/hooks`, or give this command --trust";

/// The deadline that the host is told: never shorter than the hook's own, and of a user's settings,
/// which are every project's, never shorter than they hold already.
fn deadline(args: &Install, obeyed: &Obeyed, file: &SettingsFile) -> Result<u64, Exit> {
    let policy_s = u64::from(obeyed.policy.policy.hook.deadline_s);
    if let Some(asked_s) = args.deadline {
        let is_short = asked_s < policy_s;
        return if is_short {
            Err(Failure::Short { asked_s, policy_s }.into())
        } else {
            Ok(asked_s)
        };
    }
    if args.target.place() == Place::Project {
        return Ok(policy_s);
    }
    let current = file.read()?.unwrap_or_default();
    // What cannot be read is refused where it is edited.
    let entries = settings::installed(args.target.host, &current).unwrap_or_default();
    let held = entries.iter().filter_map(|entry| entry.timeout_s?.checked_sub(HEADROOM_S)).max();
    Ok(held.unwrap_or_default().max(policy_s))
}

/// The other settings of this host that hold our hook too. Settings that cannot be read hold none.
fn installed_elsewhere(target: &Target, here: &Path) -> Option<PathBuf> {
    let other = match target.place() {
        Place::Project => Place::User,
        Place::User => Place::Project,
    };
    let file = file_in(target.host, other).ok().filter(|file| file.path() != here)?;
    let held = file.read().ok()??;
    let entries = settings::installed(target.host, &held).unwrap_or_default();
    (!entries.is_empty()).then(|| file.path().to_owned())
}

fn made(file: &SettingsFile, edit: &EditFn<'_>, is_dry: bool) -> Result<Change, Failure> {
    if is_dry { file.preview(edit) } else { file.change(edit) }
}

fn file(target: &Target) -> Result<SettingsFile, Exit> {
    file_in(target.host, target.place())
}

fn file_in(host: Host, place: Place) -> Result<SettingsFile, Exit> {
    let project = ledger_place::project(&here()?, std::env::home_dir().as_deref());
    let path = settings_file(host, place, &project)?;
    Ok(SettingsFile::at(path)?)
}

fn here() -> Result<PathBuf, Exit> {
    std::env::current_dir().map_err(|source| Exit::Open { path: ".".into(), source })
}

/// This program by its absolute path.
fn program() -> Result<String, Failure> {
    let failed = |cause: &dyn std::fmt::Display| Failure::Program { cause: cause.to_string() };
    let program = std::env::current_exe().map_err(|error| failed(&error))?;
    let text = program.into_os_string().into_string();
    text.map_err(|path| failed(&format!("`{}` is not UTF-8", path.display())))
}
