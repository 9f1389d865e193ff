//! `quittance receipts show`.

use quittance_ledger::Receipt;
use quittance_ledger::store::Stored;

use super::args::Show;
use super::{find, when};
use crate::exit::Failure;
use crate::render::{Page, broken, counted, escape};
use crate::{Answer, statements};

pub(super) fn run(args: &Show) -> Result<Answer, Failure> {
    let (receipt, stored) = find::one(&args.id, args.ledger.as_deref())?;
    Ok(Answer { document: receipt.to_value(), text: text(&receipt, &stored), code: 0 })
}

fn text(receipt: &Receipt, stored: &Stored) -> String {
    let summary = &stored.summary;
    let turn = &summary.turn;
    let mut page = Page::default();
    page.line("receipt", &receipt.id().to_string());
    if let Some(supersedes) = &summary.supersedes {
        page.line("supersedes", &supersedes.to_string());
    }
    let again = match stored.times {
        0 | 1 => String::new(),
        times => format!(", the last of {}", counted(times, "boundary that came out so")),
    };
    page.line("recorded", &format!("{}{again}", when::text(summary.recorded_at_ms)));
    page.line("host", &escape::foreign(&turn.host));
    page.line("session", &escape::foreign(&turn.session));
    let agent = turn.agent.as_ref().map(|agent| format!(", sub-agent {agent}"));
    let boundary = summary.boundary;
    let place = format!("{}{}, boundary {boundary}", turn.turn, agent.unwrap_or_default());
    page.line("turn", &escape::foreign(&place));
    page.blank();
    for statement in statements::of(receipt) {
        page.lines(statement.about, broken(&format!("{} [{}]", statement.says, statement.at)));
    }
    page.into_text()
}
