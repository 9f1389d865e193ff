//! Inputs that may be packed: told by their first bytes, read as what they unpack to.
//!
//! One format is unpacked, Zstandard, in which Codex keeps its older rollouts (`.jsonl.zst`). It is
//! unpacked as it is read: memory is bounded by the window that a frame may ask for, and going back
//! unpacks anew. Every offset, line and digest is of the unpacked bytes.
//!
//! Where a frame is cut or damaged, what was unpacked before is handed out, then an error that
//! [`Damage::of`] knows: the lines before it are read, and the place is an issue of the source.

mod frames;

use std::error::Error;
use std::fmt;
use std::io::{self, Read, Seek, SeekFrom};

use frames::Frames;

use crate::source::LineCause;

/// The first bytes of a frame.
const MAGIC: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];

/// An input that may be packed, read as what it unpacks to.
///
/// ```
/// use std::io::{Cursor, Read};
///
/// let mut text = String::new();
/// let mut input = quittance_hosts::Input::open(Cursor::new("{}\n"))?;
/// input.read_to_string(&mut text)?;
/// assert_eq!(text, "{}\n");
/// # std::io::Result::Ok(())
/// ```
pub struct Input<R>(Kind<R>);

enum Kind<R> {
    Plain(R),
    Packed(Box<Frames<R>>),
}

impl<R: Read + Seek> Input<R> {
    /// Looks at the first bytes of an input and goes back to its beginning.
    ///
    /// # Errors
    ///
    /// What reading or seeking the input gives.
    pub fn open(mut input: R) -> io::Result<Self> {
        input.rewind()?;
        let mut first = Vec::new();
        input.by_ref().take(MAGIC.len() as u64).read_to_end(&mut first)?;
        let length = input.seek(SeekFrom::End(0))?;
        input.rewind()?;
        let is_packed = first == MAGIC;
        Ok(Self(if is_packed {
            Kind::Packed(Box::new(Frames::new(input, length)))
        } else {
            Kind::Plain(input)
        }))
    }
}

impl<R: Read + Seek> Read for Input<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match &mut self.0 {
            Kind::Plain(input) => input.read(buffer),
            Kind::Packed(frames) => frames.read(buffer),
        }
    }
}

impl<R: Read + Seek> Seek for Input<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match &mut self.0 {
            Kind::Plain(input) => input.seek(to),
            Kind::Packed(frames) => frames.seek(to),
        }
    }
}

impl<R> fmt::Debug for Input<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_packed = matches!(self.0, Kind::Packed(_));
        f.debug_struct("Input").field("packed", &is_packed).finish_non_exhaustive()
    }
}

/// Why a packed input goes no further.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Damage {
    /// It ends inside a frame.
    Cut,
    /// It is no frame, or its check does not hold.
    Damaged,
    /// It asks for more than is given.
    TooLarge,
}

impl Damage {
    /// The damage that an error of reading tells of.
    pub(crate) fn of(error: &io::Error) -> Option<Self> {
        error.get_ref()?.downcast_ref().copied()
    }

    /// The cause by which a line is named that it hides.
    pub(crate) const fn cause(self) -> LineCause {
        match self {
            Self::Cut => LineCause::PackedCut,
            Self::Damaged => LineCause::PackedDamaged,
            Self::TooLarge => LineCause::PackedTooLarge,
        }
    }
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Cut => "the packed file ends inside a frame",
            Self::Damaged => "the packed file is damaged",
            Self::TooLarge => "the packed file unpacks to more than is read",
        })
    }
}

impl Error for Damage {}

impl From<Damage> for io::Error {
    fn from(damage: Damage) -> Self {
        Self::new(io::ErrorKind::InvalidData, damage)
    }
}
