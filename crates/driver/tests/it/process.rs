//! Commands that do not want to end, with real processes.

use std::os::unix::process::ExitStatusExt;
use std::process::Stdio;
use std::time::Duration;

use quittance_driver::policy::Command;
use quittance_driver::process::{
    Ended, Finished, Job, Keep, Leftovers, Streams, Supervisor, run, run_listening,
};
use quittance_evidence::Digest;

use crate::real::{
    AMPLE, HARNESS, SHORT, grouped, mark, marked, supervised, supervisor, until_alive, wait_until,
    wait_until_gone,
};

fn words(words: &[&str]) -> Command {
    Command::Words(words.iter().map(|word| (*word).to_owned()).collect())
}

/// A job with a supervisor and one without.
fn both(line: &str, deadline: Duration) -> [Job; 2] {
    [supervised(line, deadline), grouped(line, deadline)]
}

/// Who is left, when nobody is.
const NOBODY: [u32; 0] = [];

fn assert_prompt(finished: &Finished, deadline: Duration) {
    let most = deadline + Duration::from_secs(8);
    assert!(u128::from(finished.duration_ms) < most.as_millis(), "{finished:?}");
}

#[tokio::test]
async fn status_and_output_are_the_processes_own() {
    for job in both("echo one; echo two >&2; echo three; echo EXIT=0; exit 3", AMPLE) {
        let finished = run(&job).await;
        assert_eq!(finished.ended, Ended::Exited(3));
        assert_eq!(finished.output.text(), "one\ntwo\nthree\nEXIT=0\n");
        assert_eq!(finished.output.digest(), Digest::of_bytes(b"one\ntwo\nthree\nEXIT=0\n"));
        assert_eq!(finished.errors.bytes(), 0);
    }
}

#[tokio::test]
async fn streams_are_taken_apart_where_wanted() {
    for mut job in both("echo one; echo two >&2", AMPLE) {
        let keep = Keep { head: 10, tail: 0 };
        job.streams = Streams::Apart { output: keep, errors: keep };
        let finished = run(&job).await;
        assert_eq!(
            (finished.output.text(), finished.errors.text()),
            ("one\n".into(), "two\n".into())
        );
    }
}

#[tokio::test]
async fn a_command_is_run_in_its_folder_and_needs_no_shell() {
    let folder = tempfile::tempdir().unwrap();
    let line = words(&["sh", "-c", "pwd -P; printf '%s|' \"$@\"", "sh", "a b", "$HOME", ""]);
    for supervisor in [None, Some(supervisor())] {
        let mut job = Job::new(line.clone(), folder.path(), AMPLE);
        job.supervisor = supervisor;
        let finished = run(&job).await;
        let here = folder.path().canonicalize().unwrap();
        assert_eq!(finished.output.text(), format!("{}\na b|$HOME||", here.display()));
    }
}

#[tokio::test]
async fn a_variable_of_the_jobs_own_is_seen_and_no_other_changes() {
    for mut job in both("printf '%s|%s' \"$QUITTANCE_TEST_ONE\" \"$PATH\"", AMPLE) {
        job.variables = vec![("QUITTANCE_TEST_ONE".to_owned(), "a b".into())];
        let path = std::env::var("PATH").unwrap();
        assert_eq!(run(&job).await.output.text(), format!("a b|{path}"));
    }
}

#[tokio::test]
async fn a_signal_from_elsewhere_is_told_from_an_exit() {
    for (name, number) in [("SEGV", 11), ("TERM", 15), ("KILL", 9), ("HUP", 1)] {
        for job in both(&format!("kill -{name} $$; sleep 600"), AMPLE) {
            assert_eq!(run(&job).await.ended, Ended::Signaled(number), "{name}");
        }
    }
}

#[tokio::test]
async fn what_cannot_be_started_says_why() {
    let mut jobs = vec![];
    for supervisor in [None, Some(supervisor())] {
        for line in [words(&["/nowhere/to/be/found"]), words(&[]), words(&["/"]), words(&["a\0b"])]
        {
            let mut job = Job::new(line, "/", AMPLE);
            job.supervisor = supervisor.clone();
            jobs.push(job);
        }
        let mut job = Job::new(words(&["true"]), "/nowhere", AMPLE);
        job.supervisor = supervisor;
        jobs.push(job);
    }
    let mut job = Job::new(words(&["true"]), "/", AMPLE);
    job.supervisor = Some(Supervisor { program: "/nowhere/supervisor".into(), args: vec![] });
    jobs.push(job);
    for job in jobs {
        let finished = run(&job).await;
        assert!(
            matches!(&finished.ended, Ended::NotStarted(cause) if !cause.is_empty()),
            "{job:?}"
        );
    }
}

#[tokio::test]
async fn a_supervisor_that_is_none_runs_nothing() {
    let mut job = Job::new(words(&["true"]), "/", AMPLE);
    job.supervisor = Some(Supervisor { program: "/bin/true".into(), args: vec![] });
    assert_eq!(run(&job).await.ended, Ended::Lost);
}

#[tokio::test]
async fn what_ignores_every_signal_ends_at_its_deadline() {
    for with in [supervised, grouped] {
        let mark = mark();
        let line = format!("trap '' TERM INT HUP QUIT; while :; do sleep {mark}; done");
        let finished = run(&with(&line, SHORT)).await;
        assert_eq!(finished.ended, Ended::Deadline);
        assert_prompt(&finished, SHORT);
        wait_until_gone(&mark);
    }
}

#[tokio::test]
async fn a_flood_is_counted_digested_and_not_kept() {
    for job in both("head -c 30000000 /dev/zero; echo end", AMPLE) {
        let mut heard = 0;
        let finished = run_listening(&job, &mut |piece| heard += piece.len()).await;
        assert_eq!(finished.ended, Ended::Exited(0));
        assert_eq!((finished.output.bytes(), heard), (30_000_004, 30_000_004));
        let mut whole = vec![0; 30_000_000];
        whole.extend(b"end\n");
        assert_eq!(finished.output.digest(), Digest::of_bytes(&whole));
        assert!(finished.output.text().len() < 70_000);
        assert!(finished.output.text().ends_with("end\n"));
    }
}

#[tokio::test]
async fn a_flood_without_end_ends_at_its_deadline() {
    let deadline = Duration::from_secs(2);
    for job in both("exec yes", deadline) {
        let finished = run(&job).await;
        assert_eq!(finished.ended, Ended::Deadline);
        assert_prompt(&finished, deadline);
        assert!(finished.output.bytes() > 100_000);
        assert!(finished.output.text().len() < 70_000);
    }
}

#[tokio::test]
async fn whoever_holds_the_pipe_ends_with_the_command() {
    for with in [supervised, grouped] {
        let mark = mark();
        let finished = run(&with(&format!("sleep {mark} & echo done; exit 3"), AMPLE)).await;
        assert_eq!(finished.ended, Ended::Exited(3));
        assert_eq!(finished.output.text(), "done\n");
        assert_prompt(&finished, Duration::ZERO);
        wait_until_gone(&mark);
    }
}

#[tokio::test]
async fn daemons_end_with_the_command() {
    let mark = mark();
    let daemon =
        format!("setsid sh -c 'trap \"\" TERM; sleep {mark} & setsid sleep {mark} & sleep {mark}'");
    let line = format!("({daemon} </dev/null >/dev/null 2>&1 &) ; ({daemon} &); exit 0");
    let finished = run(&supervised(&line, AMPLE)).await;
    assert_eq!((finished.ended, finished.leftovers), (Ended::Exited(0), Leftovers::None));
    // Not polled: it says so itself.
    assert_eq!(marked(&mark), NOBODY);
}

#[tokio::test]
async fn daemons_end_at_the_deadline() {
    let mark = mark();
    let line = format!("(setsid sleep {mark} &) ; setsid sleep {mark}");
    let finished = run(&supervised(&line, SHORT)).await;
    assert_eq!((finished.ended, finished.leftovers), (Ended::Deadline, Leftovers::None));
    assert_eq!(marked(&mark), NOBODY);
}

#[tokio::test]
async fn without_a_supervisor_nobody_claims_to_know_what_is_left() {
    assert_eq!(run(&grouped("true", AMPLE)).await.leftovers, Leftovers::Unknown);
}

#[tokio::test]
async fn what_keeps_forking_ends_too() {
    let mark = mark();
    // Every one of them leads a session of its own; the count keeps a failing test from filling the
    // machine.
    let line =
        format!("n=0; while [ $n -lt 400 ]; do setsid sleep {mark} & n=$((n+1)); done; wait");
    let finished = run(&supervised(&line, SHORT)).await;
    assert_eq!((finished.ended, finished.leftovers), (Ended::Deadline, Leftovers::None));
    assert_eq!(marked(&mark), NOBODY);
}

#[tokio::test]
async fn a_tree_of_sessions_ends_too() {
    let folder = tempfile::tempdir().unwrap();
    let mark = mark();
    let script = "[ $1 -gt 0 ] && { setsid sh tree.sh $(($1-1)) $2 & setsid sh tree.sh $(($1-1)) $2 & }; sleep $2";
    std::fs::write(folder.path().join("tree.sh"), script).unwrap();
    let mut job = supervised(&format!("sh tree.sh 5 {mark}"), SHORT);
    job.folder = folder.path().to_owned();
    let finished = run(&job).await;
    assert_eq!((finished.ended, finished.leftovers), (Ended::Deadline, Leftovers::None));
    assert_eq!(marked(&mark), NOBODY);
}

#[tokio::test]
async fn whoever_hops_from_process_to_process_is_caught() {
    let folder = tempfile::tempdir().unwrap();
    let mark = mark();
    let script = "[ $1 -gt 0 ] && { setsid sh hop.sh $(($1-1)) $2 & }";
    std::fs::write(folder.path().join("hop.sh"), script).unwrap();
    let mut job = supervised(&format!("sh hop.sh 20000 {mark}; sleep {mark}"), SHORT);
    job.folder = folder.path().to_owned();
    let finished = run(&job).await;
    assert_eq!((finished.ended, finished.leftovers), (Ended::Deadline, Leftovers::None));
    assert_eq!(marked(&mark), NOBODY);
}

/// Sets `$guard` and `$runner`.
const SUPERVISORS: &str = "runner=$PPID; guard=$(cut -d' ' -f4 /proc/$runner/stat)";

#[tokio::test]
async fn a_supervisor_may_be_killed() {
    for victim in ["$runner", "$guard"] {
        let mark = mark();
        let line =
            format!("{SUPERVISORS}; (setsid sleep {mark} &); kill -9 {victim}; sleep {mark}");
        let finished = run(&supervised(&line, AMPLE)).await;
        assert_eq!(finished.ended, Ended::Lost, "{victim}");
        assert_prompt(&finished, Duration::ZERO);
        wait_until_gone(&mark);
    }
}

#[tokio::test]
async fn without_any_supervisor_left_the_command_itself_ends() {
    let mark = mark();
    let line = format!("{SUPERVISORS}; kill -9 $guard $runner; exec sleep {mark}");
    let finished = run(&supervised(&line, AMPLE)).await;
    assert_eq!((finished.ended, finished.leftovers), (Ended::Lost, Leftovers::Unknown));
    wait_until_gone(&mark);
}

#[tokio::test]
async fn stopped_supervisors_do_not_stop_the_clock() {
    for victims in ["$runner", "$guard", "$guard $runner"] {
        let mark = mark();
        let line =
            format!("{SUPERVISORS}; (setsid sleep {mark} &); kill -STOP {victims}; sleep {mark}");
        let finished = run(&supervised(&line, SHORT)).await;
        assert_eq!(finished.ended, Ended::Deadline, "{victims}");
        assert_eq!(finished.leftovers, Leftovers::None, "{victims}");
        assert_eq!(marked(&mark), NOBODY);
    }
}

#[test]
fn nothing_outlives_whoever_started_it() {
    let mark = mark();
    let line = format!("trap '' HUP TERM; (setsid sleep {mark} &); sleep {mark} & sleep {mark}");
    let mut started = std::process::Command::new(HARNESS)
        .args(["sh", "-c", &line])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    wait_until("the command runs", || {
        let pids = marked(&mark);
        let sleeps = |pid: &&u32| {
            std::fs::read(format!("/proc/{pid}/cmdline"))
                .is_ok_and(|line| line.starts_with(b"sleep"))
        };
        pids.iter().filter(sleeps).count() == 3
    });
    started.kill().unwrap();
    assert_eq!(started.wait().unwrap().signal(), Some(9));
    wait_until_gone(&mark);
}

#[tokio::test]
async fn nothing_outlives_a_dropped_run() {
    for with in [supervised, grouped] {
        let mark = mark();
        let job = with(&format!("sleep {mark} & sleep {mark}"), AMPLE);
        tokio::select! {
            finished = run(&job) => panic!("it ended: {finished:?}"),
            () = until_alive(&mark, 3) => {}
        }
        wait_until_gone(&mark);
    }
}

#[tokio::test]
async fn a_command_is_not_waited_for_to_read() {
    let much = "x".repeat(3_000_000);
    for mut job in both("exec 0<&-; echo deaf", AMPLE) {
        job.stdin = Some(much.clone());
        let finished = run(&job).await;
        assert_eq!((finished.ended, finished.output.text()), (Ended::Exited(0), "deaf\n".into()));
    }
    for mut job in both("cat | wc -c; cat | wc -c", AMPLE) {
        job.stdin = Some(much.clone());
        assert_eq!(run(&job).await.output.text(), "3000000\n0\n");
    }
    for mut job in both("sleep 600", SHORT) {
        job.stdin = Some(much.clone());
        assert_eq!(run(&job).await.ended, Ended::Deadline);
    }
}

#[tokio::test]
async fn a_command_without_a_question_reads_nothing() {
    for job in both("cat; readlink /proc/self/fd/0", AMPLE) {
        assert_eq!(run(&job).await.output.text(), "/dev/null\n");
    }
}

#[tokio::test]
async fn a_command_inherits_no_descriptor() {
    let line = "ls /proc/self/fd";
    // What this test itself was given goes on to whoever it starts, whoever starts it.
    let given = std::process::Command::new("sh").args(["-c", line]).output().unwrap();
    for job in both(line, AMPLE) {
        assert_eq!(run(&job).await.output.text().into_bytes(), given.stdout);
    }
}

#[test]
fn a_hosts_own_variables_are_not_seen() {
    let line =
        "test -z \"$CLAUDE_CODE_MESSAGING_TOKEN$CODEX_HOME$GEMINI_API_KEY\" && test \"$KEPT\" = 1";
    let output = std::process::Command::new(HARNESS)
        .args(["sh", "-c", line])
        .envs([("CLAUDE_CODE_MESSAGING_TOKEN", "t"), ("CODEX_HOME", "/x"), ("GEMINI_API_KEY", "k")])
        .env("KEPT", "1")
        .output()
        .unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "exited 0, nothing left\n");
}

#[test]
fn a_supervisor_started_by_hand_does_nothing() {
    for args in [&["supervise"][..], &["supervise", "guard"], &["supervise", "guard", "1"]] {
        let output =
            std::process::Command::new(HARNESS).args(args).stdin(Stdio::null()).output().unwrap();
        assert_ne!(output.status.code(), None, "{args:?}");
        assert_eq!((output.stdout, output.stderr), (vec![], vec![]), "{args:?}");
    }
}
