//! The smallest harness that is its own supervisor: runs a command for at most a minute and says how it ended.
//!
//! ```console
//! $ cargo run -p quittance-driver --features harness -- sh -c 'setsid sleep 600 & exit 3'
//! exited 3, nothing left
//! ```

use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

#[cfg(unix)]
fn main() -> ExitCode {
    use quittance_driver::process::supervise;

    let args: Vec<OsString> = std::env::args_os().collect();
    if args.get(1).is_some_and(|word| word == "supervise") {
        return supervise(args.get(2..).unwrap_or_default());
    }
    let words = args.into_iter().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    match run(words) {
        Ok(told) => ExitCode::from(u8::from(writeln!(std::io::stdout(), "{told}").is_err())),
        Err(cause) => {
            let _ = writeln!(std::io::stderr(), "cannot run the command: {cause}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(unix)]
fn run(words: Vec<String>) -> std::io::Result<String> {
    use std::time::Duration;

    use quittance_driver::policy::Command;
    use quittance_driver::process::{Ended, Job, Leftovers, Supervisor, run};

    let mut job =
        Job::new(Command::Words(words), std::env::current_dir()?, Duration::from_secs(60));
    job.supervisor = Some(Supervisor::this_program(["supervise"]));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let finished = runtime.block_on(run(&job));
    let ended = match finished.ended {
        Ended::Exited(status) => format!("exited {status}"),
        Ended::Signaled(signal) => format!("ended by signal {signal}"),
        Ended::Deadline => "took too long".to_owned(),
        Ended::NotStarted(cause) => format!("did not start: {cause}"),
        Ended::Lost => "was lost".to_owned(),
    };
    let left = match finished.leftovers {
        Leftovers::None => "nothing left",
        Leftovers::Some => "something left",
        Leftovers::Unknown => "who knows what is left",
    };
    Ok(format!("{ended}, {left}"))
}

#[cfg(not(unix))]
fn main() -> ExitCode {
    let _ = writeln!(std::io::stderr(), "cannot run a command: this is not a Unix");
    ExitCode::FAILURE
}
