//! What a hook reads on from an earlier boundary is what one reads that begins at the beginning.

use serde_json::{Value, json};

use super::{Host, is_block};

pub(super) fn line(
    kind: &str,
    id: &str,
    parent: Option<&str>,
    prompt: &str,
    message: &Value,
) -> String {
    let line = json!({
        "type": kind, "uuid": id, "parentUuid": parent, "promptId": prompt, "sessionId": "s",
        "rowSource": "local", "promptSource": "typed", "isSidechain": false, "message": message,
    });
    format!("{line}\n")
}

/// A turn that writes a file and says it is done.
pub(super) fn turn(number: usize) -> String {
    let id = |part: &str| format!("{part}{number}");
    let before = number.checked_sub(1).map(|before| format!("d{before}"));
    let prompt = id("p");
    let ask = json!({"role": "user", "content": format!("Write file {number}.")});
    let call = json!({"role": "assistant", "id": id("m"), "content": [{
        "type": "tool_use", "id": id("t"), "name": "Write",
        "input": {"file_path": format!("src/{number}.js"), "content": "x"},
    }]});
    let result = json!({"role": "user", "content": [
        {"type": "tool_result", "tool_use_id": id("t"), "content": "written"},
    ]});
    let end = json!({"role": "assistant", "id": id("n"), "stop_reason": "end_turn", "content": [
        {"type": "text", "text": "Done."},
    ]});
    [
        line("user", &id("a"), before.as_deref(), &prompt, &ask),
        line("assistant", &id("b"), Some(&id("a")), &prompt, &call),
        line("user", &id("c"), Some(&id("b")), &prompt, &result),
        line("assistant", &id("d"), Some(&id("c")), &prompt, &end),
    ]
    .concat()
}

fn turns(count: usize) -> String {
    (0..count).map(turn).collect()
}

/// The sealed part of the last boundary's receipt, made in a home that never read the file before.
fn afresh(host: &Host, prompt: &str) -> Value {
    let other = Host::trusted("false-done");
    std::fs::copy(host.transcript(), other.transcript()).unwrap();
    assert!(is_block(&other.asked(prompt)));
    other.last_receipt()
}

fn assert_read_whole(host: &Host, prompt: &str, what: &str) {
    let receipt = host.last_receipt();
    assert_eq!(receipt["run"], afresh(host, prompt)["run"], "{what}");
    let bytes = std::fs::read(host.transcript()).unwrap();
    let digest = quittance_evidence::Digest::of_bytes(&bytes).to_string();
    assert_eq!(receipt["run"]["source"]["digest"], digest, "{what}");
}

#[test]
fn turn_after_turn_is_read_as_the_whole() {
    let host = Host::trusted("false-done");
    for count in 1..5 {
        std::fs::write(host.transcript(), turns(count)).unwrap();
        let prompt = format!("p{}", count - 1);
        assert!(is_block(&host.asked(&prompt)), "{count}");
        assert_read_whole(&host, &prompt, "in place, grown");
    }
}

#[test]
fn a_file_that_is_another_is_read_from_its_beginning() {
    let host = Host::trusted("false-done");
    std::fs::write(host.transcript(), turns(3)).unwrap();
    assert!(is_block(&host.asked("p2")));
    // Replaced by a longer one with another past.
    let replaced = turns(4).replace("src/0.js", "lib/0.js");
    let beside = host.transcript().with_extension("new");
    std::fs::write(&beside, &replaced).unwrap();
    std::fs::rename(&beside, host.transcript()).unwrap();
    assert!(is_block(&host.asked("p3")));
    assert_read_whole(&host, "p3", "replaced");
    // Written anew in place, as long as before, with another last turn before the one at hand.
    let rewritten = replaced.replace("src/2.js", "etc/2.js");
    std::fs::write(host.transcript(), &rewritten).unwrap();
    assert!(is_block(&host.asked("p4")));
    assert_read_whole(&host, "p4", "rewritten");
    // Cut, and grown again.
    std::fs::write(host.transcript(), turns(1)).unwrap();
    assert!(is_block(&host.asked("p5")));
    assert_read_whole(&host, "p5", "cut");
}

#[test]
fn a_rewind_into_an_earlier_turn_is_read_along_its_chain() {
    let host = Host::trusted("false-done");
    std::fs::write(host.transcript(), turns(3)).unwrap();
    assert!(is_block(&host.asked("p2")));
    let rewound = turns(3) + &turn(3).replace("\"parentUuid\":\"d2\"", "\"parentUuid\":\"b0\"");
    std::fs::write(host.transcript(), rewound).unwrap();
    assert!(is_block(&host.asked("p3")));
    assert_read_whole(&host, "p3", "rewound");
}
