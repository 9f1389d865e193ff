//! What can be typed after `quittance assess`.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::thread;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use quittance_assess::{Declarations, Standing};
use quittance_hosts::{Format, RunNumber, TurnNumber};

use super::Failure;
use super::files::unmarked;
use crate::args::{formats, run, turn};

const HELP: &str = "\
Example:
  quittance assess examples/false-done/session.jsonl
  quittance assess --ndjson --summary records.ndjson

Reads recordings, `{snapshot}`, `{checkpoint}` and committed states by themselves, one a file or, \
with --ndjson, one a line; and transcripts, of which one turn is folded.";

const AFTER: &str = "\
With --ndjson every line in is one line out, in the same order: the assessment, or, of a line that \
cannot be read, {\"error\": {\"line\", \"message\"}} in its place. A line that is a whole run of \
messages has `places` beside its assessment.

Exit codes: 0 whatever the standings; 20 if --fail-on names one that came out; 15 no turn in the \
record, 64 usage, 65 unreadable input, 66 no such file, 74 I/O. With --ndjson a bad line changes the \
exit code only beside --fail-on.";

/// Says how far answers can be trusted, of stored records and of transcripts
#[derive(Debug, clap::Args)]
#[command(before_help = HELP, after_help = AFTER)]
pub(crate) struct Args {
    /// Files, folders (of them the files named .json, .jsonl or .ndjson), or `-` for standard input
    #[arg(value_name = "FILE", default_value = "-")]
    pub(super) inputs: Vec<PathBuf>,
    /// Takes every line for an input of its own, and answers each with one line of JSON
    #[arg(long)]
    pub(super) ndjson: bool,
    /// Counts standings, reasons and checks over all inputs, and prints only that
    #[arg(long)]
    pub(super) summary: bool,
    /// Prints one JSON document for each input, each in a line; with --summary, one for all
    #[arg(long)]
    pub(crate) json: bool,
    /// How many inputs are assessed at a time [default: as many as there are processors]
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// An object that TOOL gives keeps its rows under KEY; may be given again
    #[arg(long, value_name = "TOOL=KEY", value_parser = rows_at)]
    rows_at: Vec<(String, String)>,
    /// A file that declares this of tools: {"tools": {TOOL: {"rowsAt": KEY}}}
    #[arg(long, value_name = "FILE")]
    declarations: Option<PathBuf>,
    /// Standings that make the exit code 20, with commas between them
    #[arg(long, value_name = "WORDS", value_delimiter = ',', value_parser = standings())]
    fail_on: Vec<Standing>,
    /// The transcripts' format [default: by content]
    #[arg(long, value_name = "FORMAT", value_parser = formats())]
    pub(super) host: Option<Format>,
    /// The turn of each transcript, from 1 [default: the last in which the agent spoke]
    #[arg(long, value_name = "N", value_parser = turn)]
    pub(super) turn: Option<TurnNumber>,
    /// The run, from 1, of files that hold several
    #[arg(long, value_name = "N", value_parser = run)]
    pub(super) run: Option<RunNumber>,
}

impl Args {
    pub(super) fn jobs(&self) -> NonZeroUsize {
        let all = || thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        self.jobs.unwrap_or_else(all)
    }

    pub(super) fn fail_on(&self) -> &[Standing] {
        &self.fail_on
    }

    /// What the file and the flags declare; a flag beats the file.
    pub(super) fn declarations(&self) -> Result<Declarations, Failure> {
        let mut declarations = match &self.declarations {
            None => Declarations::default(),
            Some(path) => {
                let text = std::fs::read(path).map_err(|source| Failure::open(path, source))?;
                Declarations::parse(unmarked(&text))
                    .map_err(|source| Failure::Declarations { path: path.clone(), source })?
            }
        };
        for (tool, key) in &self.rows_at {
            declarations.declare(tool, key).map_err(Failure::RowsAt)?;
        }
        Ok(declarations)
    }
}

fn rows_at(text: &str) -> Result<(String, String), String> {
    let (tool, key) = text.split_once('=').ok_or("a tool, `=` and a key are needed")?;
    Ok((tool.to_owned(), key.to_owned()))
}

fn standings() -> impl TypedValueParser<Value = Standing> {
    let known = PossibleValuesParser::new(Standing::ALL.map(Standing::as_str));
    let named = |word: &str| Standing::ALL.into_iter().find(|known| known.as_str() == word);
    known.try_map(move |word| named(&word).ok_or("no such standing"))
}
