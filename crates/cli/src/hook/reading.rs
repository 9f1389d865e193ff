//! Reading the transcript of a boundary, which may lag behind what the host says.

use std::fs::File;
use std::io::{BufRead, BufReader, Seek};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use quittance_driver::{Policy, Redactor};
use quittance_evidence::Digest;
use quittance_hosts::hook::HookInput;
use quittance_hosts::{Bookmark, Input, ReadOptions, Reader, Waiting};
use quittance_ledger::store::{FileIdentity, Position};

use super::{Undecided, keeping};
use crate::input::{ReadFailure, ReadTurn, TurnRows, rewriting};

/// How long a file is waited for. The closing message was measured at most 15 ms late on a quiet
/// machine.
const PATIENCE: Duration = Duration::from_secs(2);
/// How often it is looked at meanwhile.
const PAUSE: Duration = Duration::from_millis(25);
/// Bytes read at a time.
const CHUNK: usize = 256 * 1024;

/// How the transcript of a boundary is read.
pub(super) struct Reading<'a> {
    pub(super) input: &'a HookInput,
    pub(super) policy: &'a Policy,
    pub(super) redactor: Option<&'a Arc<Redactor>>,
    /// How far it was read before.
    pub(super) from: Option<Position>,
    pub(super) until: Instant,
}

/// A turn that was read, and how far, where that is further than before.
pub(super) struct Read {
    pub(super) turn: ReadTurn,
    pub(super) position: Option<Position>,
}

impl Reading<'_> {
    /// Reads the turn, once more as long as the file shows less than the host has said.
    pub(super) fn turn(&self) -> Result<Read, Undecided> {
        let unreadable = |why: &dyn std::fmt::Display| Undecided::cannot("record_unreadable", why);
        let Some(path) = self.input.transcript.as_deref() else {
            return Err(Undecided::new("record_unreadable", "the host names no transcript"));
        };
        let until = self.until.min(Instant::now() + PATIENCE);
        loop {
            let read = self.once(Path::new(path));
            let lags = match &read {
                Ok(read) => lags(&read.turn, self.input),
                Err(_) => true,
            };
            if !lags || Instant::now() + PAUSE >= until {
                return read.map_err(|why| unreadable(&why));
            }
            std::thread::sleep(PAUSE);
        }
    }

    fn once(&self, path: &Path) -> Result<Read, String> {
        let named = |why: &dyn std::fmt::Display| format!("open `{}`: {why}", path.display());
        let file = open(path).map_err(|error| named(&error))?;
        let found = file.metadata().map_err(|error| named(&error))?;
        let identity = keeping::identity_of(&found);
        let from = self.from.as_ref().filter(|from| stands(from, identity, found.len(), &file));
        let bookmark = from.and_then(|from| Bookmark::from_bytes(&from.payload));
        let at = |failure: ReadFailure| failure.at(path).to_string();
        let unpacked = Input::open(&file).map_err(|error| named(&error))?;
        let mut reader = self.reader(BufReader::with_capacity(CHUNK, unpacked), bookmark);
        let transcript = |error| at(ReadFailure::Transcript(error));
        reader.read_to_end().map_err(transcript)?;
        // Kept texts are as they were read, so where something is redacted none are kept.
        let next = reader.bookmark().map_err(transcript)?.filter(|_| self.redactor.is_none());
        let session = reader.into_session().map_err(transcript)?;
        let turn = ReadTurn::of(session, self.redactor).map_err(at)?;
        Ok(Read { turn, position: next.and_then(|next| position(&next, identity, &file)) })
    }

    fn reader<R: BufRead + Seek>(
        &self,
        input: R,
        bookmark: Option<Bookmark>,
    ) -> Reader<R, TurnRows> {
        let options = ReadOptions { tools: self.policy.tools.clone(), ..ReadOptions::default() };
        let options = rewriting(options, self.redactor);
        match bookmark.filter(|_| self.redactor.is_none()) {
            Some(bookmark) => Reader::resume(input, options, bookmark),
            None => Reader::open(input, options),
        }
    }
}

/// Opens a file that is a file: a pipe in its place would wait for ever.
fn open(path: &Path) -> std::io::Result<File> {
    if std::fs::metadata(path)?.is_file() {
        File::open(path)
    } else {
        Err(std::io::Error::other("it is no file"))
    }
}

/// Whether the bytes before a position are those that were read: it is the same file, no shorter,
/// and ends there as it did. A writer that changes earlier bytes in place and keeps all this is not
/// seen; the turn at hand is read anew in any case.
fn stands(position: &Position, file: FileIdentity, size: u64, input: &File) -> bool {
    position.is_in(file, size) && tail(input, position.bytes_read) == Some(position.tail)
}

/// A bookmark as the ledger keeps it.
fn position(bookmark: &Bookmark, file: FileIdentity, input: &File) -> Option<Position> {
    Some(Position {
        bytes_read: bookmark.offset(),
        file,
        tail: tail(input, bookmark.offset())?,
        digest: bookmark.digest().clone(),
        payload: bookmark.to_bytes()?,
    })
}

/// The digest of the last bytes before a place in a file.
fn tail(input: &File, before: u64) -> Option<Digest> {
    let length = before.min(Position::TAIL_BYTES);
    let mut bytes = vec![0; usize::try_from(length).ok()?];
    input.read_exact_at(&mut bytes, before - length).ok()?;
    Some(Digest::of_bytes(&bytes))
}

/// Whether the file still has to catch up: it ends inside a line, or lacks the closing message that
/// the host has handed over or must have written.
fn lags(turn: &ReadTurn, input: &HookInput) -> bool {
    let session = &turn.session;
    let is_waiting = |reason| session.waiting.contains(&reason);
    match &input.answer {
        _ if is_waiting(Waiting::HalfWritten) => true,
        Some(answer) => session.turn.candidate().trim() != answer.trim(),
        None => is_waiting(Waiting::Unanswered),
    }
}
