//! `quittance supervise`: one of the processes between this program and a command that it runs.
//!
//! Nobody types it; the program starts itself with it. Which part to play, and for whom, is
//! `quittance-driver`'s to know.

use std::ffi::OsString;
use std::process::ExitCode;

/// Plays the part. Nothing is printed: both streams are the command's.
pub(crate) fn run(args: &[OsString]) -> ExitCode {
    #[cfg(unix)]
    return quittance_driver::process::supervise(args);
    #[cfg(not(unix))]
    return ExitCode::from(crate::exit::USAGE);
}
