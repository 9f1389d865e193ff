//! The bound on a judge's sentence.

use quittance_evidence::clip;

/// Characters kept of a detail: enough for a complaint and its remedy, which comes last.
const DETAIL_CHARS_MAX: usize = 1000;
/// What marks a cut, so that a shortened instruction does not read as a complete one.
const MARKER: &str = " [truncated]";
/// Characters kept of a detail that is cut.
const BUDGET: usize = DETAIL_CHARS_MAX - MARKER.len();

/// Cuts a detail at a word, marking the cut; a word longer than the whole budget is cut hard.
#[must_use]
pub fn clamp_detail(detail: &str) -> String {
    if clip::head(detail, DETAIL_CHARS_MAX).len() == detail.len() {
        return detail.to_owned();
    }
    let kept = whole_words(detail);
    let head = if kept.is_empty() { clip::head(detail, BUDGET) } else { &kept };
    format!("{}{MARKER}", head.trim_end())
}

/// The words that fit the budget, joined by single spaces. Empty words count as a space each, but
/// not before the first word.
fn whole_words(detail: &str) -> String {
    let mut kept = String::new();
    let mut room = BUDGET;
    for word in detail.split(' ') {
        let space = usize::from(!kept.is_empty());
        let chars = word.chars().take(BUDGET + 1).count();
        let Some(left) = room.checked_sub(space + chars) else { break };
        room = left;
        if space == 1 {
            kept.push(' ');
        }
        kept.push_str(word);
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_at_a_word_and_says_so() {
        let words = format!("{}omega", "alpha ".repeat(400));
        let cut = clamp_detail(&words);
        assert_eq!(cut.chars().count(), 995);
        assert!(cut.ends_with("alpha [truncated]"));
        assert_eq!(clamp_detail(&"x".repeat(4000)).chars().count(), 1000);
        let spaces = format!("{}word word word", " ".repeat(995));
        assert_eq!(clamp_detail(&spaces), "word word word [truncated]");
        assert_eq!(clamp_detail(&"é".repeat(1000)), "é".repeat(1000));
    }
}
