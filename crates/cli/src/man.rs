//! `quittance completions` and `quittance man`: what shells and `man` are told of this program,
//! written from the very arguments that it parses.

mod page;

use std::path::{Path, PathBuf};

use clap::CommandFactory as _;
use clap_complete::Shell;
use clap_mangen::Man;
use serde_json::json;

use crate::Answer;
use crate::args::Args;
use crate::exit::Failure;
use crate::render::{Page, escape};

/// The program's name, which is also how its manual pages begin.
const NAME: &str = "quittance";

const COMPLETIONS_HELP: &str = "\
Example:
  quittance completions bash > ~/.local/share/bash-completion/completions/quittance
  quittance completions zsh > ~/.zfunc/_quittance
  quittance completions fish > ~/.config/fish/completions/quittance.fish";

/// Prints what a shell needs to complete the words of this program
#[derive(Debug, clap::Args)]
#[command(before_help = COMPLETIONS_HELP)]
pub(crate) struct Completions {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
    /// Prints one JSON document instead of the script
    #[arg(long)]
    pub(crate) json: bool,
}

const MAN_HELP: &str = "\
Example:
  quittance man | man -l -
  quittance man --out ~/.local/share/man/man1";

/// Prints the manual page, or writes one for each command
#[derive(Debug, clap::Args)]
#[command(before_help = MAN_HELP)]
pub(crate) struct Manual {
    /// Writes a page for each command into this folder, which is made where there is none
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Prints one JSON document instead of text
    #[arg(long)]
    pub(crate) json: bool,
}

/// The script for a shell.
pub(crate) fn completions(args: &Completions) -> Result<Answer, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut typed(), NAME, &mut script);
    let text = String::from_utf8_lossy(&script).into_owned();
    let document = json!({"shell": args.shell.to_string(), "script": text});
    Ok(Answer { document, text, code: 0 })
}

/// The manual.
pub(crate) fn manual(args: &Manual) -> Result<Answer, Failure> {
    let command = typed().disable_help_subcommand(true);
    let Some(folder) = &args.out else { return printed(command) };
    let failed = |source| Failure::Write { path: folder.clone(), source };
    std::fs::create_dir_all(folder).map_err(failed)?;
    let mut written = Vec::new();
    let mut built = command;
    built.build();
    write(&built, folder, &mut written).map_err(failed)?;
    written.sort();
    let mut page = Page::default();
    page.lines("wrote", written.iter().map(|path| escape::foreign(&path.to_string_lossy())));
    let files: Vec<_> = written.iter().map(|path| path.to_string_lossy()).collect();
    Ok(Answer { document: json!({"files": files}), text: page.into_text(), code: 0 })
}

fn printed(command: clap::Command) -> Result<Answer, Failure> {
    let failed = |source| Failure::Write { path: "-".into(), source };
    let text = page::page(command).map_err(failed)?;
    Ok(Answer { document: json!({"page": text}), text, code: 0 })
}

/// A page for a command and for each below it.
fn write(
    command: &clap::Command,
    folder: &Path,
    written: &mut Vec<PathBuf>,
) -> std::io::Result<()> {
    for below in command.get_subcommands().filter(|below| !below.is_hide_set()) {
        write(below, folder, written)?;
    }
    let file = folder.join(Man::new(command.clone()).get_filename());
    std::fs::write(&file, page::page(command.clone())?)?;
    written.push(file);
    Ok(())
}

/// What people can type: without the command that the program starts itself with.
fn typed() -> clap::Command {
    let all = Args::command();
    let named = all.get_subcommands().filter(|below| !below.is_hide_set()).cloned();
    let mut typed = clap::Command::new(NAME)
        .disable_help_subcommand(true)
        .version(env!("CARGO_PKG_VERSION"))
        .subcommands(named);
    if let Some(about) = all.get_about() {
        typed = typed.about(about.clone());
    }
    if let Some(after) = all.get_after_help() {
        typed = typed.after_help(after.clone());
    }
    typed
}
