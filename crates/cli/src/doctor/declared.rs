//! The policy from here upward, and whether hooks obey it.

use std::path::{Path, PathBuf};

use quittance_driver::policy::{FILE_NAME, locate};
use quittance_driver::{EffectivePolicy, UserConfig};
use quittance_judge::policy::Slot;

use super::line::Line;
use crate::folders::Folders;
use crate::trust::{Kept, Trusted};
use crate::{input, ledger_place};

const POLICY: &str = "policy";
const TRUST: &str = "trust";

/// What the rest is looked at under.
pub(super) struct Declared {
    /// What hooks obey here; where they obey nothing, what the file says.
    pub(super) policy: EffectivePolicy,
    /// Whether hooks obey it: only then may anything of it be run.
    pub(super) is_trusted: bool,
    /// Whether what it says could be read, where anything says it.
    pub(super) is_readable: bool,
    /// Where declared paths, the verifier and the ledger's place start.
    pub(super) root: PathBuf,
    /// The folder the user stands in.
    pub(super) here: PathBuf,
    pub(super) user: UserConfig,
    /// The user's own configuration.
    pub(super) config: PathBuf,
}

impl Declared {
    pub(super) fn of(here: &Path, folders: &Folders, lines: &mut Vec<Line>) -> Self {
        let home = std::env::home_dir();
        let file = locate(here, home.as_deref());
        let written = file.as_deref().and_then(|file| read(file, lines));
        let kept = match Trusted::of(folders).nearest(here) {
            Ok(kept) => kept,
            Err(error) => {
                let what = format!("the copies you trust cannot be read: {error}");
                lines.push(Line::failed(TRUST, what, "mend the folder, or its permissions"));
                None
            }
        };
        if file.is_none() && kept.is_none() {
            let advice = "`quittance init` writes one";
            lines.push(Line::warning(POLICY, "none from this folder upward", advice));
        }
        let is_gone = file.is_none();
        let obeyed = kept.as_ref().and_then(|kept| obeyed(kept, is_gone, lines));
        if file.is_some() && kept.is_none() {
            let what = "nobody trusts it, so hooks run nothing of it and end unverified";
            lines.push(Line::failed(TRUST, what, "look at it, then `quittance trust`"));
        }
        let root = kept.map(|kept| kept.root).or_else(|| file.as_deref().map(input::folder_of));
        let root = root.unwrap_or_else(|| ledger_place::project(here, home.as_deref()));
        let is_trusted = obeyed.is_some();
        let is_readable = is_trusted || written.is_some() || file.is_none();
        let policy = obeyed.or(written).unwrap_or_default();
        deadline(&policy, lines);
        let user = user(folders, lines);
        let config = folders.config.join(quittance_driver::user::FILE_NAME);
        Self { policy, is_trusted, is_readable, root, here: here.to_owned(), user, config }
    }
}

/// The file as it stands.
fn read(file: &Path, lines: &mut Vec<Line>) -> Option<EffectivePolicy> {
    if std::fs::metadata(file).is_ok_and(|found| !found.is_file()) {
        let what = format!("`{}` is no file", file.display());
        lines.push(Line::failed(POLICY, what, "put a policy in its place"));
        return None;
    }
    match input::policy_text(file) {
        Ok((_, policy)) => {
            lines.push(Line::ok(POLICY, format!("`{}` can be obeyed", file.display())));
            Some(policy)
        }
        Err(failure) => {
            lines.push(Line::failed(
                POLICY,
                format!("cannot {failure}"),
                "mend it, then `quittance trust`",
            ));
            None
        }
    }
}

/// The copy that hooks obey.
fn obeyed(kept: &Kept, is_gone: bool, lines: &mut Vec<Line>) -> Option<EffectivePolicy> {
    let root = kept.root.display();
    match EffectivePolicy::parse(&kept.text) {
        Err(error) => {
            let what = format!("the copy for `{root}` that you trust cannot be obeyed: {error}");
            lines.push(Line::failed(TRUST, what, "`quittance trust` makes the file the copy"));
            None
        }
        Ok(policy) => {
            let obey =
                format!("hooks obey the copy for `{root}` that you trust, and `{FILE_NAME}`");
            lines.push(if kept.is_changed && is_gone {
                let advice = format!(
                    "put it back, or take the trust back: `quittance trust --revoke {root}`"
                );
                Line::warning(TRUST, format!("{obey} is gone"), advice)
            } else if kept.is_changed {
                let what = format!("{obey} says something else");
                Line::warning(TRUST, what, "look at it, then `quittance trust`")
            } else {
                Line::ok(TRUST, "hooks obey it as it stands")
            });
            Some(policy)
        }
    }
}

fn user(folders: &Folders, lines: &mut Vec<Line>) -> UserConfig {
    UserConfig::load(&folders.config).unwrap_or_else(|error| {
        let what = format!("cannot {error}");
        lines.push(Line::failed("config", what, "mend it: no hook can decide without it"));
        UserConfig::default()
    })
}

/// What is kept back of a hook's deadline for committing and answering, in seconds.
const RESERVE_S: u64 = 5;

/// A verifier and judges that need longer than the hook has are ended before they answer.
fn deadline(policy: &EffectivePolicy, lines: &mut Vec<Line>) {
    let policy = &policy.policy;
    let verify = policy.verify.as_ref().filter(|verify| verify.when.runs());
    let verify_s = verify.map_or(0, |verify| u64::from(verify.timeout_s));
    let judges = Slot::ALL.into_iter().filter_map(|slot| policy.judges.get(slot).as_ref());
    let judges_ms: u64 = judges.map(|judge| u64::from(judge.operation_timeout_ms)).sum();
    let needed_s = verify_s + judges_ms.div_ceil(1000) + RESERVE_S;
    let deadline_s = u64::from(policy.hook.deadline_s);
    if needed_s > deadline_s {
        let what = format!(
            "the verifier and one question to each judge may take {needed_s} s, the hook has \
             {deadline_s} s"
        );
        let advice = "raise `hook.deadline_s` or lower the others, `quittance trust`, and install \
                      the hooks anew";
        lines.push(Line::warning("deadline", what, advice));
    }
}
