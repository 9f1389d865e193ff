//! How far the work went, on the terminal of whoever waits for it.

use std::fs;
use std::io::{self, IsTerminal};
use std::path::PathBuf;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::args::Args;

/// A bar on stderr, or nothing: where stderr is no terminal, or answers appear on it as they come.
pub(super) struct Progress(Option<ProgressBar>);

impl Progress {
    pub(super) fn new(args: &Args, inputs: &[PathBuf]) -> Self {
        let silent = io::stdout().is_terminal() && !args.summary;
        if silent || !io::stderr().is_terminal() {
            return Self(None);
        }
        let (length, template) = if args.ndjson {
            (bytes(inputs), "{bar:30} {bytes} of {total_bytes}, {bytes_per_sec}, {eta} left")
        } else {
            (u64::try_from(inputs.len()).ok(), "{bar:30} {pos} of {len} files, {eta} left")
        };
        let bar = ProgressBar::with_draw_target(length, ProgressDrawTarget::stderr());
        let style = if length.is_some() { template } else { "{spinner} {bytes}, {bytes_per_sec}" };
        if let Ok(style) = ProgressStyle::with_template(style) {
            bar.set_style(style);
        }
        Self(Some(bar))
    }

    pub(super) fn step(&self, by: u64) {
        if let Some(bar) = &self.0 {
            bar.inc(by);
        }
    }

    /// Writes something else to the terminal, and not into the bar.
    pub(super) fn aside(&self, write: impl FnOnce()) {
        match &self.0 {
            Some(bar) => bar.suspend(write),
            None => write(),
        }
    }

    pub(super) fn clear(&self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}

/// The bytes of all inputs, if all are files.
fn bytes(inputs: &[PathBuf]) -> Option<u64> {
    let sizes = inputs.iter().map(|path| fs::metadata(path).ok().filter(|file| file.is_file()));
    sizes.map(|file| file.map(|file| file.len())).sum()
}
