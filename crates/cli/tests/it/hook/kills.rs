//! Hooks that are killed at any moment: what was answered is on record, and nothing is torn.

use std::time::Duration;

use serde_json::Value;

use super::{Host, is_block, is_notice};

/// How many are killed; more where the variable says so.
fn kills() -> u64 {
    std::env::var("QUITTANCE_KILLS").ok().and_then(|count| count.parse().ok()).unwrap_or(60)
}

/// Moments that spread over the life of a hook: the multiples of the golden ratio.
fn moment(number: u64, life: Duration) -> Duration {
    let spread = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
    life.mul_f64(spread as f64 / f64::from(u32::MAX))
}

#[test]
fn a_killed_hook_loses_no_receipt_that_was_reported_and_tears_none() {
    let host = Host::trusted("false-done");
    assert!(is_block(&host.asked("first")));
    let began = std::time::Instant::now();
    assert!(is_block(&host.asked("second")));
    let life = began.elapsed().mul_f64(1.5);
    let mut reported = 2;
    for number in 0..kills() {
        let prompt = format!("p{}", number / 2);
        let mut child = host.start(host.stop(&prompt, &Value::Null).to_string().as_bytes());
        std::thread::sleep(moment(number, life));
        let _ = child.kill();
        let output = child.wait_with_output().unwrap();
        if let Ok(answer) = serde_json::from_slice::<Value>(&output.stdout) {
            // Of two hooks on one turn the second may find the first's refusal.
            assert!(is_block(&answer) || is_notice(&answer, "ledger"), "{answer}");
            reported += usize::from(is_block(&answer));
        }
    }
    let listed = host.list();
    let receipts = listed["receipts"].as_array().unwrap();
    let blocks = receipts.iter().filter(|receipt| receipt["outcome"] == "abandoned").count();
    println!("{} killed, {reported} answered, {blocks} receipts", kills());
    assert_eq!(listed["damaged"], 0);
    assert!(blocks >= reported, "{reported} were answered, {blocks} are on record");
    assert!(is_block(&host.asked("last")));
}
