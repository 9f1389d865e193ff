//! The mark on everything we say to an agent, by which a reader knows our own words again.
//!
//! Some hosts keep what a hook said as an ordinary message of the user, and two hooks at once as
//! one message. So each feedback begins with `[quittance <digest> <length>]`: the first eight hex
//! digits of the SHA-256 of the words that follow, and how many characters they are. Words that do
//! not match their mark are somebody's who quotes us, and stay theirs; the mark proves nothing
//! beyond that, and no decision rests on it but whose words these are.

use std::borrow::Cow;

use quittance_evidence::{Digest, clip};

/// How a mark begins.
const OPENING: &str = "[quittance ";
/// How many hex digits of the digest it shows: enough that nobody hits it by accident.
const DIGITS: usize = 8;
/// More marks than this in one message are nobody's feedback.
const MOST: usize = 16;
/// A mark takes no more than this many characters, with the blank after it.
pub(super) const LENGTH: usize = OPENING.len() + DIGITS + 1 + 8 + 2;

/// Puts the mark before our words.
pub(super) fn marked(words: &str) -> String {
    let (digest, length) = (digest(words), words.chars().count());
    format!("{OPENING}{digest} {length}] {words}")
}

/// Takes our own feedback out of a message in which a host kept it. Unchanged where there is none;
/// empty where there is nothing else.
#[must_use]
pub fn without_own_words(message: &str) -> Cow<'_, str> {
    let mut rest = message;
    let mut kept = String::new();
    let mut found = false;
    for _ in 0..MOST {
        let Some(at) = next_mark(rest) else { break };
        let (before, from) = rest.split_at_checked(at).unwrap_or((rest, ""));
        kept.push_str(before);
        if let Some(after) = after_own(from) {
            found = true;
            kept.truncate(kept.trim_end_matches('\n').len());
            rest = after;
        } else {
            kept.push_str(OPENING);
            rest = from.strip_prefix(OPENING).unwrap_or_default();
        }
    }
    if !found {
        return Cow::Borrowed(message);
    }
    kept.push_str(rest);
    Cow::Owned(kept.trim_matches('\n').to_owned())
}

/// Where the next mark may begin: at the beginning of a line.
fn next_mark(text: &str) -> Option<usize> {
    let mut starts = text.match_indices(OPENING).map(|(at, _)| at);
    starts.find(|at| *at == 0 || text.get(..*at).is_some_and(|before| before.ends_with('\n')))
}

/// What follows our words, if the text begins with a mark that holds.
fn after_own(text: &str) -> Option<&str> {
    let (digest, rest) = text.strip_prefix(OPENING)?.split_once(' ')?;
    let (length, rest) = rest.split_once("] ")?;
    if length.is_empty() || length.len() > 8 || !length.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let length = length.parse().ok()?;
    let words = clip::head(rest, length);
    let holds = words.chars().count() == length && digest == self::digest(words);
    holds.then(|| rest.strip_prefix(words)).flatten()
}

fn digest(words: &str) -> String {
    Digest::of_bytes(words.as_bytes()).hex().chars().take(DIGITS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_words_are_known_again() {
        let ours = marked("`dist/out.js` is missing.\n\nWrite it.");
        assert!(ours.starts_with("[quittance "), "{ours}");
        assert_eq!(without_own_words(&ours), "");
        let joined = format!("lint failed\n{ours}\nformat failed");
        assert_eq!(without_own_words(&joined), "lint failed\nformat failed");
        assert_eq!(without_own_words(&format!("{ours}\n{ours}")), "");
    }

    #[test]
    fn a_quotation_is_whoever_quotes_us() {
        let ours = marked("`dist/out.js` is missing.");
        for message in [
            ours.replace("missing", "not needed"),
            format!("it said {ours}"),
            ours.replace(" 25] ", " 99999999999999999999] "),
            "[quittance ".repeat(40),
            "[quittance 0 0] ".to_owned(),
        ] {
            assert_eq!(without_own_words(&message), message);
        }
    }

    proptest::proptest! {
        #[test]
        fn any_words_of_ours_are_known_again(words in "\\PC{0,60}", other in "[a-z]{1,9}") {
            let ours = marked(&words);
            assert!(ours.chars().count() - words.chars().count() <= LENGTH);
            assert_eq!(without_own_words(&ours), "");
            assert_eq!(without_own_words(&format!("{other}\n{ours}")), other);
        }

        #[test]
        fn no_text_panics(text in "(\\[quittance [0-9a-f]{0,8} ?[0-9]{0,9}\\]? ?|\\n|é){0,20}") {
            let _ = without_own_words(&text);
        }
    }
}
