//! What a receipt says, statement by statement, each with the place in the receipt it rests on.

pub(crate) mod causes;

use quittance_evidence::verification::Observed;
use quittance_judge::outcome::Outcome;
use quittance_ledger::{Ended, Receipt, TapeEntry, Told, VerifierRecord};
use serde::Serialize;
use serde_json::Value;

/// One statement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Statement {
    /// What it is about.
    pub(crate) about: &'static str,
    /// What it says. Foreign text in it stands as it is in the receipt.
    pub(crate) says: String,
    /// What it rests on, as a JSON pointer into the receipt.
    pub(crate) at: String,
}

/// Statements as they are gathered.
struct Gathered(Vec<Statement>);

impl Gathered {
    fn say(&mut self, about: &'static str, at: impl Into<String>, says: impl Into<String>) {
        self.0.push(Statement { about, says: says.into(), at: at.into() });
    }
}

/// Everything a receipt says, in the order in which it was settled.
pub(crate) fn of(receipt: &Receipt) -> Vec<Statement> {
    let mut out = Gathered(Vec::new());
    outcome(receipt, &mut out);
    if !has_record(receipt) {
        let says = "The run's record was not read: nothing was looked for, run or asked.";
        out.say("record", "/run/format", says);
        return out.0;
    }
    owed(receipt, &mut out);
    artifacts(receipt, &mut out);
    if let Some(gate) = &receipt.body().inputs.gate {
        verifier(gate, &mut out);
    }
    judges(receipt, &mut out);
    overruled(receipt, &mut out);
    rows(receipt, &mut out);
    counts(receipt, &mut out);
    decided(receipt, &mut out);
    let standing = receipt.body().standing.get("standing").and_then(Value::as_str);
    if let Some(standing) = standing {
        let says = format!("The answer's standing is {standing}, which decided nothing here.");
        out.say("standing", "/standing/standing", says);
    }
    out.0
}

/// Whether a receipt was made of a record, or only says why it could not be.
pub(crate) fn has_record(receipt: &Receipt) -> bool {
    receipt.body().run.get("format").is_some_and(|format| !format.is_null())
}

fn outcome(receipt: &Receipt, out: &mut Gathered) {
    let record = &receipt.body().outcome;
    let known = Outcome::ALL.into_iter().find(|known| known.as_str() == record.status);
    let sentence = known.map_or("", Outcome::sentence);
    out.say("outcome", "/outcome/status", format!("{}: {sentence}", record.status));
    let why = causes::sentence(&record.cause).unwrap_or_default();
    out.say("why", "/outcome/cause", format!("{}: {why}", record.cause));
    if let Some(feedback) = &record.feedback {
        out.say("told", "/outcome/feedback", format!("The agent was told: {feedback}"));
    }
    if let Some(unmet) = &record.unmet {
        out.say("unmet", "/outcome/unmet", format!("It was let go with this unmet: {unmet}"));
    }
    if record.via.is_some() {
        let says =
            "The approval rests on replies from a tape: no judge was asked when this was made.";
        out.say("via", "/outcome/via", says);
    }
}

fn owed(receipt: &Receipt, out: &mut Gathered) {
    let body = receipt.body();
    let objective = body.run.get("objective").and_then(Value::as_str).unwrap_or_default();
    out.say("owed", "/run/objective", format!("The task: {objective}"));
    let steers = body.obligations.get("steers").and_then(Value::as_array);
    for (at, steer) in steers.into_iter().flatten().enumerate() {
        let content = steer.get("content").and_then(Value::as_str).unwrap_or_default();
        let says = format!("The user added while it ran: {content}");
        out.say("owed", format!("/obligations/steers/{at}"), says);
    }
    if body.obligations.get("retarget").is_some_and(|retarget| !retarget.is_null()) {
        let says =
            "The user replaced the objective while it ran; rows declared before are retired.";
        out.say("owed", "/obligations/retarget", says);
    }
}

fn artifacts(receipt: &Receipt, out: &mut Gathered) {
    let Some(audit) = &receipt.body().artifacts else {
        out.say(
            "artifacts",
            "/artifacts",
            "No path was declared that the run had to leave behind.",
        );
        return;
    };
    let lists = [
        ("/artifacts/missing", audit.missing().to_vec(), "is not there"),
        ("/artifacts/unverifiable", audit.unverifiable().to_vec(), "could not be told"),
        ("/artifacts/declared", audit.present().map(str::to_owned).collect(), "is there"),
    ];
    for (at, paths, verdict) in lists {
        for path in paths {
            out.say("artifacts", at, format!("`{path}` {verdict}."));
        }
    }
}

fn verifier(gate: &VerifierRecord, out: &mut Gathered) {
    let command = if gate.command.is_empty() { "the verifier" } else { gate.command.as_str() };
    let how = match gate.ended {
        Ended::Exited => match gate.exit_status {
            Some(status) => format!("`{command}` was run and exited with {status}"),
            None => format!("`{command}` was run"),
        },
        Ended::Signaled => format!("`{command}` was run and a signal ended it"),
        Ended::Deadline => format!("`{command}` was run and our own clock ended it"),
        Ended::NotStarted => format!("`{command}` could not be run here"),
        Ended::Observed => "The record was searched for the run's own check".to_owned(),
        Ended::Carried => {
            format!("`{command}` had passed after the turn's last write, at an earlier boundary")
        }
        Ended::NotDue => format!("`{command}` was not due"),
    };
    let reading = match gate.reading {
        Observed::Passed => "it passed",
        Observed::Failed => "it failed",
        Observed::NotRun => "there is no reading, which is neither",
    };
    let cause = if gate.cause.is_empty() { String::new() } else { format!(" ({})", gate.cause) };
    out.say("verifier", "/inputs/gate", format!("{how}: {reading}{cause}."));
}

fn judges(receipt: &Receipt, out: &mut Gathered) {
    for (at, entry) in receipt.body().tape.iter().enumerate() {
        out.say("asked", format!("/tape/{at}"), asked(entry));
    }
}

fn asked(entry: &TapeEntry) -> String {
    let again = match entry.why.as_str() {
        "first" => "was asked",
        _ => "was asked again",
    };
    let why = match entry.why.as_str() {
        "first" => "",
        "retry" => " since its reply could not be read",
        "itemize" => " for an assessment of each row",
        "contradiction" => " since it approved and named a gap",
        "ungrounded_quote" => " since it quoted what is not in the evidence",
        "done_sentinel" => " since it refused over the run's own marker",
        _ => " for a reason this program does not know",
    };
    let took = entry.after_ms.saturating_sub(entry.before_ms);
    let told = match &entry.told {
        Told::Replied { reply, .. } => format!("It replied: {reply}"),
        Told::Failed { failure, message } => format!("No reply ({failure}): {message}"),
    };
    let (slot, model, kind) = (&entry.slot, &entry.model, entry.kind.as_str());
    format!("The {slot} judge ({model}, {kind}) {again}{why}; {took} ms. {told}")
}

fn overruled(receipt: &Receipt, out: &mut Gathered) {
    let overrides = receipt.body().directive.get("overrides").and_then(Value::as_array);
    for (at, entry) in overrides.into_iter().flatten().enumerate() {
        let text = |pointer: &str| entry.pointer(pointer).and_then(Value::as_str).unwrap_or("?");
        let rule = text("/overruled/rule");
        let why = causes::sentence(rule).unwrap_or_default();
        let says = format!(
            "The {} judge said {}; the rule {rule} put another answer in its place. {why}",
            text("/slot"),
            text("/overruled/judge_verdict"),
        );
        out.say("overruled", format!("/directive/overrides/{at}"), says);
    }
}

fn rows(receipt: &Receipt, out: &mut Gathered) {
    let rows = receipt.body().directive.pointer("/requirements/rows").and_then(Value::as_array);
    for (at, row) in rows.into_iter().flatten().enumerate() {
        let text = |key: &str| row.get(key).and_then(Value::as_str).unwrap_or("?");
        let says =
            format!("Row {} is {}: {}", text("requirement_id"), text("status"), text("name"));
        out.say("rows", format!("/directive/requirements/rows/{at}"), says);
    }
}

fn counts(receipt: &Receipt, out: &mut Gathered) {
    let turn = &receipt.body().inputs.turn;
    let refused = turn.refusals.count();
    if refused > 0 {
        let says = format!("The turn had been refused {refused} times before.");
        out.say("counts", "/inputs/turn/refusals", says);
    }
    if let Some(deadline) = receipt.body().inputs.deadline_ms {
        let says = format!("The boundary had to be over {deadline} ms after it opened.");
        out.say("counts", "/inputs/deadline_ms", says);
    }
}

fn decided(receipt: &Receipt, out: &mut Gathered) {
    let directive = &receipt.body().directive;
    if directive.is_null() {
        let id = receipt.body().run.get("evidence_id").and_then(Value::as_str).unwrap_or("?");
        out.say("decided", "/directive", "Nobody adjudicated.");
        out.say("evidence", "/run/evidence_id", id);
        return;
    }
    let text = |key: &str| directive.get(key).and_then(Value::as_str).unwrap_or("?");
    let by = match text("source") {
        "deterministic" => "the deterministic stage",
        "llm" => "a judge",
        "gate" => "a rule of the gate",
        "catalog" => "the model catalog",
        "completion_precheck" => "the precheck",
        "policy" => "the policy",
        _ => "somebody this program does not know",
    };
    let says = format!("The directive was {}, by {by}.", text("action"));
    out.say("decided", "/directive/source", says);
    out.say("evidence", "/directive/evidence_id", text("evidence_id"));
}
