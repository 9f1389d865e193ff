//! A process of its own: this test binary once more, told by its environment what to do.
//!
//! A child writes `reported ID` once a commit has returned. Alone, as one test among others, it does
//! the jobs that end by themselves, in this process.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};

use quittance_ledger::store::{SetAside, Store};

use super::disk;
use super::ledger::{Ledger, patient, scope, settle};

/// What a child does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Job {
    /// Waits for its parent, then commits two boundaries of one turn.
    CommitTwo,
    /// Commits until it is killed.
    CommitForEver,
    /// Waits for its parent, finds the ledger damaged, sets it aside if nobody has, and commits.
    Mend,
    /// Holds the ledger's lock until its parent lets go.
    Hold,
    /// Fills the small disk it is given.
    Fill,
    /// Finds its disk read-only.
    ReadOnly,
}

impl Job {
    const ALL: [Self; 6] =
        [Self::CommitTwo, Self::CommitForEver, Self::Mend, Self::Hold, Self::Fill, Self::ReadOnly];

    fn run(self, path: &Path) {
        match self {
            Self::CommitTwo => commit_two(path),
            Self::CommitForEver => commit_for_ever(path),
            Self::Mend => mend(path),
            Self::Hold => hold(path),
            Self::Fill => disk::fill(path),
            Self::ReadOnly => disk::read_only(path),
        }
    }
}

const JOB: &str = "QUITTANCE_TEST_JOB";
const PATH: &str = "QUITTANCE_TEST_LEDGER";
const NAME: &str = "store::child::a_process_does_its_job";

/// A child's command; its output is reports only, as far as a reader looks at whole lines.
pub(crate) fn arguments() -> (PathBuf, [&'static str; 5]) {
    let program = std::env::current_exe().unwrap();
    (program, ["--exact", NAME, "--nocapture", "--test-threads", "1"])
}

/// The variables that tell a child what to do.
pub(crate) fn told(command: &mut Command, job: Job, path: &Path) {
    command.env(JOB, format!("{job:?}")).env(PATH, path);
}

pub(crate) fn start(job: Job, path: &Path) -> Child {
    let (program, arguments) = arguments();
    let mut command = Command::new(program);
    told(command.args(arguments), job, path);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit());
    command.spawn().unwrap()
}

/// The ids that a child reported, to the end of its output.
pub(crate) fn reports(output: ChildStdout) -> Vec<String> {
    let mut text = String::new();
    BufReader::new(output).read_to_string(&mut text).unwrap();
    // What comes after the last line end was not reported in full.
    let whole = text.rsplit_once('\n').map_or("", |(whole, _)| whole);
    whole.lines().filter_map(|line| line.strip_prefix("reported ")).map(str::to_owned).collect()
}

/// Waits for a line of a child's output.
pub(crate) fn wait_for(output: &mut BufReader<ChildStdout>, expected: &str) {
    let mut line = String::new();
    while !line.ends_with(&format!("{expected}\n")) {
        line.clear();
        assert!(output.read_line(&mut line).unwrap() > 0, "the child ended");
    }
}

pub(crate) fn report(word: &str) {
    let mut output = std::io::stdout().lock();
    output.write_all(format!("\n{word}\n").as_bytes()).unwrap();
    output.flush().unwrap();
}

fn until_let_go() {
    if std::env::var_os(JOB).is_some() {
        std::io::stdin().read_to_end(&mut Vec::new()).unwrap();
    }
}

fn commit_two(path: &Path) {
    until_let_go();
    let mut store = Store::open(path, patient()).unwrap();
    for round in 0..2 {
        let process = std::process::id();
        let content = |_: &_| format!("{process} {round}");
        let id = settle(&mut store, &scope("shared"), content).unwrap();
        report(&format!("reported {id}"));
    }
}

fn commit_for_ever(path: &Path) {
    let process = std::process::id();
    for round in 0_usize.. {
        // A hook is a process and opens the ledger once; here it opens it again and again.
        let mut store = Store::open(path, patient()).unwrap();
        let turn = scope(if round % 2 == 0 { "even" } else { "odd" });
        let content = |_: &_| format!("{process} {round} {}", "x".repeat(round * 7919 % 30_000));
        let id = settle(&mut store, &turn, content).unwrap();
        report(&format!("reported {id}"));
    }
}

fn mend(path: &Path) {
    until_let_go();
    let mut store = loop {
        match Store::open(path, patient()) {
            Ok(store) => break store,
            Err(found) => match Store::set_aside(path, &found, patient()).unwrap() {
                SetAside::Moved(aside) => report(&format!("moved {}", aside.display())),
                SetAside::NotNeeded => assert!(found.damage().is_some(), "{found}"),
            },
        }
    };
    let process = std::process::id();
    let id = settle(&mut store, &scope("shared"), |_| process.to_string()).unwrap();
    report(&format!("reported {id}"));
}

fn hold(path: &Path) {
    let raw = rusqlite::Connection::open(path).unwrap();
    raw.execute_batch("BEGIN IMMEDIATE").unwrap();
    report("held");
    until_let_go();
}

#[test]
fn a_process_does_its_job() {
    let told = std::env::var(JOB).ok();
    if let Some(job) = Job::ALL.into_iter().find(|job| told == Some(format!("{job:?}"))) {
        return job.run(&PathBuf::from(std::env::var_os(PATH).unwrap()));
    }
    assert_eq!(told, None, "an unknown job");
    let ledger = Ledger::new();
    ledger.open();
    for job in [Job::CommitTwo, Job::Mend, Job::Hold] {
        job.run(&ledger.path());
    }
    assert_eq!(ledger.open().load(&scope("shared")).unwrap().version.boundaries(), 3);
}
