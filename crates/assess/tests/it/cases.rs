//! The cases of the original's own tests, as `spec/assess-cases.md` retells them: each numbered case has
//! a line `- input:` and a line `- expected:`, whose clauses are checked one by one.

use std::fs;

use quittance_assess::{Assessment, Check, Declarations, Pointer, Record, assess};

struct Case<'a> {
    title: &'a str,
    record: String,
    declarations: Option<&'a str>,
    live: bool,
    expected: &'a str,
}

/// The cases with an input that is a record; the few about a helper of the original have none.
fn cases(text: &str) -> Vec<Case<'_>> {
    let mut cases = Vec::new();
    let mut lines = text.lines().map(str::trim).peekable();
    let mut title = "";
    while let Some(line) = lines.next() {
        let Some(input) = line.strip_prefix("- input: `") else {
            title = line;
            continue;
        };
        let (input, after) = input.split_once('`').unwrap();
        let declarations = after.strip_prefix(" with declarations `");
        let record = match input.strip_prefix('S') {
            Some(state) => format!(r#"{{"snapshot":{{"sharedState":{state}}}}}"#),
            None => input.to_owned(),
        };
        let expected = lines.peek().and_then(|line| line.strip_prefix("- expected: ")).unwrap();
        cases.push(Case {
            title,
            record,
            declarations: declarations.map(|rest| rest.split_once('`').unwrap().0),
            live: title.ends_with("(live door)"),
            expected: expected.trim_end_matches('.'),
        });
    }
    cases
}

fn fold(case: &Case<'_>) -> Result<Assessment<'static>, String> {
    let text = case.record.as_bytes();
    let record = if case.live {
        // The retelling wraps the snapshot that the live door is handed.
        let inside = case.record.strip_prefix(r#"{"snapshot":"#).unwrap();
        let inside = inside.strip_suffix('}').unwrap();
        Record::parse_live(inside.as_bytes())
    } else {
        Record::parse(text)
    };
    let record = record.map_err(|error| error.to_string())?;
    let declarations = case.declarations.map_or_else(
        || Ok(Declarations::default()),
        |text| Declarations::parse(text.as_bytes()).map_err(|error| error.to_string()),
    )?;
    Ok(assess(&record, &declarations).into_owned())
}

/// A pointer as the retelling writes it.
fn spelled(pointer: &Pointer<'_>) -> String {
    match pointer {
        Pointer::State(place) => place.to_string(),
        Pointer::History { index, call } => {
            format!("history[{index}]/{}", if call.is_some() { "toolCallId" } else { "role" })
        }
    }
}

fn places(pointers: &[Pointer<'_>]) -> String {
    pointers.iter().map(spelled).collect::<Vec<_>>().join(", ")
}

/// Whether a clause holds; none when it is of a kind that is not read here.
fn holds(clause: &str, got: &Assessment<'_>) -> Option<bool> {
    let reasons: Vec<_> = got.reasons().iter().map(|fired| fired.reason.as_str()).collect();
    let checks: Vec<_> = got.checked().iter().map(|check| check.name.as_str()).collect();
    if let Some((what, rest)) = clause.split_once(" rests on ") {
        let fired = got.reasons().iter().find(|fired| fired.reason.as_str() == what);
        return Some(fired.is_some_and(|fired| places(&fired.witness) == rest));
    }
    if let Some(names) = clause.strip_prefix("reasons, in order: ") {
        return Some(names == reasons.join(", "));
    }
    if let Some(names) = clause.strip_prefix("checks listed: ") {
        return Some(names == checks.join(", "));
    }
    if let Some(json) = clause.strip_prefix("exactly `") {
        return Some(json.trim_end_matches('`') == got.to_json());
    }
    if let Some(first) = clause.strip_prefix("first reason is ") {
        let fired = got.reasons().first()?;
        let layer = fired.reason.layer().map(|layer| layer.number());
        let layer = layer.map_or("no layer".to_owned(), |layer| format!("layer {layer}"));
        let spelled = format!("{}, {layer}, at {}", fired.reason.as_str(), places(&fired.witness));
        return Some(first == spelled);
    }
    let clause = clause.strip_prefix("checks: ").unwrap_or(clause);
    if clause.contains(" (layer ") {
        let spelled = |check: &Check<'_>| {
            let (name, layer) = (check.name.as_str(), check.name.layer().number());
            let at = places(&check.witness);
            format!("{name} (layer {layer}) {} of {} at {at}", check.ran, check.of)
        };
        let clause = clause.replace(" at [", " at ");
        let clause = clause.strip_suffix(']').unwrap_or(&clause);
        return Some(got.checked().iter().any(|check| spelled(check) == clause));
    }
    let words: Vec<_> = clause.split(' ').collect();
    Some(match words.as_slice() {
        ["no", "reason"] => reasons.is_empty(),
        ["no", "check"] => checks.is_empty(),
        ["no", "support"] => got.support().is_none(),
        ["standing", word] => got.standing().as_str() == *word,
        ["assessment", word] => got.value().as_str() == *word,
        ["turnFrom", word] => got.turn_from().as_str() == *word,
        ["keptOut", word] => got.kept_out().map(|key| key.as_str()).eq([*word]),
        [name, "not", "listed"] => !checks.contains(name),
        [name, ran, "of", of] => got.checked().iter().any(|check| {
            check.name.as_str() == *name
                && check.ran.to_string() == *ran
                && check.of.to_string() == *of
        }),
        _ => return None,
    })
}

#[test]
fn the_cases_of_the_original_hold() {
    let Some(file) = crate::shared("spec/assess-cases.md") else { return };
    let text = fs::read_to_string(file).unwrap();
    let (mut read, mut unread, mut wrong) = (0, Vec::new(), Vec::new());
    for case in cases(&text) {
        let got = fold(&case);
        if let Some(part) = case.expected.strip_prefix("caller error containing ") {
            read += 1;
            let part = part.trim_matches('"');
            if !got.is_err_and(|message| message.contains(part)) {
                wrong.push(format!("{}: {part}", case.title));
            }
            continue;
        }
        let got = got.unwrap();
        for clause in case.expected.split("; ") {
            match holds(clause, &got) {
                Some(true) => read += 1,
                Some(false) => wrong.push(format!("{}: {clause}\n  {}", case.title, got.to_json())),
                None => unread.push(format!("{}: {clause}", case.title)),
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    println!("not read here:\n{}", unread.join("\n"));
    assert!(read >= 180 && unread.len() <= 2, "{read} clauses read, {} not", unread.len());
}
