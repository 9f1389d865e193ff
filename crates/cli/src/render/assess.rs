//! Standings for people: one input, or the counts over many.

use std::path::Path;

use anstyle::{AnsiColor, Style};
use quittance_assess::{Assessment, CheckName, HowSure, Pointer, Reason, Standing};
use quittance_driver::Standing as Folded;
use serde_json::Value;

use super::escape::foreign;
use super::{Page, number, text};
use crate::assess::{Checked, Tally};

/// How many places are shown behind a clause.
const PLACES_SHOWN: usize = 8;
/// Width of a word in a table of counts.
const WORD: usize = 28;
/// Width of a count.
const COUNT: usize = 10;

/// The standing of a record.
pub(crate) fn record(path: &Path, assessment: &Assessment<'_>, words: &HowSure<'_>) -> String {
    let mut page = opened(path);
    told(&mut page, words, |witness| format!("at {witness}"));
    checked(&mut page, assessment);
    page.blank();
    page.into_text()
}

/// The standing of a transcript's turn.
pub(crate) fn transcript(path: &Path, run: &Value, standing: &Folded) -> String {
    let mut page = opened(path);
    let (turn, turns) = (number(run, "/turn"), number(run, "/turns"));
    let stop = text(run, "/stop_reason");
    let format = text(run, "/format");
    page.line("run", &format!("{format}, turn {turn} of {turns}, stop reason {stop}"));
    told(&mut page, &standing.words, |witness| match standing.places.get(witness) {
        Some(at) => format!("at line {}{} ({witness})", at.line, pointer(&at.pointer)),
        None => format!("at {witness}"),
    });
    checked(&mut page, &standing.assessment);
    page.blank();
    page.into_text()
}

fn opened(path: &Path) -> Page {
    let mut page = Page::default();
    page.line("input", &foreign(&path.to_string_lossy()));
    page
}

fn pointer(pointer: &str) -> String {
    if pointer.is_empty() { String::new() } else { format!(" {}", foreign(pointer)) }
}

fn told<'r>(page: &mut Page, words: &HowSure<'r>, place: impl Fn(&Pointer<'r>) -> String) {
    let style = style(words.standing);
    page.line("standing", &format!("{style}{}{style:#}", words.standing.as_str()));
    for clause in &words.clauses {
        page.line("", &clause.text);
        for witness in clause.rests_on.iter().take(PLACES_SHOWN) {
            page.line("", &format!("  {}", place(witness)));
        }
        let left = clause.rests_on.len().saturating_sub(PLACES_SHOWN);
        if left > 0 {
            page.line("", &format!("  and {left} more"));
        }
    }
}

fn checked(page: &mut Page, assessment: &Assessment<'_>) {
    let checks = assessment.checked().iter();
    page.lines("checked", checks.map(|c| format!("{}: {} of {}", c.name.as_str(), c.ran, c.of)));
}

fn style(standing: Standing) -> Style {
    let color = match standing {
        Standing::Known => AnsiColor::Green,
        Standing::Consistent => AnsiColor::Cyan,
        Standing::NotSure | Standing::Ask => AnsiColor::Yellow,
        Standing::NotAssessed => AnsiColor::White,
    };
    color.on_default().bold()
}

/// The counts over all inputs.
pub(crate) fn summary(tally: &Tally) -> String {
    let mut page = Page::default();
    let inputs = format!("{}: {} assessed", tally.inputs(), tally.assessed);
    let failed = match tally.failed {
        0 => String::new(),
        failed => format!(", {failed} could not be read"),
    };
    page.line("inputs", &format!("{inputs}{failed}"));
    let standings = Standing::ALL.into_iter().filter(|s| tally.standing(*s) > 0);
    page.lines(
        "standings",
        standings.map(|standing| {
            let style = style(standing);
            let word = format!("{:<WORD$}", standing.as_str());
            let count = tally.standing(standing);
            format!("{style}{word}{style:#}{count:>COUNT$}{:>COUNT$}", share(count, tally.assessed))
        }),
    );
    if tally.kept_out > 0 {
        page.line(
            "",
            &format!("{:<WORD$}{:>COUNT$}", "of these with values kept out", tally.kept_out),
        );
    }
    let reasons = Reason::ALL.into_iter().filter_map(|reason| {
        let count = *tally.reasons.get(&reason)?;
        Some(row(reason.as_str(), count, tally.assessed))
    });
    page.lines("reasons", reasons);
    let checks = CheckName::ALL.into_iter().filter_map(|name| {
        let Checked { inputs, ran, of } = *tally.checks.get(&name)?;
        let row = row(name.as_str(), inputs, tally.assessed);
        Some(format!("{row}   ran {ran} of {of}"))
    });
    page.lines("checks", checks);
    page.into_text()
}

fn row(word: &str, count: u64, all: u64) -> String {
    format!("{word:<WORD$}{count:>COUNT$}{:>COUNT$}", share(count, all))
}

/// A share in percent, to one decimal, in whole numbers so that it prints the same everywhere.
fn share(part: u64, all: u64) -> String {
    let Some(tenths) = part.saturating_mul(1000).checked_div(all) else { return String::new() };
    format!("{}.{} %", tenths / 10, tenths % 10)
}

#[cfg(test)]
mod tests {
    use super::share;

    #[test]
    fn a_share_is_a_percentage_and_of_nothing_it_is_none() {
        assert_eq!([share(1, 3), share(0, 7), share(7, 7)], ["33.3 %", "0.0 %", "100.0 %"]);
        assert_eq!(share(0, 0), "");
    }
}
