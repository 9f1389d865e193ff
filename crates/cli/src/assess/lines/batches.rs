//! Lines of files, a few at a time: whatever one read gives, up to its last line end.
//!
//! So a line that is there is answered without waiting for more, and a long file is taken in long
//! stretches.

use std::fs::File;
use std::io::{self, BufRead, Read};
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
    /// Where each ends in the bytes, its line end included.
    pub(super) ends: Vec<usize>,
}

/// The batches of several files, one file after the other.
pub(super) struct Batches {
    files: IntoIter<PathBuf>,
    open: Option<Open>,
    chunk: Box<[u8]>,
    longest: usize,
}

impl Lines {
    /// Each line with its number and without its end; the first of a file without its mark.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u64, &[u8])> {
        let begins = std::iter::once(0).chain(self.ends.iter().copied());
        let lines = begins.zip(&self.ends).map(|(begin, end)| {
            let line = self.bytes.get(begin..*end).unwrap_or_default();
            line.strip_suffix(b"\n").unwrap_or(line)
        });
        (self.first..).zip(lines).map(|(number, line)| {
            let marked = (number == 1).then(|| line.strip_prefix(BYTE_ORDER_MARK)).flatten();
            (number, marked.unwrap_or(line))
        })
    }
}

/// A file being read.
struct Open {
    file: Arc<PathBuf>,
    input: Box<dyn Read + Send>,
    /// The beginning of a line whose end was not read yet.
    begun: Vec<u8>,
    /// The bytes of a line that is passed over.
    passed: Option<u64>,
    /// What was read behind such a line.
    behind: Vec<u8>,
    /// The number of the next line.
    line: u64,
}

impl Batches {
    pub(super) fn of(files: Vec<PathBuf>) -> Self {
        Self::reading(files, CHUNK, LINE_MAX)
    }

    fn reading(files: Vec<PathBuf>, chunk: usize, longest: usize) -> Self {
        let chunk = vec![0; chunk].into_boxed_slice();
        Self { files: files.into_iter(), open: None, chunk, longest }
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
            if !open.behind.is_empty() {
                let behind = std::mem::take(&mut open.behind);
                if let Some(batch) = open.take(&behind, self.longest) {
                    return Some(batch);
                }
            }
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
                    if let Some(batch) = open.take(read, self.longest) {
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
        Ok(Self { file, input, begun: Vec::new(), passed: None, behind: Vec::new(), line: 1 })
    }

    /// Takes what one read gave; gives the lines that end in it.
    fn take(&mut self, read: &[u8], longest: usize) -> Option<Batch> {
        if let Some(passed) = &mut self.passed {
            let (line, rest) = read.split_at(through_line_end(read));
            let bytes = *passed + length(line);
            if !line.ends_with(b"\n") {
                *passed = bytes;
                return None;
            }
            self.passed = None;
            self.behind = rest.to_vec();
            return Some(self.too_long(bytes));
        }
        let ends = line_ends(read);
        let Some(whole) = ends.last() else {
            self.begun.extend_from_slice(read);
            if self.begun.len() > longest {
                self.passed = Some(length(&self.begun));
                self.begun = Vec::new();
            }
            return None;
        };
        let (lines, rest) = read.split_at(*whole);
        let mut bytes = std::mem::take(&mut self.begun);
        let ends = ends.iter().map(|end| bytes.len() + end).collect();
        bytes.extend_from_slice(lines);
        self.begun.extend_from_slice(rest);
        Some(Batch::Lines(self.lines(bytes, ends)))
    }

    /// The end of the file: a line without an end is a line.
    fn last(&mut self) -> Option<Batch> {
        if let Some(bytes) = self.passed.take() {
            return Some(self.too_long(bytes));
        }
        let bytes = std::mem::take(&mut self.begun);
        let ends = vec![bytes.len()];
        (!bytes.is_empty()).then(|| Batch::Lines(self.lines(bytes, ends)))
    }

    fn lines(&mut self, bytes: Vec<u8>, ends: Vec<usize>) -> Lines {
        let first = self.line;
        self.line += length_of(ends.len());
        Lines { file: Arc::clone(&self.file), first, bytes, ends }
    }

    fn too_long(&mut self, bytes: u64) -> Batch {
        let line = self.line;
        self.line += 1;
        Batch::TooLong { file: Arc::clone(&self.file), line, bytes }
    }
}

/// Where each line ends that ends in what was read.
fn line_ends(read: &[u8]) -> Vec<usize> {
    let mut ends = Vec::new();
    let mut at = 0;
    while let Some(rest) = read.get(at..).filter(|rest| !rest.is_empty()) {
        at += through_line_end(rest);
        ends.push(at);
    }
    if !read.ends_with(b"\n") {
        // The last one goes on.
        ends.pop();
    }
    ends
}

/// How many bytes a line takes that begins here, its end included if it is there. The library's own
/// search looks at many bytes at a time.
fn through_line_end(mut bytes: &[u8]) -> usize {
    // Reading from memory cannot fail.
    bytes.skip_until(b'\n').unwrap_or(bytes.len())
}

fn length(bytes: &[u8]) -> u64 {
    length_of(bytes.len())
}

fn length_of(count: usize) -> u64 {
    u64::try_from(count).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{Batch, Batches};

    /// Every line as number and text, and of those passed over as number and length, when a file
    /// is read so many bytes at a time.
    fn lines(text: &str, chunk: usize, longest: usize) -> Vec<(u64, String)> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("lines");
        fs::write(&file, text).unwrap();
        let mut found = Vec::new();
        for batch in Batches::reading(vec![file], chunk, longest) {
            match batch {
                Batch::Lines(lines) => {
                    let text = |line: &[u8]| String::from_utf8(line.to_vec()).unwrap();
                    found.extend(lines.iter().map(|(number, line)| (number, text(line))));
                }
                Batch::TooLong { line, bytes, .. } => found.push((line, format!("{bytes} bytes"))),
                Batch::Broken { failure, .. } => panic!("{failure}"),
            }
        }
        found
    }

    #[test]
    fn lines_are_the_same_however_much_is_read_at_a_time() {
        for text in ["", "a", "a\n", "\n", "\n\na\n\n", "ab\ncdefghij\nk\n\nlm", "\u{feff}ab\nc"] {
            let expected: Vec<_> = (1..).zip(text.trim_start_matches('\u{feff}').lines()).collect();
            for chunk in 1..12 {
                let found = lines(text, chunk, 100);
                let found: Vec<_> =
                    found.iter().map(|(line, text)| (*line, text.as_str())).collect();
                assert_eq!(found, expected, "{text:?} by {chunk}");
            }
        }
    }

    #[test]
    fn a_line_too_long_is_passed_over_and_the_next_one_read() {
        let (long, longer) = ("x".repeat(50), "y".repeat(70));
        let text = format!("a\n{long}\nb\nc\n{longer}");
        for chunk in 1..9 {
            let found = lines(&text, chunk, 20);
            let told = [(2, "51 bytes"), (3, "b"), (4, "c"), (5, "70 bytes")];
            let found: Vec<_> = found.iter().map(|(line, text)| (*line, text.as_str())).collect();
            assert_eq!(found, [&[(1, "a")][..], &told].concat(), "by {chunk}");
        }
    }
}
