//! A receipt of the ledger, by the beginning of its id.

use std::path::Path;

use quittance_ledger::Receipt;
use quittance_ledger::store::{Lookup, Stored};

use super::open;
use crate::exit::Failure;
use crate::input;

const NOT_AN_ID: &str = "an id is made of hex digits";

/// The receipt of this id, in the ledger that is named or this project's.
pub(super) fn one(id: &str, ledger: Option<&Path>) -> Result<(Receipt, Stored), Failure> {
    let (path, reader) = open(ledger)?;
    let found = reader.find(id);
    let found = found.map_err(|source| Failure::Ledger { path: path.clone(), source })?;
    let named = id.to_owned();
    let stored = match found {
        Lookup::Found(stored) => stored,
        Lookup::None => {
            let cause = format!("no receipt in `{}` has it", path.display());
            return Err(Failure::NoReceipt { id: named, cause });
        }
        Lookup::NotAnId => {
            return Err(Failure::BadReceiptId { id: named, cause: NOT_AN_ID.to_owned() });
        }
        Lookup::Ambiguous(ids) => {
            let cause = format!("several receipts begin so: {}", ids.join(", "));
            return Err(Failure::BadReceiptId { id: named, cause });
        }
    };
    let receipt = Receipt::parse(&stored.text);
    let receipt = receipt.map_err(|source| Failure::Receipt { path, source })?;
    Ok((receipt, *stored))
}

/// The receipt in a file or on standard input; what is the name of no file is taken for an id, whole
/// or its beginning.
pub(crate) fn named(name: &Path) -> Result<Receipt, Failure> {
    let missing = match input::receipt(name) {
        Err(missing @ Failure::Open { .. }) if !name.exists() => missing,
        read => return read,
    };
    let id = name.to_str().filter(|text| is_id(text));
    let Some(id) = id else { return Err(missing) };
    one(id, None).map(|(receipt, _)| receipt).map_err(|failure| Failure::NoReceipt {
        id: id.to_owned(),
        cause: format!("there is no such file, and the ledger does not have it: cannot {failure}"),
    })
}

/// Whether a text can be the beginning of an id.
fn is_id(text: &str) -> bool {
    let digits = text.strip_prefix("sha256:").unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
}
