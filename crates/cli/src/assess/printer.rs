//! Prints answers as they come, and the summary at the end.

use std::io::{self, Write};
use std::path::PathBuf;

use quittance_evidence::canonical::to_text;

use super::answer::Answer;
use super::args::Args;
use super::failure::Failure;
use super::progress::Progress;
use super::tally::Tally;
use crate::render;

/// Where answers go, and what they add up to.
pub(super) struct Printer {
    out: Box<dyn Write>,
    /// Failures are told on stderr, and not in an answer's place.
    complains: bool,
    summary: bool,
    json: bool,
    tally: Tally,
    progress: Progress,
}

impl Printer {
    pub(super) fn new(args: &Args, inputs: &[PathBuf]) -> Self {
        let bytes = args.json || (args.ndjson && !args.summary);
        Self {
            // Bytes for a program pass as they are; text for people is stripped of its colours
            // where these do not belong.
            out: if bytes { Box::new(io::stdout()) } else { Box::new(anstream::stdout()) },
            complains: !bytes,
            summary: args.summary,
            json: args.json,
            tally: Tally::default(),
            progress: Progress::new(args, inputs),
        }
    }

    /// Prints one answer.
    pub(super) fn print(&mut self, answer: Answer) -> io::Result<()> {
        self.tally.absorb(&answer.tally);
        self.progress.step(answer.step);
        if let Some(failure) = answer.complaint.filter(|_| self.complains) {
            self.progress.aside(|| failure.tell(false));
        }
        self.out.write_all(answer.text.as_bytes())
    }

    /// Prints the summary, if one was asked for.
    pub(super) fn finish(mut self) -> Result<Tally, Failure> {
        self.progress.clear();
        let printed = match (self.summary, self.json) {
            (false, _) => Ok(()),
            (true, true) => writeln!(self.out, "{}", to_text(&self.tally.to_value())),
            (true, false) => self.out.write_all(render::assess::summary(&self.tally).as_bytes()),
        };
        match printed.and_then(|()| self.out.flush()) {
            Err(source) if source.kind() != io::ErrorKind::BrokenPipe => {
                Err(Failure::Print(source))
            }
            _ => Ok(self.tally),
        }
    }

    /// Gives up printing: nobody reads any more.
    pub(super) fn abandon(self) -> Tally {
        self.progress.clear();
        self.tally
    }
}
