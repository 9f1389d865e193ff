//! `quittance doctor`: whether what a hook needs is there and works, each part tried once.
//!
//! Nothing of a policy that the user does not trust is run or asked, and an installed hook is tried
//! on a made-up stop, in folders that are thrown away: no refusal is spent and no receipt is left.
//! Keys are looked for and never shown.

mod declared;
mod hooks;
mod judges;
mod ledger;
mod line;
mod programs;
mod stage;
mod verifier;

use std::path::PathBuf;

use serde_json::{Value, json};

use declared::Declared;
use line::{Line, Status};

use crate::Answer;
use crate::exit::{self, Failure};
use crate::folders::Folders;
use crate::render::{Page, counted, escape};

const HELP: &str = "\
Example:
  quittance doctor
  quittance doctor --run";

const AFTER: &str = "\
Looks at the policy from here upward, whether hooks obey it, its verifier and judges, the ledger, \
and each installed hook, which it runs once on a made-up stop with a ledger that is thrown away. \
It asks a judge's server for a connection and shows it no key.

Exit codes: 0 nothing failed, 22 something did; 64 usage, 74 I/O.";

/// Checks the policy, its verifier and judges, the ledger and each installed hook
#[derive(Debug, clap::Args)]
#[command(before_help = HELP, after_help = AFTER)]
pub(crate) struct Doctor {
    /// Runs the verifier too
    #[arg(long)]
    run: bool,
    /// Prints one JSON document instead of text
    #[arg(long)]
    pub(crate) json: bool,
}

/// Looks at everything, whatever fails.
pub(crate) fn run(args: &Doctor) -> Result<Answer, Failure> {
    let opened = |source| Failure::Open { path: ".".into(), source };
    let here = std::env::current_dir().and_then(|here| here.canonicalize()).map_err(opened)?;
    let folders = Folders::of_user().ok_or(Failure::NoHome)?;
    let mut lines = Vec::new();
    let declared = Declared::of(&here, &folders, &mut lines);
    verifier::look(&declared, args.run, &mut lines)?;
    judges::look(&declared, &mut lines)?;
    ledger::look(&declared, &folders, &mut lines);
    hooks::look(&declared, &mut lines)?;
    Ok(answer(&lines))
}

fn answer(lines: &[Line]) -> Answer {
    let count = |status| lines.iter().filter(|line| line.status == status).count();
    let (failed, warnings) = (count(Status::Failed), count(Status::Warning));
    let mut page = Page::default();
    lines.iter().for_each(|line| line.put(&mut page));
    let counted = |count: usize, noun| counted(u64::try_from(count).unwrap_or(u64::MAX), noun);
    page.blank();
    page.plain(&format!("{failed} failed, {}", counted(warnings, "warning")));
    let document = json!({
        "checks": lines.iter().map(Line::to_value).collect::<Vec<Value>>(),
        "failed": failed,
        "warnings": warnings,
    });
    let code = if failed > 0 { exit::AMISS } else { 0 };
    Answer { document, text: page.into_text(), code }
}

/// A path for people.
fn shown(path: &std::path::Path) -> String {
    escape::foreign(&path.to_string_lossy())
}

/// Where programs are looked for.
fn search_path() -> Vec<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).collect()
}
