//! Lines of files, a few at a time: whatever one read gives, up to its last line end.
//!
//! So a line that is there is answered without waiting for more, and a long file is taken in long
//! stretches.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::vec::IntoIter;

use crate::assess::failure::Failure;

/// Bytes read at a time: enough that a batch costs more than handing it over.
const CHUNK: usize = 256 * 1024;

/// The longest line that is read. A record with a million rows is a third of it; what is longer is
/// answered as a bad line, so that a stream without line ends cannot fill the memory.
pub(super) const LINE_MAX: usize = 1 << 30;

/// The mark that some editors put before UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// A stretch of an input.
#[derive(Debug)]
pub(super) enum Batch {
    Lines(Lines),
    /// A line that was passed over, and how long it is.
    TooLong {
        file: Arc<PathBuf>,
        line: u64,
        bytes: u64,
    },
    /// An input that cannot be read, or not any further.
    Broken {
        file: Arc<PathBuf>,
        failure: Failure,
    },
}

/// Whole lines; only the last one of a file may lack its end.
#[derive(Debug)]
pub(super) struct Lines {
    pub(super) file: Arc<PathBuf>,
    /// The number of the first, from 1.
    pub(super) first: u64,
    pub(super) bytes: Vec<u8>,
}

/// The batches of several files, one file after the other.
pub(super) struct Batches {
    files: IntoIter<PathBuf>,
    open: Option<Open>,
    chunk: Box<[u8]>,
}

/// A file being read.
struct Open {
    file: Arc<PathBuf>,
    input: Box<dyn Read + Send>,
    /// The beginning of a line whose end was not read yet.
    begun: Vec<u8>,
    /// The bytes of a line that is passed over.
    passed: Option<u64>,
    /// The number of the next line.
    line: u64,
}

impl Batches {
    pub(super) fn of(files: Vec<PathBuf>) -> Self {
        let chunk = vec![0; CHUNK].into_boxed_slice();
        Self { files: files.into_iter(), open: None, chunk }
    }
}

impl Iterator for Batches {
    type Item = Batch;

    fn next(&mut self) -> Option<Batch> {
        loop {
            let Some(open) = &mut self.open else {
                let file = self.files.next()?;
                match Open::new(&file) {
                    Ok(open) => self.open = Some(open),
                    Err(source) => {
                        let failure = Failure::open(&file, source);
                        return Some(Batch::Broken { file: Arc::new(file), failure });
                    }
                }
                continue;
            };
            match open.input.read(&mut self.chunk) {
                Ok(0) => {
                    let last = open.last();
                    self.open = None;
                    if last.is_some() {
                        return last;
                    }
                }
                Ok(read) => {
                    let read = self.chunk.get(..read).unwrap_or_default();
                    if let Some(batch) = open.take(read) {
                        return Some(batch);
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(source) => {
                    let failure = Failure::open(&open.file, source);
                    let file = Arc::clone(&open.file);
                    self.open = None;
                    return Some(Batch::Broken { file, failure });
                }
            }
        }
    }
}

impl Open {
    fn new(path: &Path) -> io::Result<Self> {
        let input: Box<dyn Read + Send> = if path == Path::new("-") {
            Box::new(io::stdin())
        } else {
            Box::new(File::open(path)?)
        };
        let file = Arc::new(path.to_owned());
        Ok(Self { file, input, begun: Vec::new(), passed: None, line: 1 })
    }

    /// Takes what one read gave; gives the lines that end in it.
    fn take(&mut self, mut read: &[u8]) -> Option<Batch> {
        if let Some(passed) = &mut self.passed {
            let end = read.iter().position(|byte| *byte == b'\n');
            let Some(end) = end else {
                *passed += length(read);
                return None;
            };
            let (line, rest) = read.split_at(end + 1);
            let bytes = *passed + length(line);
            self.passed = None;
            // The next lines begin behind it; they are taken with the next read.
            self.begun.extend_from_slice(rest);
            return Some(self.too_long(bytes));
        }
        let Some(end) = read.iter().rposition(|byte| *byte == b'\n') else {
            self.begun.extend_from_slice(read);
            if self.begun.len() > LINE_MAX {
                self.passed = Some(length(&self.begun));
                self.begun = Vec::new();
            }
            return None;
        };
        let (lines, rest) = read.split_at(end + 1);
        read = rest;
        let mut bytes = std::mem::take(&mut self.begun);
        bytes.extend_from_slice(lines);
        self.begun.extend_from_slice(read);
        Some(Batch::Lines(self.lines(bytes)))
    }

    /// The end of the file: a line without an end is a line.
    fn last(&mut self) -> Option<Batch> {
        if let Some(bytes) = self.passed.take() {
            return Some(self.too_long(bytes));
        }
        let bytes = std::mem::take(&mut self.begun);
        (!bytes.is_empty()).then(|| Batch::Lines(self.lines(bytes)))
    }

    fn lines(&mut self, mut bytes: Vec<u8>) -> Lines {
        let first = self.line;
        self.line += length_of(bytes.iter().filter(|byte| **byte == b'\n').count());
        if first == 1 && bytes.starts_with(BYTE_ORDER_MARK) {
            bytes.drain(..BYTE_ORDER_MARK.len());
        }
        Lines { file: Arc::clone(&self.file), first, bytes }
    }

    fn too_long(&mut self, bytes: u64) -> Batch {
        let line = self.line;
        self.line += 1;
        Batch::TooLong { file: Arc::clone(&self.file), line, bytes }
    }
}

fn length(bytes: &[u8]) -> u64 {
    length_of(bytes.len())
}

fn length_of(count: usize) -> u64 {
    u64::try_from(count).unwrap_or(u64::MAX)
}
