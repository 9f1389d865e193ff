//! `quittance init`: looks at a project and writes its policy, with a verifier that it has tried.
//!
//! What a folder's files point to is `kinds`' to say, and nothing of them becomes part of a
//! command. The command is run as the hook would run it. What was written is trusted, since the
//! user asked for it; a file that was there is replaced at their word only.

mod args;
mod facts;
mod kinds;
mod text;

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write as _};
use std::path::Path;

use quittance_driver::EffectivePolicy;
use quittance_driver::policy::{Command, FILE_NAME, locate};
use serde_json::{Value, json};

pub(crate) use args::Init;
use facts::Facts;
pub(crate) use kinds::Check;
use kinds::Found;
use text::Verifier;

use crate::exit::Failure;
use crate::folders::Folders;
use crate::render::{Page, escape};
use crate::trial::{self, Trial};
use crate::trust::Trusted;
use crate::{Answer, input, trust};

/// Writes the policy of a folder.
pub(crate) fn run(args: &Init) -> Result<Answer, Failure> {
    let named = |source| Failure::Open { path: args.folder.clone(), source };
    let folder = args.folder.canonicalize().map_err(named)?;
    let file = folder.join(FILE_NAME);
    if !args.force && !args.dry_run && file.symlink_metadata().is_ok() {
        return Err(Failure::Exists { path: file });
    }
    let found = kinds::kinds(&Facts::of(&folder).map_err(named)?);
    let chosen = Chosen::of(&found, &folder, args)?;
    let text = chosen.text(args.timeout);
    let mut told = Told::of(&chosen, &file);
    if args.dry_run {
        told.shown(&text);
        return Ok(told.answer());
    }
    write(&file, &text, args.force)?;
    told.page.line("wrote", &escape::foreign(&file.to_string_lossy()));
    told.trusted(&trusted(&folder, &text)?);
    told.shadowed(&folder);
    told.next(&chosen);
    Ok(told.answer())
}

/// What a project is taken for, and the check that was settled on.
struct Chosen<'a> {
    found: &'a [Found],
    /// The check, with what came of its trial.
    verifier: Option<(&'a Check, Trial)>,
    /// Which kind it is of.
    of: Option<&'a Found>,
}

impl<'a> Chosen<'a> {
    /// Tries one check after the other until one gives a reading; else the first is kept, with the
    /// reason why it gave none.
    fn of(found: &'a [Found], folder: &Path, args: &Init) -> Result<Self, Failure> {
        let all = found.iter().flat_map(|found| found.checks.iter().map(move |it| (found, it)));
        let mut kept: Option<(&Found, &Check, Trial)> = None;
        for (of, check) in all {
            let trial = if args.no_run { Trial::Untried } else { tried(folder, check, args)? };
            if trial.is_reading() || args.no_run {
                return Ok(Self { found, verifier: Some((check, trial)), of: Some(of) });
            }
            kept.get_or_insert((of, check, trial));
        }
        let of = kept.as_ref().map(|(of, ..)| *of).or_else(|| found.first());
        Ok(Self { found, verifier: kept.map(|(_, check, trial)| (check, trial)), of })
    }

    fn text(&self, timeout_s: u32) -> String {
        let verifier = self.verifier.as_ref().map(|(check, trial)| Verifier { check, trial });
        text::policy(verifier.as_ref(), &self.others(), timeout_s)
    }

    /// The checks that were not settled on.
    fn others(&self) -> Vec<(&'a Check, &'a str)> {
        let chosen = self.verifier.as_ref().map(|(check, _)| *check);
        let checks = |found: &'a Found| found.checks.iter().map(|it| (it, found.from.as_str()));
        self.found.iter().flat_map(checks).filter(|(it, _)| Some(*it) != chosen).collect()
    }
}

/// Tries a check under the policy that would name it.
fn tried(folder: &Path, check: &Check, args: &Init) -> Result<Trial, Failure> {
    let text = text::trying(check, args.timeout);
    let parsed = EffectivePolicy::parse(&text);
    let policy = parsed.map_err(|source| Failure::Policy { path: FILE_NAME.into(), source })?;
    let Some(verify) = policy.policy.verify else { return Ok(Trial::Untried) };
    let line = verify.command.as_ref().map(Command::line).unwrap_or_default();
    // Long work is told of before it begins.
    let _ = writeln!(anstream::stderr(), "trying `{line}`, for at most {} s", args.timeout);
    trial::run(folder, &input::user()?, check, &verify)
}

/// Writes the file; one that is there only where it is to be replaced.
fn write(file: &Path, text: &str, is_forced: bool) -> Result<(), Failure> {
    let mut options = OpenOptions::new();
    options.write(true);
    if is_forced {
        options.create(true).truncate(true);
    } else {
        options.create_new(true);
    }
    let written = options.open(file).and_then(|mut open| open.write_all(text.as_bytes()));
    written.map_err(|source| match source.kind() {
        ErrorKind::AlreadyExists => Failure::Exists { path: file.to_owned() },
        _ => Failure::Write { path: file.to_owned(), source },
    })
}

/// Trusts what was written, which is the text at hand and not what stands in the file by now.
fn trusted(folder: &Path, text: &str) -> Result<Answer, Failure> {
    let folders = Folders::of_user().ok_or(Failure::NoHome)?;
    trust::keep(&Trusted::of(&folders), folder, text)
}

/// What was done, for people and as a document.
struct Told {
    page: Page,
    document: serde_json::Map<String, Value>,
}

impl Told {
    fn of(chosen: &Chosen<'_>, file: &Path) -> Self {
        let mut page = Page::default();
        match chosen.of {
            Some(of) => page.line("project", &format!("{} (`{}`)", of.kind, of.from)),
            None => page.line("project", "of no kind that is known here"),
        }
        let line = chosen.verifier.as_ref().map(|(check, _)| check.command.join(" "));
        page.lines("verifier", line.clone());
        let trial = chosen.verifier.as_ref().map_or(&Trial::Untried, |(_, trial)| trial);
        told_of(&mut page, trial, line.is_some());
        let mut document = serde_json::Map::new();
        document.insert("file".to_owned(), file.to_string_lossy().into());
        document.insert("kind".to_owned(), json!(chosen.of.map(|of| of.kind)));
        document.insert("from".to_owned(), json!(chosen.of.map(|of| of.from.as_str())));
        let command = chosen.verifier.as_ref().map(|(check, _)| &check.command);
        document.insert("command".to_owned(), json!(command));
        document.insert("trial".to_owned(), trial.as_str().into());
        let (why, findings) = match trial {
            Trial::CouldNot { why } => (Some(why.as_str()), None),
            Trial::Failed { findings } => (None, Some(findings.as_str())),
            Trial::Passed | Trial::Untried => (None, None),
        };
        document.insert("why".to_owned(), json!(why));
        document.insert("findings".to_owned(), json!(findings));
        document.insert("in_force".to_owned(), trial.is_reading().into());
        document.insert("written".to_owned(), false.into());
        document.insert("trusted".to_owned(), false.into());
        Self { page, document }
    }

    fn shown(&mut self, text: &str) {
        self.page.blank();
        self.page.plain(text.trim_end());
        self.page.blank();
        self.page.plain("Nothing was written.");
        self.document.insert("policy".to_owned(), text.into());
    }

    fn trusted(&mut self, trusted: &Answer) {
        self.page.plain(trusted.text.trim_end());
        self.document.insert("written".to_owned(), true.into());
        self.document.insert("trusted".to_owned(), true.into());
    }

    /// A hook that works above the folder does not find the policy; one above is not this one.
    fn shadowed(&mut self, folder: &Path) {
        let above = folder.parent().filter(|_| !folder.join(".git").exists());
        let above = above.and_then(|above| locate(above, std::env::home_dir().as_deref()));
        let Some(above) = above else { return };
        let shown = escape::foreign(&above.to_string_lossy());
        self.page.line("above", &format!("`{shown}` holds for whoever works above this folder"));
    }

    fn next(&mut self, chosen: &Chosen<'_>) {
        let in_force = chosen.verifier.as_ref().is_some_and(|(_, trial)| trial.is_reading());
        if in_force {
            self.page.line("next", "`quittance install claude-code`, or another host");
        } else {
            self.page
                .line("next", &format!("name a verifier in `{FILE_NAME}`, then `quittance trust`"));
        }
    }

    fn answer(self) -> Answer {
        Answer { document: Value::Object(self.document), text: self.page.into_text(), code: 0 }
    }
}

fn told_of(page: &mut Page, trial: &Trial, is_named: bool) {
    match trial {
        Trial::Passed => page.line("tried", "it passed"),
        Trial::Failed { findings } => {
            page.line("tried", "it ran and failed: a run that writes is refused until it passes");
            page.lines("", ending(findings).into_iter().map(escape::foreign));
        }
        Trial::CouldNot { why } => {
            page.line("tried", &format!("it could not be run: {}", escape::foreign(why)));
        }
        Trial::Untried if is_named => page.line("tried", "no"),
        Trial::Untried => page.line("verifier", "nothing says how this project is checked"),
    }
}

/// How many of a failing check's last lines are shown.
const LINES: usize = 8;

/// How a check ended, and its last lines.
fn ending(findings: &str) -> Vec<&str> {
    let mut lines = findings.lines();
    let how = lines.next();
    let last: Vec<&str> = lines.collect();
    let skipped = last.len().saturating_sub(LINES);
    how.into_iter().chain(last.into_iter().skip(skipped)).collect()
}
