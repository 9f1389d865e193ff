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

use std::path::{Path, PathBuf};

use quittance_hosts::hook::{Basis, Host};
use quittance_hosts::settings::{self, HEADROOM_S, Place, Scope};
use serde_json::{Value, json};

pub(crate) use args::{Install, Uninstall, host};
pub(crate) use codex::HookTrust;
pub(crate) use failure::Failure;
pub(crate) use place::settings as settings_file;
use policy::{Obeyed, keep};

use crate::exit::Failure as Exit;
use crate::folders::Folders;
use crate::render::{Page, escape};
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
    let deadline_s = deadline(args, &obeyed, &file)?;
    let program = program()?;
    let scope = match args.target.place() {
        Place::Project => Scope::Project,
        Place::User => Scope::User { program: &program },
    };
    let edit = |bytes: Option<&[u8]>| settings::install(host, bytes, scope, deadline_s);
    // Before anything is written, so that settings that cannot be edited leave nothing behind.
    file.preview(&edit)?;
    let kept = keep(obeyed.copy, dry_run)?;
    let mut report = Report::of(&args.target, file.path());
    let change = made(&file, &edit, dry_run)?;
    report.changed(file.path(), &change);
    report.note_of(host, args.target.place());
    if let Some(other) = installed_elsewhere(&args.target, file.path()) {
        report.twice(&other);
    }
    trusting(args, file.path(), &change, &mut report)?;
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
    let change = made(&file, &|bytes| settings::uninstall(host, bytes), dry_run)?;
    report.changed(file.path(), &change);
    if host == Host::Codex {
        // The trust that its entries had, which nothing needs any longer.
        let trust = HookTrust::of(file.path(), change.before.as_deref().unwrap_or_default())?;
        let taken = trust.take(dry_run)?;
        if taken.is_changed {
            report.changed(trust.path(), &taken);
        }
    }
    Ok(report.answer())
}

/// Gives Codex's trust where that was asked for, else says that it is needed.
fn trusting(
    args: &Install,
    hooks: &Path,
    change: &Change,
    report: &mut Report,
) -> Result<(), Exit> {
    if args.target.host != Host::Codex {
        return Ok(());
    }
    let content = change.after.as_deref().unwrap_or_default();
    let trust = HookTrust::of(hooks, content.as_bytes())?;
    if args.trust {
        let given = trust.give(args.target.dry_run)?;
        report.changed(trust.path(), &given);
    }
    let is_trusted = if args.trust { !args.target.dry_run } else { trust.is_given()? };
    report.insert("is_trusted", is_trusted);
    if !is_trusted && !args.trust {
        report.page.line("untrusted", UNTRUSTED);
    }
    Ok(())
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

/// What was done, for people and as a document.
struct Report {
    page: Page,
    document: serde_json::Map<String, Value>,
    is_dry: bool,
    is_changed: bool,
    files: Vec<Value>,
}

impl Report {
    fn of(target: &Target, file: &Path) -> Self {
        let (host, place) = (target.host, target.place());
        let (scope, whose) = match place {
            Place::Project => ("project", "the project's settings"),
            Place::User => ("user", "your own settings"),
        };
        let mut page = Page::default();
        page.line("host", &format!("{}, {whose}", host.title()));
        let document = json!({
            "host": host.as_str(),
            "scope": scope,
            "file": file.to_string_lossy(),
            "dry_run": target.dry_run,
        });
        let Value::Object(document) = document else { return Self::empty(target.dry_run) };
        Self { page, document, ..Self::empty(target.dry_run) }
    }

    fn empty(is_dry: bool) -> Self {
        let (page, document) = (Page::default(), serde_json::Map::new());
        Self { page, document, is_dry, is_changed: false, files: Vec::new() }
    }

    fn insert(&mut self, key: &str, value: impl Into<Value>) {
        self.document.insert(key.to_owned(), value.into());
    }

    /// Tells a change of a file; of a dry run, the change itself.
    fn changed(&mut self, path: &Path, change: &Change) {
        let before = change.before.as_deref().map(String::from_utf8_lossy);
        let after = change.after.as_deref();
        let diff = if change.is_changed {
            diff::unified(path, before.as_deref(), after)
        } else {
            String::new()
        };
        let shown = escape::foreign(&path.to_string_lossy());
        let label = match (change.is_changed, before.is_some(), after.is_some()) {
            (false, _, _) => "unchanged",
            (true, false, _) => "made",
            (true, true, false) => "removed",
            (true, true, true) => "changed",
        };
        self.page.line(label, &shown);
        self.page.lines("", change.summary.iter().map(|line| escape::foreign(line)));
        if self.is_dry && change.is_changed {
            self.page.blank();
            self.page.plain(diff::shown(&diff).trim_end());
            self.page.blank();
        }
        self.is_changed |= change.is_changed;
        self.files.push(json!({
            "file": path.to_string_lossy(),
            "change": label,
            "summary": change.summary,
            "diff": diff,
        }));
    }

    /// What else there is to know of this host.
    fn note_of(&mut self, host: Host, place: Place) {
        if place == Place::Project {
            self.page.line("", "it is run by its bare name: `quittance` has to be on the PATH");
        }
        if host.basis() == Basis::Documented {
            let known = "known from the vendor's documentation; no client was driven";
            self.page.line("", known);
        }
    }

    /// Two hooks at one stop count it twice.
    fn twice(&mut self, other: &Path) {
        let shown = escape::foreign(&other.to_string_lossy());
        let why = "a host that runs both counts each stop twice: uninstall one of them";
        self.page.line("twice", &format!("`{shown}` holds the hook too; {why}"));
        self.insert("also_in", other.to_string_lossy());
    }

    fn answer(mut self) -> Answer {
        if self.is_dry {
            self.page.plain("Nothing was written.");
        }
        let (changed, files) = (self.is_changed, std::mem::take(&mut self.files));
        self.insert("changed", changed);
        self.insert("files", files);
        Answer { document: Value::Object(self.document), text: self.page.into_text(), code: 0 }
    }
}
