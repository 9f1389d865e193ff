//! Records as a run of a storage agent leaves them: requests and results, rows of what tools
//! covered and of where arguments came from, and the events that nobody folds.

use std::fmt::Write;

/// The shortest and the longest record, in bytes, about.
const SIZES: [f64; 2] = [2e3, 2e6];

/// Lines of records whose sizes spread evenly over their orders of magnitude, up to about `bytes`.
pub(crate) fn lines(bytes: usize) -> Vec<u8> {
    let mut dice = Dice(0x9E37_79B9_7F4A_7C15);
    let mut out = String::with_capacity(bytes + bytes / 8);
    while out.len() < bytes {
        let [least, most] = SIZES;
        let size = least * (most / least).powf(dice.share());
        record(&mut dice, size, &mut out);
        out.push('\n');
    }
    out.into_bytes()
}

fn record(dice: &mut Dice, size: f64, out: &mut String) {
    let from = out.len();
    let (mut coverage, mut ledger, mut events) = (Vec::new(), Vec::new(), Vec::new());
    out.push_str(r#"{"meta":{"kind":"recording/run"},"snapshot":{"sharedState":{"history":["#);
    out.push_str(
        r#"{"role":"system","content":"You look after storage arrays and their switches."}"#,
    );
    out.push_str(r#",{"role":"user","content":"Which ports of switch A are down?"}"#);
    let mut call = 0;
    // The rows beside the history and the events make up about a third.
    while call == 0 || ((out.len() - from) as f64) < size * 0.65 {
        call += 1;
        exchange(dice, call, out);
        if dice.one_in(3) {
            coverage.push(format!(
                r#"{{"kind":"ledger","toolName":"ports","toolCallId":"toolu_{call}","iteration":{call},"notChecked":[],"cannotCover":[]}}"#
            ));
        }
        ledger.push(row(dice, call));
        for step in 0..3 {
            events.push(format!(
                r#"{{"type":"stage","id":{call}{step},"ts":{},"data":{{"name":"call-llm","ms":{}.{}}}}}"#,
                1_790_361_936_600_u64 + dice.below(1_000_000), dice.below(3000), dice.below(100)
            ));
        }
    }
    let _ = write!(
        out,
        r#"],"turnNumber":1,"coverageDeclared":[{}],"findingsLedger":[{}]}},"recorders":[]}},"events":[{}],"runId":"run-{from}"}}"#,
        coverage.join(","),
        ledger.join(","),
        events.join(",")
    );
}

fn exchange(dice: &mut Dice, call: u64, out: &mut String) {
    let said = "Let me look at the switch port by port. ".repeat(dice.times(4));
    let _ = write!(
        out,
        r#",{{"role":"assistant","content":"{said}","toolCalls":[{{"id":"toolu_{call}","name":"ports","args":{{"switch":"A","page":{call}}}}}]}}"#
    );
    let content = match dice.below(3) {
        0 => rows(dice),
        1 => format!(
            r#"{{\"af_coverage\":{{\"checked\":[{{\"what\":\"inventory\"}}],\"not_checked\":[]}},\"result\":{}}}"#,
            rows(dice)
        ),
        _ => r"timeout after 30 s while reading /var/log/switch\n".repeat(1 + dice.times(30)),
    };
    let _ = write!(
        out,
        r#",{{"role":"tool","toolCallId":"toolu_{call}","toolName":"ports","content":"{content}"}}"#
    );
}

/// Rows as text within text.
fn rows(dice: &mut Dice) -> String {
    let row = |dice: &mut Dice| {
        let (port, host) = (dice.below(48), dice.below(1000));
        format!(
            r#"{{\"port\":{port},\"state\":\"up\",\"speed\":\"25G\",\"peer\":\"host-{host}\"}}"#
        )
    };
    let rows: Vec<String> = (0..dice.below(24)).map(|_| row(dice)).collect();
    format!("[{}]", rows.join(","))
}

fn row(dice: &mut Dice, call: u64) -> String {
    let rest = match dice.below(4) {
        0 => {
            r#""kind":"argument","argument":"switch","rule":"ask","source":"said","claimed":"user""#
                .to_owned()
        }
        1 => r#""kind":"period","argument":"switch","verdict":"covered""#.to_owned(),
        2 => format!(
            r#""kind":"conflict","witnesses":[{{"toolCallId":"toolu_{call}"}},{{"toolCallId":"toolu_1"}}]"#
        ),
        _ => r#""kind":"grounded","posture":"guard","lookedUp":3"#.to_owned(),
    };
    format!(r#"{{{rest},"turn":1,"iteration":{call},"toolCallId":"toolu_{call}"}}"#)
}

/// Numbers that are the same in every run.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        // xorshift64*
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    fn below(&mut self, limit: u64) -> u64 {
        (self.next() >> 32) % limit
    }

    fn times(&mut self, limit: u32) -> usize {
        self.below(u64::from(limit)).try_into().unwrap_or(0)
    }

    fn one_in(&mut self, of: u64) -> bool {
        self.below(of) == 0
    }

    /// From 0 up to 1.
    fn share(&mut self) -> f64 {
        (self.below(1 << 20) as f64) / f64::from(1 << 20)
    }
}
