//! Finding the one verdict in a reply's text.
//!
//! The whole text is tried first. Then every object in it is looked at, fences and prose aside.
//! One object that carries a verdict is the reply; two that disagree are ambiguous, unless both
//! refuse. An approval must be beyond doubt ([`super::approval`]), a refusal may be salvaged: it
//! grants nothing.

use serde_json::Value;

use quittance_evidence::clip;
use quittance_evidence::value;

use super::approval::{is_plain, stands_clear};
use super::strict::Strict;
use crate::gap::Gap;

/// A reply longer than this is not read: the largest schema-shaped reply is a fraction of it.
pub const REPLY_BYTES_MAX: usize = 256 * 1024;
/// How often, on average, a byte may be looked at again while objects are sought. Text made to
/// defeat the search ends as ambiguous.
const SCANS_PER_BYTE: usize = 16;
/// Characters kept of a verdict word that nobody knows.
const WORD_CHARS_MAX: usize = 40;

/// The two words a judge may answer with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(clippy::exhaustive_enums, reason = "an answer a caller must act on")]
pub enum JudgeWord {
    /// The work is finished.
    Done,
    /// Something is missing.
    Continue,
}

impl JudgeWord {
    /// Both words, in the order of the reply schema.
    pub const ALL: [Self; 2] = [Self::Done, Self::Continue];

    /// The word on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Continue => "continue",
        }
    }
}

/// A reply whose verdict is certain.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct LiveReply {
    /// The reply, an object.
    pub reply: Value,
    /// Its verdict.
    pub word: JudgeWord,
    /// Whether it had to be taken out of other text.
    pub is_extracted: bool,
}

/// Why a text holds no certain verdict. Every reason reads as no answer, never as `continue`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unreadable {
    /// Nothing but space.
    #[error("the reply is empty")]
    Empty,
    /// Longer than [`REPLY_BYTES_MAX`].
    #[error("the reply is longer than {REPLY_BYTES_MAX} bytes")]
    TooLong,
    /// JSON, but no object.
    #[error("the reply is no JSON object")]
    NotAnObject,
    /// No object carries a verdict.
    #[error("the reply holds no object with a verdict")]
    NoVerdict,
    /// An object that is not closed.
    #[error("the reply breaks off inside an object")]
    Truncated,
    /// The verdict is neither `done` nor `continue`.
    #[error("the verdict `{0}` is neither `done` nor `continue`")]
    UnknownWord(String),
    /// Two verdicts, or one that might not be meant.
    #[error("the reply holds more than one verdict")]
    Ambiguous,
    /// An approval whose gap fields cannot be read.
    #[error("the reply approves beside gaps that cannot be read")]
    UnclearGaps,
}

/// Reads a live reply. Older spellings are for replays ([`super::Decoded`]), not for this.
///
/// # Errors
/// When no verdict is certain.
pub fn read_live(text: &str) -> Result<LiveReply, Unreadable> {
    if text.len() > REPLY_BYTES_MAX {
        return Err(Unreadable::TooLong);
    }
    let text = text.trim_start_matches('\u{feff}').trim();
    if text.is_empty() {
        return Err(Unreadable::Empty);
    }
    match Strict::parse(text) {
        Ok(whole) if !whole.value.is_object() => Err(Unreadable::NotAnObject),
        Ok(whole) if whole.value.get("verdict").is_none() => Err(Unreadable::NoVerdict),
        Ok(whole) => certain(whole, false),
        Err(_) => choose(Objects::of(text)?),
    }
}

/// An object of a text that carries a verdict, and the text around it.
#[derive(Debug)]
struct Found<'a> {
    before: &'a str,
    object: Strict,
    after: &'a str,
}

/// The objects of a text that carry a verdict.
#[derive(Debug, Default)]
struct Objects<'a> {
    verdicts: Vec<Found<'a>>,
    breaks_off: bool,
}

impl<'a> Objects<'a> {
    fn of(text: &'a str) -> Result<Self, Unreadable> {
        let mut out = Self::default();
        let mut budget = text.len().saturating_mul(SCANS_PER_BYTE);
        let mut at = 0;
        while let Some((before, from)) = next_brace(text, at) {
            let end = balanced(from);
            budget = budget.checked_sub(end.unwrap_or(from.len())).ok_or(Unreadable::Ambiguous)?;
            out.breaks_off |= end.is_none();
            let parsed =
                end.and_then(|end| from.split_at_checked(end)).and_then(|(object, after)| {
                    Strict::parse(object).ok().map(|object| (object, after))
                });
            at = before.len() + 1;
            if let Some((object, after)) = parsed {
                at = text.len() - after.len();
                if object.value.get("verdict").is_some() {
                    out.verdicts.push(Found { before, object, after });
                }
            }
        }
        Ok(out)
    }
}

/// The text before the first brace at or after `at`, and the text from it on.
fn next_brace(text: &str, at: usize) -> Option<(&str, &str)> {
    let start = at + text.get(at..)?.find('{')?;
    text.split_at_checked(start)
}

/// The end of the object that opens a text, or nothing when it is not closed.
fn balanced(text: &str) -> Option<usize> {
    let (mut depth, mut is_in_string, mut is_escaped) = (0_usize, false, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if is_in_string => is_escaped = true,
            b'"' => is_in_string = !is_in_string,
            b'{' if !is_in_string => depth += 1,
            b'}' if !is_in_string => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

fn choose(objects: Objects<'_>) -> Result<LiveReply, Unreadable> {
    let mut verdicts = objects.verdicts;
    let Some(last) = verdicts.pop() else {
        let breaks_off = objects.breaks_off;
        return Err(if breaks_off { Unreadable::Truncated } else { Unreadable::NoVerdict });
    };
    let agree = verdicts.iter().all(|verdict| verdict.object == last.object);
    let refuses = |verdict: &Found<'_>| word(&verdict.object.value) == Ok(JudgeWord::Continue);
    let all_refuse = refuses(&last) && verdicts.iter().all(refuses);
    if !agree && !all_refuse {
        return Err(Unreadable::Ambiguous);
    }
    let found = certain(last.object, true)?;
    match found.word {
        JudgeWord::Done if !stands_clear(last.before, last.after) => Err(Unreadable::Ambiguous),
        JudgeWord::Done | JudgeWord::Continue => Ok(found),
    }
}

fn certain(found: Strict, is_extracted: bool) -> Result<LiveReply, Unreadable> {
    if found.contradicts_itself {
        return Err(Unreadable::Ambiguous);
    }
    let word = word(&found.value)?;
    if word == JudgeWord::Done {
        check_approval(&found.value)?;
    }
    Ok(LiveReply { reply: found.value, word, is_extracted })
}

fn check_approval(reply: &Value) -> Result<(), Unreadable> {
    match (is_plain(reply), has_clear_gaps(reply)) {
        (false, _) => Err(Unreadable::Ambiguous),
        (true, false) => Err(Unreadable::UnclearGaps),
        (true, true) => Ok(()),
    }
}

fn word(reply: &Value) -> Result<JudgeWord, Unreadable> {
    let given = reply.get("verdict").unwrap_or(&Value::Null);
    let trimmed = given.as_str().map(str::trim);
    JudgeWord::ALL.into_iter().find(|word| Some(word.as_str()) == trimmed).ok_or_else(|| {
        let shown = value::display(given);
        Unreadable::UnknownWord(clip::head(shown.trim(), WORD_CHARS_MAX).to_owned())
    })
}

/// DIFFERENCE: the original decodes gaps that are no list, or whose entries are no gaps, as no
/// gaps at all and leans on its transport to have refused them. Beside an approval we take them
/// for what they may be: gaps.
fn has_clear_gaps(reply: &Value) -> bool {
    match reply.get("gaps") {
        None | Some(Value::Null) => true,
        Some(Value::Array(gaps)) => gaps.iter().all(|gap| Gap::read(gap, |_| false).is_some()),
        Some(_) => false,
    }
}
