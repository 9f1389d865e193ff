//! Facts about the bytes a run was read from, for the receipt.

use std::collections::BTreeMap;
use std::fmt;

use quittance_evidence::canonical::Digest;
use serde::{Deserialize, Serialize};

use crate::format::Format;

/// The number of a line in its file, from 1, blank lines counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct LineNumber(
    /// The number.
    pub u64,
);

impl fmt::Display for LineNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// What was mended in a line so that it could be read; each is counted once a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Repair {
    /// An escaped half of a surrogate pair became U+FFFD.
    LoneSurrogate,
    /// Bytes that are no UTF-8 became U+FFFD.
    InvalidUtf8,
    /// A name stood twice in one object; the last value was read.
    DuplicateName,
    /// The line's id had been seen; the line was not read again.
    RepeatedLine,
    /// A result that names no call was given to the only one that waited for a result.
    PairedResult,
    /// The host wrote its history anew and left out what stood in it before; it was said and done
    /// all the same.
    ReplacedHistory,
}

impl Repair {
    /// The word on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::LoneSurrogate => "lone_surrogate",
            Self::InvalidUtf8 => "invalid_utf8",
            Self::DuplicateName => "duplicate_name",
            Self::RepeatedLine => "repeated_line",
            Self::PairedResult => "paired_result",
            Self::ReplacedHistory => "replaced_history",
        }
    }
}

/// Why a line could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum LineCause {
    /// It is no JSON.
    NotJson,
    /// It is JSON, but no object.
    NotAnObject,
    /// It is nested deeper than 512.
    TooDeep,
    /// It holds a number that no double can hold.
    NumberOutOfRange,
    /// The packed file ends in it: it was cut, or is still being written.
    PackedCut,
    /// The packed file is damaged where it stands.
    PackedDamaged,
    /// The packed file asks for more memory than is given, or unpacks to more than is read.
    PackedTooLarge,
}

impl LineCause {
    /// The word on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::NotJson => "not_json",
            Self::NotAnObject => "not_an_object",
            Self::TooDeep => "too_deep",
            Self::NumberOutOfRange => "number_out_of_range",
            Self::PackedCut => "packed_cut",
            Self::PackedDamaged => "packed_damaged",
            Self::PackedTooLarge => "packed_too_large",
        }
    }
}

/// A line that could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct LineIssue {
    /// Which line.
    pub line: LineNumber,
    /// Why.
    pub cause: LineCause,
}

/// Issues kept with their line; beyond these only the count grows.
const ISSUES_KEPT: usize = 100;
/// Distinct words kept of each kind; a host has some forty line types, a hostile file any number.
const WORDS_KEPT: usize = 256;

/// What is known of the bytes; of a packed file, of those it unpacks to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct SourceFacts {
    /// How they were read.
    pub format: Format,
    /// Bytes in the file, a half-written last line included.
    pub bytes: u64,
    /// Lines in the file, blank ones included, a half-written last one not.
    pub lines: u64,
    /// SHA-256 of the bytes.
    pub digest: Digest,
    /// Whether the file ends inside a line.
    pub half_written: bool,
    /// Lines that carry nothing a decision rests on, by type.
    pub skipped: BTreeMap<String, u64>,
    /// Words that are not known where a word decides something, as `field=word`.
    pub unknown_words: BTreeMap<String, u64>,
    /// What was mended, in lines.
    pub repairs: BTreeMap<Repair, u64>,
    /// The first lines that could not be read.
    pub issues: Vec<LineIssue>,
    /// How many could not be read.
    pub issue_count: u64,
    /// The last of them: what came before it may have been changed by it.
    #[serde(skip)]
    pub last_issue: Option<LineNumber>,
    /// Versions of the host that wrote the lines.
    pub versions: BTreeMap<String, u64>,
}

impl SourceFacts {
    pub(crate) fn new(format: Format) -> Self {
        Self {
            format,
            bytes: 0,
            lines: 0,
            digest: Digest::of_bytes(b""),
            half_written: false,
            skipped: BTreeMap::new(),
            unknown_words: BTreeMap::new(),
            repairs: BTreeMap::new(),
            issues: Vec::new(),
            issue_count: 0,
            last_issue: None,
            versions: BTreeMap::new(),
        }
    }

    pub(crate) fn add_issue(&mut self, line: LineNumber, cause: LineCause) {
        self.issue_count += 1;
        self.last_issue = self.last_issue.max(Some(line));
        if self.issues.len() < ISSUES_KEPT {
            self.issues.push(LineIssue { line, cause });
        }
    }

    pub(crate) fn add_repair(&mut self, repair: Repair) {
        *self.repairs.entry(repair).or_default() += 1;
    }

    pub(crate) fn add_skipped(&mut self, kind: &str) {
        count(&mut self.skipped, kind);
    }

    pub(crate) fn add_unknown_word(&mut self, field: &str, word: &str) {
        count(&mut self.unknown_words, &format!("{field}={word}"));
    }

    pub(crate) fn add_version(&mut self, version: &str) {
        count(&mut self.versions, version);
    }
}

/// Counts a word; when too many are known already, under `…`.
fn count(words: &mut BTreeMap<String, u64>, word: &str) {
    if let Some(known) = words.get_mut(word) {
        *known += 1;
        return;
    }
    let room = words.len() < WORDS_KEPT;
    let key = if room { quittance_evidence::clip::LABEL.apply(word) } else { "…".to_owned() };
    *words.entry(key).or_default() += 1;
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn counting_is_bounded() {
        let mut facts = SourceFacts::new(Format::ClaudeCode);
        for number in 0..1000 {
            facts.add_skipped(&format!("type-{number}"));
            facts.add_issue(LineNumber(number), LineCause::NotJson);
        }
        assert_eq!(facts.skipped.len(), WORDS_KEPT + 1);
        assert_eq!(facts.skipped.values().sum::<u64>(), 1000);
        assert_eq!((facts.issues.len(), facts.issue_count), (ISSUES_KEPT, 1000));
        assert_eq!(facts.last_issue, Some(LineNumber(999)));
    }

    #[test]
    fn lists_its_words() {
        let repairs = [
            Repair::LoneSurrogate,
            Repair::InvalidUtf8,
            Repair::DuplicateName,
            Repair::RepeatedLine,
            Repair::PairedResult,
            Repair::ReplacedHistory,
        ];
        let causes = [
            LineCause::NotJson,
            LineCause::NotAnObject,
            LineCause::TooDeep,
            LineCause::NumberOutOfRange,
            LineCause::PackedCut,
            LineCause::PackedDamaged,
            LineCause::PackedTooLarge,
        ];
        for repair in repairs {
            assert_eq!(json!(repair), repair.as_str());
        }
        for cause in causes {
            assert_eq!(json!(cause), cause.as_str());
        }
        insta::assert_snapshot!(
            [repairs.map(Repair::as_str).join(" "), causes.map(LineCause::as_str).join(" ")]
                .join("\n"),
            @r"
        lone_surrogate invalid_utf8 duplicate_name repeated_line paired_result replaced_history
        not_json not_an_object too_deep number_out_of_range packed_cut packed_damaged packed_too_large
        "
        );
    }
}
