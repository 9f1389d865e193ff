//! What goes over the socket that is a supervisor's standard input: one order in, one report out,
//! a line each. Its end, for whatever reason, ends everything.

use serde::{Deserialize, Serialize};

use crate::policy::Command;

/// What to become.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Order {
    pub(crate) command: Command,
    pub(crate) stdin: Option<String>,
}

/// How it ended.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Report {
    Exited(i32),
    Signaled(i32),
    NotStarted(String),
}

/// One message as a line. JSON has no line break of its own.
pub(crate) fn line(message: &impl Serialize) -> Vec<u8> {
    // A message of texts and numbers can always be written; an empty one is read as none.
    let mut line = serde_json::to_vec(message).unwrap_or_default();
    line.push(b'\n');
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_one_line_and_comes_back() {
        let order = Order {
            command: Command::Words(vec!["printf".to_owned(), "a\nb".to_owned()]),
            stdin: Some("{\"user\":\"\n\u{2028}\"}\n".to_owned()),
        };
        let text = line(&order);
        assert_eq!(text.iter().filter(|byte| **byte == b'\n').count(), 1);
        let back: Order = serde_json::from_slice(&text).unwrap();
        assert_eq!((back.command, back.stdin), (order.command, order.stdin));
        for report in
            [Report::Exited(7), Report::Signaled(9), Report::NotStarted("no\nsuch".to_owned())]
        {
            let text = line(&report);
            assert_eq!(serde_json::from_slice::<Report>(&text).unwrap(), report);
        }
    }
}
