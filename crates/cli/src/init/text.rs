//! The policy that is written: every part with a remark, and nothing promised that was not tried.

use std::fmt::Write as _;

use super::kinds::Check;
use crate::render::{escape, excerpt};
use crate::trial::Trial;

/// What is written of a project's check.
#[derive(Debug)]
pub(super) struct Verifier<'a> {
    pub(super) check: &'a Check,
    pub(super) trial: &'a Trial,
}

/// What else is there to check the project, and where it was found.
pub(super) type Others<'a> = [(&'a Check, &'a str)];

/// Columns of code before a remark.
const REMARK: usize = 35;
/// What a hook needs beside its verifier: time for a judge, and to answer.
const HOOK_RESERVE_S: u32 = 120;
/// The hook's own deadline where the policy says nothing.
const HOOK_DEADLINE_S: u32 = 420;

/// The policy's text.
pub(super) fn policy(
    verifier: Option<&Verifier<'_>>,
    others: &Others<'_>,
    timeout_s: u32,
) -> String {
    let mut text = HEAD.to_owned();
    match verifier {
        Some(Verifier { check, trial }) if trial.is_reading() => {
            text.push_str(tried(trial));
            section(&mut text, "", check, others, timeout_s);
        }
        Some(Verifier { check, trial }) => {
            text.push_str(&untried(trial));
            section(&mut text, "# ", check, others, timeout_s);
        }
        None => text.push_str(NONE),
    }
    if timeout_s.saturating_add(HOOK_RESERVE_S) > HOOK_DEADLINE_S {
        let deadline_s = timeout_s.saturating_add(HOOK_RESERVE_S);
        // Writing to a String cannot fail.
        let _ = writeln!(text, "\n[hook]\ndeadline_s = {deadline_s}");
    }
    text.push_str(TAIL);
    text
}

/// The policy with one check in force, to try it under.
pub(super) fn trying(check: &Check, timeout_s: u32) -> String {
    policy(Some(&Verifier { check, trial: &Trial::Passed }), &[], timeout_s)
}

/// Lines that a user may want, behind marks of their own.
const OPTIONS: [(&str, &str); 2] = [
    ("# requires_write = true", "refuses a turn that changed nothing, a question too"),
    ("# cosmetic = [\"**/*.md\"]", "files that are not the work"),
];

/// Taking one mark from each line puts the check in force and nothing else.
fn section(text: &mut String, mark: &str, check: &Check, others: &Others<'_>, timeout_s: u32) {
    let _ = writeln!(text, "{mark}[verify]\n{mark}command = {}", words(check));
    for (other, from) in others {
        let other = format!("{mark}# command = {}", words(other));
        remarked(text, &other, &escape::foreign(from));
    }
    let _ = writeln!(text, "{mark}timeout_s = {timeout_s}");
    let when = format!("{mark}when = \"after_write\"");
    remarked(text, &when, "always, observed (the run's own check is read), never");
    for (line, remark) in OPTIONS {
        remarked(text, &format!("{mark}{line}"), remark);
    }
}

fn remarked(text: &mut String, line: &str, remark: &str) {
    let gap = REMARK.saturating_sub(line.chars().count()).max(1);
    let _ = writeln!(text, "{line}{:gap$}# {remark}", "");
}

/// A command as the file writes it. The words are ours and need no escape.
fn words(check: &Check) -> String {
    let words: Vec<String> = check.command.iter().map(|word| format!("\"{word}\"")).collect();
    format!("[{}]", words.join(", "))
}

const fn tried(trial: &Trial) -> &'static str {
    match trial {
        Trial::Passed => "# `quittance init` tried it: it passed.\n",
        _ => {
            "# `quittance init` tried it: it ran and failed, so a run that writes is refused until \
             it passes.\n"
        }
    }
}

fn untried(trial: &Trial) -> String {
    let why = match trial {
        Trial::CouldNot { why } => format!("could not be run when it was tried: {}", excerpt(why)),
        _ => "was not tried".to_owned(),
    };
    format!(
        "# Not in force: it {why}.\n# Once it runs, take one mark from each line of the section, then \
         `quittance trust`.\n"
    )
}

const HEAD: &str = "\
# What an agent owes before it may stop here.
# Hooks obey the copy of this file that you trust: after a change, `quittance trust`.
version = 1

# Files that every run has to leave behind; a missing one outranks whatever anybody says.
# [contract]
# artifacts = [\"dist/out.js\"]      # paths from this folder; literal, no globs

# The project's own check. It is run here once a turn has written; its exit status decides.
";

const NONE: &str = "\
# Nothing here told `quittance init` how this project is checked. Name it, then `quittance trust`.
# [verify]
# command = [\"make\", \"check\"]      # or one line for the shell
# timeout_s = 300
";

const TAIL: &str = "
# A model to ask where nothing above refuses. The file names a server and never a key: which
# variable holds the key is said in your own configuration.
# [judge.completion]
# provider = \"anthropic\"           # or base_url, or command = [\"my-judge\"]
# model = \"…\"

# [stop]
# max_refusals = 4                 # of one turn; then the stop is allowed, unverified

# [redact]                         # taken out of every text before anything rests on it
# patterns = [{ name = \"token\", regex = \"tok_[a-z0-9]+\" }]
";
