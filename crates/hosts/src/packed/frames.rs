//! The frames of a packed input, one after the other, as one run of bytes.

use std::error::Error;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};

use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

use super::Damage;

/// The largest window a frame may ask for: what every decoder grants unasked (2^27).
const WINDOW_MAX: u64 = 1 << 27;
/// What may be unpacked whatever the packed length, and how many bytes for each packed one beyond
/// it. Records pack to a tenth, and hardly ever to a hundredth; a small file that unpacks to more
/// was made to fill a memory.
const UNPACKED_ALWAYS: u64 = 1 << 26;
const UNPACKED_PER_BYTE: u64 = 1024;
/// Ends a frame that was cut, so that the decoder gives out what it holds back for later blocks: an
/// empty last block, and a checksum that is not compared.
const ENDING: [u8; 7] = [1, 0, 0, 0, 0, 0, 0];
/// Bytes skipped at a time.
const SKIPPED: usize = 1 << 16;

/// Frames being unpacked.
pub(super) struct Frames<R> {
    source: BufReader<R>,
    decoder: FrameDecoder,
    state: State,
    /// The most that is unpacked.
    limit: u64,
    /// Bytes unpacked and handed out.
    at: u64,
    /// Where the next read is wanted.
    wanted: u64,
    /// Bytes in all, once they were counted.
    length: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Between,
    Inside,
    /// Nothing comes after what is in the decoder.
    Broken(Damage),
    Over,
}

impl<R: Read + Seek> Frames<R> {
    pub(super) fn new(source: R, length: u64) -> Self {
        Self {
            source: BufReader::new(source),
            decoder: decoder(),
            state: State::Between,
            limit: length.saturating_mul(UNPACKED_PER_BYTE).saturating_add(UNPACKED_ALWAYS),
            at: 0,
            wanted: 0,
            length: None,
        }
    }

    /// Reads from where the decoder stands.
    fn next(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.decoder.read(buffer)?;
            if read > 0 || buffer.is_empty() {
                self.at += read as u64;
                return Ok(read);
            }
            match self.state {
                State::Over => return Ok(0),
                State::Broken(damage) => return Err(damage.into()),
                State::Between => self.begin()?,
                State::Inside if self.at > self.limit => {
                    self.state = State::Broken(Damage::TooLarge)
                }
                State::Inside if self.decoder.is_finished() => self.end(),
                State::Inside => self.block()?,
            }
        }
    }

    fn begin(&mut self) -> io::Result<()> {
        if self.source.fill_buf()?.is_empty() {
            self.state = State::Over;
            return Ok(());
        }
        match self.decoder.reset(&mut self.source) {
            Ok(()) => self.state = State::Inside,
            Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                length,
                ..
            })) => return self.skip(u64::from(length)),
            Err(error) => {
                // What the decoder held was handed out; of a frame that did not begin it holds none.
                self.decoder = decoder();
                self.state = State::Broken(damage(&error)?);
            }
        }
        Ok(())
    }

    /// Skips a frame that holds no data.
    fn skip(&mut self, length: u64) -> io::Result<()> {
        let skipped = io::copy(&mut self.source.by_ref().take(length), &mut io::sink())?;
        if skipped < length {
            self.state = State::Broken(Damage::Cut);
        }
        Ok(())
    }

    fn block(&mut self) -> io::Result<()> {
        let read =
            self.decoder.decode_blocks(&mut self.source, BlockDecodingStrategy::UptoBlocks(1));
        if let Err(error) = read {
            let damage = damage(&error)?;
            let ended =
                self.decoder.decode_blocks(&ENDING[..], BlockDecodingStrategy::UptoBlocks(1));
            if ended.is_err() {
                self.decoder = decoder();
            }
            self.state = State::Broken(damage);
        }
        Ok(())
    }

    /// Compares the check of a frame with what was unpacked.
    fn end(&mut self) {
        let written = self.decoder.get_checksum_from_data();
        let holds = written.is_none() || written == self.decoder.get_calculated_checksum();
        self.state = if holds { State::Between } else { State::Broken(Damage::Damaged) };
    }

    /// Goes to where the next read is wanted.
    fn go(&mut self) -> io::Result<()> {
        if self.wanted < self.at {
            self.source.rewind()?;
            self.decoder = decoder();
            self.state = State::Between;
            self.at = 0;
        }
        let mut skipped = vec![0; SKIPPED];
        while self.at < self.wanted {
            let left = usize::try_from(self.wanted - self.at).unwrap_or(SKIPPED).min(SKIPPED);
            let Some(piece) = skipped.get_mut(..left) else { break };
            if self.next(piece)? == 0 {
                break;
            }
        }
        Ok(())
    }

    /// Counts all bytes; damage ends them.
    fn count(&mut self) -> io::Result<u64> {
        if let Some(length) = self.length {
            return Ok(length);
        }
        self.wanted = u64::MAX;
        let went = self.go();
        if let Err(error) = went
            && Damage::of(&error).is_none()
        {
            return Err(error);
        }
        Ok(*self.length.insert(self.at))
    }
}

impl<R: Read + Seek> Read for Frames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.at != self.wanted {
            self.go()?;
        }
        let read = self.next(buffer)?;
        self.wanted = self.at;
        Ok(read)
    }
}

impl<R: Read + Seek> Seek for Frames<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let (from, by) = match to {
            SeekFrom::Start(at) => (at, 0),
            SeekFrom::End(by) => (self.count()?, by),
            SeekFrom::Current(by) => (self.wanted, by),
        };
        let wanted = from.checked_add_signed(by);
        self.wanted = wanted.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.wanted)
    }
}

fn decoder() -> FrameDecoder {
    let mut decoder = FrameDecoder::new();
    decoder.set_max_window_size(WINDOW_MAX);
    decoder
}

/// What an error of the decoder says of the input; the system's own errors stay theirs.
fn damage(error: &FrameDecoderError) -> io::Result<Damage> {
    if matches!(error, FrameDecoderError::WindowSizeTooBig { .. }) {
        return Ok(Damage::TooLarge);
    }
    let mut cause: Option<&(dyn Error + 'static)> = Some(error);
    while let Some(error) = cause {
        if let Some(error) = error.downcast_ref::<io::Error>() {
            return match error.kind() {
                io::ErrorKind::UnexpectedEof => Ok(Damage::Cut),
                io::ErrorKind::InvalidData | io::ErrorKind::Other => Ok(Damage::Damaged),
                kind => Err(kind.into()),
            };
        }
        cause = error.source();
    }
    Ok(Damage::Damaged)
}
