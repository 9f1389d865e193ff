//! `quittance explain`: a receipt in plain words.

use serde_json::json;

use crate::exit::Failure;
use crate::render::{Page, broken};
use crate::{Answer, args, receipts, statements};

pub(crate) fn run(args: &args::Explain) -> Result<Answer, Failure> {
    let receipt = receipts::named(&args.receipt)?;
    let statements = statements::of(&receipt);
    let mut page = Page::default();
    page.line("receipt", &receipt.id().to_string());
    for statement in &statements {
        page.lines(statement.about, broken(&format!("{} [{}]", statement.says, statement.at)));
    }
    let document = json!({"receipt_id": receipt.id(), "statements": statements});
    Ok(Answer { document, text: page.into_text(), code: 0 })
}
