//! Each installed hook: whether its host runs it, and whether it holds a run that claims what is
//! not there.

use std::path::{Path, PathBuf};

use quittance_driver::process::Ended;
use quittance_hosts::hook::{HookAnswer, Host, Sample};
use quittance_hosts::settings::{HEADROOM_S, Installed, Place, events, installed, switched_off};

use super::declared::Declared;
use super::line::Line;
use super::shown;
use super::stage::{Said, Stage};
use crate::exit::Failure;
use crate::install::{HookTrust, settings_file, silenced};
use crate::{input, ledger_place};

const PART: &str = "hook";
/// Where a finding is of no single event.
const EVERY: &str = "every event";

/// One settings file of a host that holds our hook.
struct Holder {
    host: Host,
    place: Place,
    file: PathBuf,
    content: Vec<u8>,
    entries: Vec<Installed>,
}

pub(super) fn look(declared: &Declared, lines: &mut Vec<Line>) -> Result<(), Failure> {
    let project = ledger_place::project(&declared.here, std::env::home_dir().as_deref());
    let before = lines.len();
    for host in Host::ALL {
        let places = [Place::User, Place::Project];
        let holders: Vec<Holder> =
            places.into_iter().filter_map(|place| held(host, place, &project, lines)).collect();
        for holder in &holders {
            holder.look(declared, lines)?;
        }
        if let [first, second] = holders.as_slice()
            && first.file != second.file
        {
            let what = format!("{}: installed for you and in the project", host.as_str());
            let advice = "a host that runs both counts each stop twice: uninstall one of them";
            lines.push(Line::warning(PART, what, advice));
        }
    }
    if lines.len() == before {
        let advice = "`quittance install claude-code`, or another host";
        lines.push(Line::warning(PART, "none is installed", advice));
    }
    Ok(())
}

/// The settings of a host, where they hold our hook.
fn held(host: Host, place: Place, project: &Path, lines: &mut Vec<Line>) -> Option<Holder> {
    let file = settings_file(host, place, project).ok()?;
    // A pipe in its place would wait for ever.
    let found = std::fs::metadata(&file).ok().filter(std::fs::Metadata::is_file)?;
    let read = if found.len() > BYTES_MAX {
        Err(("read the settings: they are longer than a mebibyte".to_owned(), MEND))
    } else {
        let failed =
            |error| (format!("read the settings: {error}"), "give yourself the right to read it");
        std::fs::read(&file).map_err(failed)
    };
    let entries = read.and_then(|content| {
        let entries = installed(host, &content).map_err(|error| (error.to_string(), MEND))?;
        Ok((content, entries))
    });
    match entries {
        Ok((_, entries)) if entries.is_empty() => None,
        Ok((content, entries)) => Some(Holder { host, place, file, content, entries }),
        Err((why, advice)) => {
            let what = format!("{}: cannot {why} (in `{}`)", host.as_str(), shown(&file));
            let advice = format!("whether the hook is in there nobody can tell; {advice}");
            lines.push(Line::warning(PART, what, advice));
            None
        }
    }
}

const MEND: &str = "mend the file";
/// No settings of a person are longer.
const BYTES_MAX: u64 = 1024 * 1024;

impl Holder {
    fn look(&self, declared: &Declared, lines: &mut Vec<Line>) -> Result<(), Failure> {
        for event in events(self.host) {
            match self.entries.iter().filter(|entry| entry.event == event).count() {
                0 => lines.push(self.warning(event, "not installed there", &self.anew())),
                1 => {}
                _ => lines.push(self.warning(event, TWICE, &self.anew())),
            }
        }
        if let Ok(Some(field)) = switched_off(self.host, &self.content) {
            let what = format!("`{field}` keeps {} from running any hook", self.host.title());
            lines.push(self.failed(EVERY, &what, &format!("take `{field}` out of the settings")));
        }
        if self.host == Host::Codex {
            lines.push(self.trusted());
        }
        for entry in &self.entries {
            if let Some(line) = self.timeout(entry, declared) {
                lines.push(line);
            }
            lines.push(self.tried(entry)?);
        }
        Ok(())
    }

    fn whose(&self) -> &'static str {
        match self.place {
            Place::User => "yours",
            Place::Project => "the project's",
        }
    }

    fn told(&self, event: &str, what: &str) -> String {
        format!("{}, {}, {event}: {what}", self.host.as_str(), self.whose())
    }

    fn warning(&self, event: &str, what: &str, advice: &str) -> Line {
        Line::warning(PART, self.told(event, what), advice)
    }

    fn failed(&self, event: &str, what: &str, advice: &str) -> Line {
        Line::failed(PART, self.told(event, what), advice)
    }

    /// The command that installs this hook anew.
    fn anew(&self) -> String {
        let flag = match self.place {
            Place::User => "",
            Place::Project => " --project",
        };
        format!("`quittance install {}{flag}`", self.host.as_str())
    }

    /// Whether Codex runs the hook at all.
    fn trusted(&self) -> Line {
        let told = HookTrust::of(&self.file, &self.content)
            .and_then(|trust| Ok((trust.is_given()?, silenced(&trust, self.place, &self.file)?)));
        match told {
            Ok((true, None)) => Line::ok(PART, self.told(EVERY, "Codex trusts it")),
            Ok((_, Some(why))) => self.failed(EVERY, why, "say otherwise there, or in Codex"),
            Ok((false, None)) => {
                let what = "Codex does not trust it, and skips it in silence";
                let advice = format!("`/hooks` in Codex, or {} with --trust", self.anew());
                self.failed(EVERY, what, &advice)
            }
            Err(failure) => {
                let what = format!("whether Codex trusts it cannot be told: cannot {failure}");
                self.failed(EVERY, &what, "mend its `config.toml`")
            }
        }
    }

    /// A host that waits less long than the hook may take ends it before it answers.
    fn timeout(&self, entry: &Installed, declared: &Declared) -> Option<Line> {
        let deadline_s = u64::from(declared.policy.policy.hook.deadline_s);
        let needed_s = deadline_s + HEADROOM_S;
        let what = match entry.timeout_s {
            Some(timeout_s) if timeout_s >= needed_s => return None,
            Some(timeout_s) => format!("the host waits {timeout_s} s, and {needed_s} s are needed"),
            None => format!("how long the host waits is not said, and {needed_s} s are needed"),
        };
        Some(self.warning(entry.event, &what, &self.anew()))
    }

    /// Runs the hook on a made-up stop.
    fn tried(&self, entry: &Installed) -> Result<Line, Failure> {
        let event = entry.event;
        // What a project's file names may be anybody's program, and `doctor` runs nobody's.
        let bare = format!("quittance hook {}", self.host.as_str());
        if self.place == Place::Project && entry.command != bare {
            let what = format!("not run: a project's file names the command `{}`", entry.command);
            return Ok(self.warning(
                event,
                &what,
                &format!("look at it; {} writes ours", self.anew()),
            ));
        }
        let failed = |source| Failure::Write { path: std::env::temp_dir(), source };
        let stage = Stage::set().map_err(failed)?;
        let sample = stage.samples(self.host).into_iter().find(|sample| sample.event == event);
        let Some(sample) = sample else {
            return Ok(self.warning(event, "not run: we install none there", &self.anew()));
        };
        let said =
            input::runtime()?.block_on(stage.run(&entry.command, &sample)).map_err(failed)?;
        Ok(self.judged(event, &sample, &said))
    }

    fn judged(&self, event: &str, sample: &Sample, said: &Said) -> Line {
        if let Some(why) = amiss(&said.ended, &entry_program(&self.entries, event)) {
            let what = format!("{why}{}", complaint(said));
            let is_missing =
                matches!(said.ended, Ended::Exited(127)) && self.place == Place::Project;
            let advice = if is_missing { ON_PATH.to_owned() } else { self.anew() };
            return self.failed(event, &what, &advice);
        }
        let answer = match HookAnswer::read(self.host, &said.stdout) {
            Ok(answer) => answer,
            Err(error) => {
                let what = format!("cannot {error}{}", complaint(said));
                return self.failed(event, &what, &self.anew());
            }
        };
        match (answer, sample.record) {
            (HookAnswer::Block { reason }, _) if reason.contains(Sample::CLAIMED) => {
                Line::ok(PART, self.told(event, "refused a made-up false done"))
            }
            (HookAnswer::Allow | HookAnswer::AllowWithNotice { .. }, None) => {
                let what = format!(
                    "it answers, and every stop passes unverified: the records of {} have no \
                     reader yet",
                    self.host.title()
                );
                self.warning(event, &what, "nothing is held there yet")
            }
            (HookAnswer::AllowWithNotice { message }, Some(_)) => self.failed(
                event,
                &format!("it let a made-up false done pass: {message}"),
                &self.anew(),
            ),
            (HookAnswer::Allow, Some(_)) => {
                let what = format!("it let a made-up false done pass{}", complaint(said));
                self.failed(event, &what, &self.anew())
            }
            (HookAnswer::Block { reason }, _) => self.failed(
                event,
                &format!("it refused for another reason: {reason}"),
                &self.anew(),
            ),
        }
    }
}

fn entry_program(entries: &[Installed], event: &str) -> String {
    let entry = entries.iter().find(|entry| entry.event == event);
    entry.map(|entry| entry.program.clone()).unwrap_or_default()
}

const TWICE: &str = "there more than once, and each counts the stop";

/// What a hook's end says against it.
fn amiss(ended: &Ended, program: &str) -> Option<String> {
    match ended {
        Ended::Exited(0) => None,
        Ended::Exited(126) => Some(format!("`{program}` is there and may not be run")),
        Ended::Exited(127) => Some(format!("there is no program `{program}` to run")),
        Ended::Exited(status) => {
            Some(format!("it ended with exit code {status}, and has to with 0"))
        }
        Ended::Signaled(signal) => Some(format!("signal {signal} ended it")),
        Ended::Deadline => Some("it did not answer in time".to_owned()),
        Ended::NotStarted(cause) => Some(format!("it could not be started: {cause}")),
        Ended::Lost => Some("nobody saw how it ended".to_owned()),
    }
}

const ON_PATH: &str =
    "put `quittance` on the PATH that the host has: a project's file names it bare";

fn complaint(said: &Said) -> String {
    if said.complaint.is_empty() { String::new() } else { format!(" ({})", said.complaint) }
}
