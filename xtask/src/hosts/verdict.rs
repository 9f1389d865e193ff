//! Holds what one run came to against what it must come to.
//!
//! Beside the row of the table there are laws that no run may break, whatever the scenario: every
//! answer is one that the client takes, a refusal names the missing file and reaches the model, and
//! nothing is approved while the file is missing.

use super::calls::Answer;
use super::expected::{Ended, Expected, Refusals};
use super::seen::Seen;
use super::stop::{self, Stop};

/// The file that both policies declare.
const DECLARED: &str = "dist/out.js";

/// How our words to an agent begin; what stands up to the bracket is found again wherever a client
/// puts it, whatever it escapes.
const MARK: &str = "[quittance ";

/// Everything that is not as promised; empty when all is.
pub(crate) fn problems(expected: &Expected, seen: &Seen) -> Vec<String> {
    let mut problems = Vec::new();
    problems.extend(ended(expected, seen));
    problems.extend(stops(&expected.stops, &seen.stops));
    problems.extend(left(&expected.files, &seen.files));
    problems.extend(lied(seen));
    if seen.calls.is_some() {
        problems.extend(unfit(seen));
        problems.extend(disagreeing(seen));
        problems.extend(unread(expected, seen));
        problems.extend(untold(expected, seen));
    }
    problems
}

fn ended(expected: &Expected, seen: &Seen) -> Option<String> {
    let who = |ended| match ended {
        Ended::Client => "the client",
        Ended::Driver => "the driver",
    };
    let wanted = who(expected.ended);
    match seen.ended {
        None => Some(format!("it did not end by itself in {:.0} s", seen.seconds)),
        Some(ended) if ended == expected.ended => None,
        Some(ended) => Some(format!("{} ended it instead of {wanted}", who(ended))),
    }
}

/// Who stops at once with another has no order among them, so each has a sequence of its own.
fn stops(expected: &[Stop], seen: &[Stop]) -> Option<String> {
    let of = |stops: &[Stop], by_subagent| -> Vec<Stop> {
        stops.iter().filter(|stop| stop.by_subagent == by_subagent).cloned().collect()
    };
    let is_met = [false, true].into_iter().all(|by_subagent| {
        let (expected, seen) = (of(expected, by_subagent), of(seen, by_subagent));
        let mut pairs = expected.iter().zip(&seen);
        expected.len() == seen.len() && pairs.all(|(expected, seen)| expected.is_met_by(seen))
    });
    if is_met {
        return None;
    }
    let (expected, seen) = (stop::written(expected), stop::written(seen));
    Some(format!("it came to [{seen}] instead of [{expected}]"))
}

fn left(expected: &[String], seen: &[String]) -> Vec<String> {
    let missing = expected.iter().filter(|file| !seen.contains(file));
    missing.map(|file| format!("`{file}` was not written")).collect()
}

fn lied(seen: &Seen) -> Option<String> {
    let is_there = seen.files.iter().any(|file| file == DECLARED);
    let approves = seen.stops.iter().any(Stop::is_approval);
    (approves && !is_there).then(|| format!("it was approved without `{DECLARED}`"))
}

/// Calls whose answer some client loses.
fn unfit(seen: &Seen) -> Vec<String> {
    let calls = seen.calls.iter().flatten();
    calls
        .filter_map(|call| match &call.answer {
            Some(Answer::Unfit(why)) => Some(format!("{why} ({})", call.folder.display())),
            _ => None,
        })
        .collect()
}

/// Answers and receipts that tell two stories.
fn disagreeing(seen: &Seen) -> Vec<String> {
    let mut problems = Vec::new();
    let calls = seen.calls.iter().flatten().filter(|call| !call.is_compaction);
    let answered = calls.filter(|call| call.answer.is_some()).count();
    if answered != seen.stops.len() {
        problems.push(format!("{answered} calls answered, {} receipts", seen.stops.len()));
    }
    let refusals = seen.stops.iter().filter(|stop| stop.is_refusal()).count();
    let blocked = seen.refusals().len();
    if blocked != refusals {
        problems.push(format!("{blocked} stops blocked, {refusals} receipts that refuse"));
    }
    problems
}

/// Refusals that name no file or that the model was never sent.
fn unread(expected: &Expected, seen: &Seen) -> Vec<String> {
    let mut problems = Vec::new();
    for reason in seen.refusals() {
        if !reason.contains(DECLARED) {
            problems.push(format!("a refusal does not name `{DECLARED}`: {reason}"));
        }
        match mark(reason) {
            Some(mark) => problems.extend(misled(expected.refusals, mark, &seen.asked)),
            None => problems.push(format!("a refusal carries no mark: {reason}")),
        }
    }
    problems
}

/// A refusal that did not reach whom it had to.
fn misled(refusals: Refusals, mark: &str, asked: &str) -> Option<String> {
    match (refusals, asked.contains(mark)) {
        (Refusals::ReachTheModel, true) | (Refusals::ReachNobody, false) => None,
        (Refusals::ReachTheModel, false) => Some(format!("the model was never sent `{mark}`")),
        (Refusals::ReachNobody, true) => Some(format!("the model was sent `{mark}`")),
    }
}

fn mark(reason: &str) -> Option<&str> {
    let (mark, _) = reason.strip_prefix(MARK)?.split_once(']')?;
    reason.get(..MARK.len() + mark.len() + 1)
}

/// Whether the user was shown what they had to be told.
fn untold(expected: &Expected, seen: &Seen) -> Option<String> {
    let notices = seen.notices();
    if !expected.told {
        return None;
    }
    let Some(last) = notices.last() else {
        return Some("the hook had nothing to tell the user".to_owned());
    };
    if !last.contains("unverified") {
        return Some(format!("what the user is told does not say `unverified`: {last}"));
    }
    // As text, or as text in JSON; a client may put something before each line.
    let is_shown = last.lines().filter(|line| !line.trim().is_empty()).all(|line| {
        let escaped = serde_json::Value::from(line).to_string();
        seen.shown.contains(line) || seen.shown.contains(escaped.trim_matches('"'))
    });
    (!is_shown).then(|| format!("the client did not show its user: {last}"))
}

#[cfg(test)]
mod tests {
    use super::problems;
    use crate::hosts::calls::{Answer, Call};
    use crate::hosts::expected::{Ended, Expected, Refusals};
    use crate::hosts::seen::Seen;
    use crate::hosts::stop::Stop;

    const REASON: &str = "[quittance 0badc0de 25] `dist/out.js` is missing.";

    /// Breaks one promise in what was seen.
    type Break = fn(&mut Seen);

    fn sequence(words: &[&str]) -> Vec<Stop> {
        Stop::sequence(&words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>()).unwrap()
    }

    fn expected(stops: &[&str], told: bool) -> Expected {
        Expected {
            stops: sequence(stops),
            files: vec!["dist/out.js".to_owned()],
            told,
            refusals: Refusals::ReachTheModel,
            ended: Ended::Client,
            server: false,
            seconds: 90,
        }
    }

    fn seen(stops: &[&str], answers: &[Answer]) -> Seen {
        let call = |answer: &Answer| Call {
            folder: "c".into(),
            answer: Some(answer.clone()),
            is_compaction: false,
        };
        Seen {
            stops: sequence(stops),
            calls: Some(answers.iter().map(call).collect()),
            files: vec!["dist/out.js".to_owned(), "quittance.toml".to_owned()],
            ended: Some(Ended::Client),
            seconds: 1.5,
            asked: format!("Stop hook feedback: {REASON}"),
            shown: r#"{"content":"Stop says: quittance: unverified, \"cap\""}"#.to_owned(),
        }
    }

    fn block() -> Answer {
        Answer::Block(REASON.to_owned())
    }

    fn tell() -> Answer {
        Answer::Tell(r#"quittance: unverified, "cap""#.to_owned())
    }

    #[test]
    fn a_run_as_promised_has_no_problems() {
        let kept = seen(&["refused:a", "verified:b"], &[block(), Answer::Allow]);
        assert_eq!(problems(&expected(&["refused", "verified"], false), &kept), [""; 0]);
        let capped = seen(&["refused", "unverified:cap"], &[block(), tell()]);
        assert_eq!(problems(&expected(&["refused", "unverified:cap"], true), &capped), [""; 0]);
    }

    #[test]
    fn a_client_that_asks_no_model_sends_it_no_refusal() {
        let refusals = Refusals::ReachNobody;
        let table = Expected { refusals, ..expected(&["refused", "unverified:cap"], true) };
        let mut seen = seen(&["refused", "unverified:cap"], &[block(), tell()]);
        assert_eq!(problems(&table, &seen), ["the model was sent `[quittance 0badc0de 25]`"]);
        seen.asked.clear();
        assert_eq!(problems(&table, &seen), [""; 0]);
    }

    #[test]
    fn each_broken_promise_is_named() {
        let table = expected(&["refused", "unverified:cap"], true);
        let good = seen(&["refused", "unverified:cap"], &[block(), tell()]);
        let broken: [(&str, Break); 10] = [
            ("did not end", |seen| seen.ended = None),
            ("ended it instead", |seen| seen.ended = Some(Ended::Driver)),
            ("instead of [refused, unverified:cap]", |seen| {
                seen.stops = sequence(&["refused", "unverified:repeat"]);
            }),
            ("was not written", |seen| seen.files.clear()),
            ("approved without", |seen| {
                seen.stops = sequence(&["refused", "verified"]);
                seen.files.clear();
            }),
            ("ended with 3", |seen| {
                let answer = Some(Answer::Unfit("it ended with 3".to_owned()));
                seen.calls = Some(vec![Call { folder: "c".into(), answer, is_compaction: false }]);
            }),
            ("3 calls answered, 2 receipts", |seen| {
                let call =
                    Call { folder: "c".into(), answer: Some(Answer::Allow), is_compaction: false };
                seen.calls.as_mut().unwrap().push(call);
            }),
            ("1 stops blocked, 2 receipts", |seen| seen.stops = sequence(&["refused x2"])),
            ("never sent `[quittance 0badc0de 25]`", |seen| seen.asked.clear()),
            ("did not show its user", |seen| seen.shown.clear()),
        ];
        for (said, breaks) in broken {
            let mut seen = good.clone();
            breaks(&mut seen);
            let found = problems(&table, &seen).join("; ");
            assert!(found.contains(said), "{said:?} in {found:?}");
        }
    }

    #[test]
    fn a_refusal_that_says_nothing_helpful_is_a_problem() {
        let table = expected(&["refused"], false);
        for (reason, said) in [("try again", "no mark"), ("[quittance 0 0] no", "does not name")] {
            let seen = seen(&["refused"], &[Answer::Block(reason.to_owned())]);
            let found = problems(&table, &seen).join("; ");
            assert!(found.contains(said), "{said:?} in {found:?}");
        }
    }
}
