//! What tests with real processes share: jobs, and the proof that nothing of them is left.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use quittance_driver::policy::Command;
use quittance_driver::process::{Job, Supervisor};

/// The program that is its own supervisor.
pub(crate) const HARNESS: &str = env!("CARGO_BIN_EXE_harness");

pub(crate) fn supervisor() -> Supervisor {
    Supervisor { program: HARNESS.into(), args: vec!["supervise".into()] }
}

/// Longer than anything here takes: a job that is to end by itself.
pub(crate) const AMPLE: Duration = Duration::from_secs(60);
/// Long enough for a shell to get going, short enough to be waited for.
pub(crate) const SHORT: Duration = Duration::from_millis(400);

/// A shell line with a supervisor.
pub(crate) fn supervised(line: &str, deadline: Duration) -> Job {
    let mut job = grouped(line, deadline);
    job.supervisor = Some(supervisor());
    job
}

/// A shell line without one.
pub(crate) fn grouped(line: &str, deadline: Duration) -> Job {
    Job::new(Command::Shell(line.to_owned()), std::env::temp_dir(), deadline)
}

/// A number of seconds to sleep that no other process sleeps, so that whoever has it in its command
/// line is of one test.
pub(crate) fn mark() -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    format!("600.{:07}{:04}1", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

/// The processes with the mark in their command line. One that has ended and is not buried has
/// none.
pub(crate) fn marked(mark: &str) -> Vec<u32> {
    let pids = std::fs::read_dir("/proc").unwrap().flatten();
    let pids = pids.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    pids.filter(|pid| {
        let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        line.windows(mark.len()).any(|window| window == mark.as_bytes())
    })
    .collect()
}

/// Waits until something holds.
pub(crate) fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let until = Instant::now() + Duration::from_secs(30);
    while !holds() {
        assert!(Instant::now() < until, "it never came to be that {what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Everything marked has ended, or does so after whoever held it was killed.
pub(crate) fn wait_until_gone(mark: &str) {
    wait_until("all of it has ended", || marked(mark).is_empty());
}

/// Comes back once that many processes bear the mark.
pub(crate) async fn until_alive(mark: &str, count: usize) {
    while marked(mark).len() < count {
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
}
