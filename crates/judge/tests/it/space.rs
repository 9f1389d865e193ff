//! The whole decision space: every question the machine asks, answered in every way.
//!
//! The walk branches only at what is asked. In each cell the laws are asserted on the outcome, from
//! the test's own record of what was answered.

use quittance_evidence::Observed;
use quittance_judge::Action;
use quittance_judge::event::Event;
use quittance_judge::ledger::Report;
use quittance_judge::machine::{Decision, Failure, Progress, Reply, Why, open};
use quittance_judge::outcome::{Outcome, Standstill};
use quittance_judge::policy::Slot;
use quittance_judge::verdict::{JudgeOutcome, Rule};
use serde_json::{Value, json};

use crate::setting::{Judge, SENTINEL, Setting};

/// What a reply says, as far as the laws are concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Says {
    Done,
    DoneBeside(&'static str),
    Continue(&'static str),
    Nothing,
    Failed(Failure),
}

impl Says {
    /// The class given beside the word.
    const fn class(self) -> &'static str {
        match self {
            Self::Done => "none",
            Self::DoneBeside(class) | Self::Continue(class) => class,
            Self::Nothing | Self::Failed(_) => "",
        }
    }
}

/// How a reply treats the one row of the contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Row {
    Omitted,
    Met,
    Open,
}

/// One answer a judge may give.
#[derive(Clone, Copy, Debug)]
struct Answer {
    says: Says,
    row: Row,
    quote: Option<&'static str>,
    criterion: &'static str,
}

const fn plain(says: Says, row: Row) -> Answer {
    Answer { says, row, quote: None, criterion: "the file is written" }
}

/// First answers. Rows matter only under a contract.
fn first_answers(has_contract: bool) -> Vec<Answer> {
    let mut answers = vec![
        plain(Says::DoneBeside("missing_artifact"), Row::Omitted),
        plain(Says::DoneBeside("failed_verification"), Row::Omitted),
        plain(Says::DoneBeside("other"), Row::Omitted),
        plain(Says::Nothing, Row::Omitted),
        plain(Says::Failed(Failure::Environment), Row::Omitted),
        plain(Says::Failed(Failure::Timeout), Row::Omitted),
        plain(Says::Done, Row::Omitted),
    ];
    for class in ["missing_artifact", "unmet_manner_clause", "failed_verification", "none"] {
        answers.push(plain(Says::Continue(class), Row::Omitted));
    }
    for class in ["unresolved_authorization", "other"] {
        answers.push(plain(Says::Continue(class), Row::Omitted));
    }
    let quoted = plain(Says::Continue("other"), Row::Omitted);
    answers.push(Answer { quote: Some("never shown"), ..quoted });
    answers.push(Answer { criterion: SENTINEL, ..quoted });
    if has_contract {
        answers.push(plain(Says::Done, Row::Open));
        answers.push(plain(Says::Done, Row::Met));
        answers.push(plain(Says::DoneBeside("other"), Row::Met));
        answers.push(plain(Says::Continue("failed_verification"), Row::Met));
    }
    answers
}

/// Answers to a further question: one of each kind that can change the course from there.
fn further_answers(why: Why, has_contract: bool) -> Vec<Answer> {
    let row = if has_contract { Row::Met } else { Row::Omitted };
    let mut answers = vec![
        plain(Says::Done, row),
        plain(Says::Continue("failed_verification"), row),
        plain(Says::Nothing, row),
    ];
    if why != Why::Retry {
        answers.push(plain(Says::DoneBeside("other"), row));
    }
    if why == Why::Itemize {
        answers.push(plain(Says::Done, Row::Omitted));
        answers.push(plain(Says::Done, Row::Open));
    }
    answers
}

fn reply(answer: &Answer, has_contract: bool) -> Reply {
    let gap = json!({
        "criterion": answer.criterion, "detail": "close it", "gap_class": "missing_artifact",
        "evidence_quote": answer.quote.unwrap_or_default(), "requirement_id": "r",
    });
    let mut body = match answer.says {
        Says::Nothing => return Reply::text("I think it is fine."),
        Says::Failed(failure) => {
            return Reply::Failed { failure, message: "no answer".to_owned() };
        }
        Says::Done => json!({"verdict": "done", "gap_class": "none"}),
        Says::DoneBeside("other") => json!({"verdict": "done", "gap_class": "other"}),
        Says::DoneBeside(class) => {
            json!({"verdict": "done", "gap_class": class, "gaps": [gap]})
        }
        Says::Continue(class) => json!({"verdict": "continue", "gap_class": class, "gaps": [gap]}),
    };
    body["detail"] = "as it is".into();
    if has_contract && answer.row != Row::Omitted {
        let is_met = answer.row == Row::Met;
        body["requirement_report"] =
            json!([{"requirement_id": "r", "met": is_met, "evidence_refs": [-1]}]);
    }
    Reply::text(body.to_string())
}

/// Everything a host's closure may answer.
fn closure_answers() -> Vec<Value> {
    let mut answers = vec![
        json!(null),
        json!(""),
        json!(true),
        json!(false),
        json!("fix the build"),
        json!(7),
        json!({"confirm": false, "action": "stop_unverified", "reason": "deadline"}),
        json!({"confirm": true, "action": "allow"}),
    ];
    let readings = [
        json!(null),
        json!({"oracle_expected": true, "command": "make test", "observed": "passed"}),
        json!({"oracle_expected": false, "command": "make test", "observed": "passed"}),
        json!({"oracle_expected": true, "command": "make test", "observed": "failed"}),
        json!({"oracle_expected": true, "command": "make test", "observed": "not_run"}),
    ];
    let words = [
        (true, "as the host says"),
        (true, "gate_abstain"),
        (true, "verified"),
        (true, "verified_after_write"),
        (true, "facts_unavailable"),
        (true, "veto_budget_exhausted"),
        (false, "no_source_write"),
    ];
    for (confirm, reason) in words {
        for reading in &readings {
            answers.push(json!({
                "confirm": confirm, "reason": reason, "message": "m", "verification": reading,
            }));
        }
    }
    answers
}

/// What may be replied, and the reply.
type Replies = Vec<(Answer, Reply)>;

/// Every answer to every question, made once.
struct Answers {
    closure: Vec<Value>,
    first: [Replies; 2],
    further: [Vec<(Why, Replies)>; 2],
}

impl Answers {
    fn new() -> Self {
        let replies = |answers: Vec<Answer>, has_contract| -> Replies {
            let with_reply = |answer| (answer, reply(&answer, has_contract));
            answers.into_iter().map(with_reply).collect()
        };
        Self {
            closure: closure_answers(),
            first: [false, true].map(|rows| replies(first_answers(rows), rows)),
            further: [false, true].map(|rows| {
                Why::ALL.map(|why| (why, replies(further_answers(why, rows), rows))).to_vec()
            }),
        }
    }

    fn to(&self, why: Why, has_contract: bool) -> &[(Answer, Reply)] {
        let rows = usize::from(has_contract);
        if why == Why::First {
            return &self.first[rows];
        }
        let answers = self.further[rows].iter().find(|(asked, _)| *asked == why);
        answers.map_or(&[], |(_, answers)| answers)
    }
}

/// What was asked and answered on the way to a cell.
#[derive(Clone, Debug, Default)]
struct Path<'a> {
    /// What was bound to the evidence before anybody was asked.
    bound: Option<&'static str>,
    closure: Option<&'a Value>,
    judges: Vec<(Slot, Why, Answer)>,
}

impl Path<'_> {
    fn observed(&self) -> &str {
        let said = self.closure.and_then(|answer| answer["verification"]["observed"].as_str());
        said.or(self.bound).unwrap_or_default()
    }

    fn reason(&self) -> &str {
        self.closure.and_then(|answer| answer["reason"].as_str()).unwrap_or("")
    }

    /// A host's own closure confirmed in so many words.
    fn is_confirmed(&self) -> bool {
        let word = !["gate_abstain", "facts_unavailable", "veto_budget_exhausted"]
            .contains(&self.reason());
        match self.closure {
            Some(Value::Bool(confirmed)) => *confirmed,
            Some(answer) => {
                answer["confirm"] == json!(true) && answer.get("action").is_none() && word
            }
            None => false,
        }
    }

    /// A declared verifier ran and passed.
    fn is_passed(&self) -> bool {
        self.observed() == "passed" && self.reason() != "facts_unavailable"
    }

    /// A declared verifier is known to have passed, and the deterministic stage ran. A reading
    /// that was bound before counts where the stage gave none of its own.
    fn answered_pass(&self) -> bool {
        let Some(answer) = self.closure else { return false };
        let reading = answer.get("verification").filter(|reading| reading.is_object());
        let expected = reading
            .map_or(self.bound.is_some(), |reading| reading["oracle_expected"] == json!(true));
        self.is_passed() && expected
    }

    fn said_done(&self) -> bool {
        let is_done = |says: &Says| matches!(says, Says::Done | Says::DoneBeside(_));
        self.judges.iter().any(|(_, _, answer)| is_done(&answer.says))
    }
}

#[derive(Debug, Default)]
struct Count {
    cells: usize,
    approved: usize,
    overturned: usize,
}

fn walk<'a>(
    setting: &Setting,
    answers: &'a Answers,
    progress: Progress,
    path: &Path<'a>,
    count: &mut Count,
) {
    match progress {
        Progress::Closure(asked) => {
            for answer in &answers.closure {
                let path = Path { closure: Some(answer), ..path.clone() };
                walk(setting, answers, asked.clone().answer(answer, 1), &path, count);
            }
        }
        Progress::Judge(asked) => {
            let (slot, why) = (asked.question().slot, asked.question().why);
            let has_contract = *setting.judges.get(slot) == Judge::Contract;
            for (answer, reply) in answers.to(why, has_contract) {
                let mut path = path.clone();
                path.judges.push((slot, why, *answer));
                walk(setting, answers, asked.clone().answer(reply, 2), &path, count);
            }
        }
        Progress::Decided(decision) => {
            let is_turned = Slot::ALL.into_iter().any(|slot| turned(&decision, slot).is_some());
            count.cells += 1;
            count.approved += usize::from(decision.outcome.approves());
            count.overturned += usize::from(is_turned);
            laws(setting, path, &decision);
        }
        Progress::Facts(_) | Progress::Precheck(_) => panic!("not declared"),
    }
}

/// The rule under which a slot's refusal was turned, as the receipt shows it.
fn turned(decision: &Decision, slot: Slot) -> Option<Rule> {
    let overrides = &decision.directive.receipt.overrides;
    let rule = overrides.iter().find(|entry| entry.slot == slot)?.overruled.rule;
    let turns = [Rule::FailedVerificationContradicted, Rule::ContradictionSurvived];
    turns.contains(&rule).then_some(rule)
}

fn laws(setting: &Setting, path: &Path<'_>, decision: &Decision) {
    let cell =
        || format!("{setting:?}\n{path:?}\n{:?}\n{:?}", decision.outcome, decision.directive);
    approval_is_positive(setting, path, decision, &cell);
    refusals_are_turned_by_rule(path, decision, &cell);
    ends_are_ends(decision, &cell);
    nobody_is_asked_in_vain(setting, path, decision, &cell);
    the_record_is_true(setting, path, decision, &cell);
}

/// Silence approves nothing, and neither does a judge over an open row or a red verifier.
fn approval_is_positive(
    setting: &Setting,
    path: &Path<'_>,
    decision: &Decision,
    cell: &impl Fn() -> String,
) {
    let outcome = decision.outcome;
    if outcome == Outcome::Accepted {
        assert!(path.is_confirmed() || path.said_done(), "{}", cell());
    }
    if outcome == Outcome::Verified {
        assert_eq!(path.observed(), "passed", "{}", cell());
    }
    if !outcome.approves() {
        return;
    }
    assert!(!setting.is_artifact_missing, "{}", cell());
    if path.observed() == "failed" {
        assert!(path.is_confirmed(), "{}", cell());
    }
    for slot in Slot::ALL.into_iter().filter(|slot| *setting.judges.get(*slot) == Judge::Contract) {
        let mut answers = path.judges.iter().filter(|(asked, _, _)| *asked == slot);
        assert!(answers.any(|(_, _, answer)| answer.row == Row::Met), "{}", cell());
        assert!(!setting.text.is_empty(), "the row cites the final words: {}", cell());
    }
    let pending = decision.directive.receipt.requirements.as_ref().map(Report::pending_count);
    assert_eq!(pending, Some(0), "{}", cell());
}

/// Only two rules turn a model's refusal, each under its conditions, and each leaves its mark.
fn refusals_are_turned_by_rule(path: &Path<'_>, decision: &Decision, cell: &impl Fn() -> String) {
    for slot in Slot::ALL {
        let replies = path.judges.iter().filter(|(asked, _, _)| *asked == slot);
        // An answer to the question for a report that holds none leaves the first reply of record.
        let of_record = replies.clone().rfind(|(_, why, answer)| {
            let is_itemized = *why != Why::Itemize || answer.row != Row::Omitted;
            is_itemized && !matches!(answer.says, Says::Nothing | Says::Failed(_))
        });
        let refuses = of_record.is_some_and(|(_, _, answer)| answer.says != Says::Done);
        let rule = turned(decision, slot);
        if decision.directive.action == Action::Accept {
            assert_eq!(refuses, rule.is_some(), "{}", cell());
        }
        let Some(rule) = rule else { continue };
        assert!(refuses && path.answered_pass(), "{}", cell());
        let class = of_record.map(|(_, _, answer)| answer.says.class());
        let was_told = replies.clone().any(|(_, why, _)| *why == Why::Contradiction);
        let is_entitled = match rule {
            Rule::FailedVerificationContradicted => class == Some("failed_verification"),
            _ => class == Some("other") && was_told,
        };
        assert!(is_entitled, "{}", cell());
    }
}

/// A cap or a spent authority ends the run, and an end that is verified rests on a verifier.
fn ends_are_ends(decision: &Decision, cell: &impl Fn() -> String) {
    let receipt = &decision.directive.receipt;
    let is_stop = matches!(receipt.action, Action::StopVerified | Action::StopUnverified);
    let is_cap = receipt.reason.contains("cap_reached");
    let is_spent = JudgeOutcome::ALL
        .into_iter()
        .filter_map(JudgeOutcome::terminal_reason)
        .any(|reason| reason == receipt.reason);
    if is_cap || is_spent {
        assert!(is_stop, "{}", cell());
    }
    if is_spent {
        assert_eq!(receipt.action, Action::StopUnverified, "{}", cell());
        assert!(!decision.outcome.approves(), "{}", cell());
    }
    if receipt.action == Action::StopVerified {
        let observed = receipt.verification.as_ref().map(|state| state.observed);
        assert_eq!(observed, Some(Observed::Passed), "{}", cell());
    }
}

/// Nobody is asked whose answer can no longer matter, nor more than six times.
fn nobody_is_asked_in_vain(
    setting: &Setting,
    path: &Path<'_>,
    decision: &Decision,
    cell: &impl Fn() -> String,
) {
    let mut was_refused = false;
    for event in decision.events.iter() {
        match event {
            Event::JudgeStarted { .. } => assert!(!was_refused, "{}", cell()),
            Event::JudgeDecision { decision } => was_refused |= !decision.confirm,
            _ => {}
        }
    }
    if setting.is_artifact_missing || setting.standstill != Standstill::Proposed {
        assert!(path.judges.is_empty(), "{}", cell());
    }
    let has_rows = Slot::ALL.into_iter().any(|slot| *setting.judges.get(slot) == Judge::Contract);
    let is_green = path.answered_pass()
        && path.reason() == "verified_after_write"
        && setting.stop_reason == "sentinel"
        && !setting.text.trim().is_empty()
        && setting.pending_effects == 0
        && !has_rows;
    if is_green {
        assert!(path.judges.is_empty(), "{}", cell());
    }
    for slot in Slot::ALL {
        let whys: Vec<Why> = path
            .judges
            .iter()
            .filter_map(|(asked, why, _)| (*asked == slot).then_some(*why))
            .collect();
        assert!(whys.is_sorted_by(|earlier, later| earlier < later), "{}", cell());
    }
}

/// The receipt says who was asked and what about, and a refusal says why.
fn the_record_is_true(
    setting: &Setting,
    path: &Path<'_>,
    decision: &Decision,
    cell: &impl Fn() -> String,
) {
    let receipt = &decision.directive.receipt;
    assert_eq!(receipt.evidence_id, decision.snapshot.evidence_id().to_string(), "{}", cell());
    assert_eq!(receipt.invoked.deterministic, path.closure.is_some(), "{}", cell());
    for slot in Slot::ALL {
        let was_asked = path.judges.iter().any(|(asked, _, _)| *asked == slot);
        // A missing model ends the run at the first judge that lacks one.
        let first =
            Slot::ALL.into_iter().find(|slot| *setting.judges.get(*slot) == Judge::Unconfigured);
        let is_missing =
            receipt.outcome == JudgeOutcome::ModelUnconfigured.as_str() && first == Some(slot);
        assert_eq!(receipt.invoked.judge(slot), was_asked || is_missing, "{}", cell());
    }
    let tells = matches!(decision.outcome, Outcome::Refused | Outcome::Abandoned);
    assert_eq!(tells, !decision.feedback.is_empty(), "{}", cell());
    let nobody = path.judges.is_empty() && !path.is_confirmed() && !path.is_passed();
    let is_boundary = setting.standstill == Standstill::Proposed && !setting.is_artifact_missing;
    if decision.directive.action == Action::Accept && nobody && is_boundary {
        let word = decision.outcome;
        assert!(matches!(word, Outcome::Unadjudicated | Outcome::Unverified), "{}", cell());
    }
}

/// The settings are dealt out, so that no walk gets all the large ones.
const THREADS: usize = 4;

#[test]
fn the_laws_hold_in_every_cell() {
    let settings = Setting::all();
    let answers = &Answers::new();
    let counts: Vec<Count> = std::thread::scope(|scope| {
        let walks: Vec<_> = (0..THREADS)
            .map(|first| {
                let settings = settings.iter().skip(first).step_by(THREADS);
                scope.spawn(move || {
                    settings.fold(Count::default(), |mut count, setting| {
                        let opened = open(setting.proposal(), 0);
                        let path = Path { bound: setting.bound, ..Path::default() };
                        walk(setting, answers, opened, &path, &mut count);
                        count
                    })
                })
            })
            .collect();
        walks.into_iter().map(|walk| walk.join().expect("every cell is lawful")).collect()
    });
    let sum = |of: fn(&Count) -> usize| counts.iter().map(of).sum::<usize>();
    let cells = sum(|count| count.cells);
    println!(
        "{cells} cells of {} settings; {} approve, {} turn a refusal",
        settings.len(),
        sum(|count| count.approved),
        sum(|count| count.overturned),
    );
    assert!(cells > 100_000, "only {cells} cells");
}
