//! The command: `conformance FILE…`, closing with `N passed, N failed`.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use conformance::{Outcome, Vector};

/// Runs vectors against the libraries.
#[derive(Debug, Parser)]
struct Args {
    /// Files of vectors, one JSON object a line.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Runs only operations that begin with one of these.
    #[arg(long, value_delimiter = ',', value_name = "PREFIX")]
    ops: Vec<String>,
    /// Prints our answers as vectors instead of comparing.
    #[arg(long)]
    answers: bool,
}

#[derive(Default)]
struct Count {
    passed: usize,
    failed: usize,
}

fn main() -> ExitCode {
    let args = Args::parse();
    match run(&args, &mut io::stdout().lock()) {
        Ok(count) if count.failed == 0 => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            // Nothing is left to tell when stderr is gone too.
            let _ = writeln!(io::stderr(), "conformance: {error}");
            ExitCode::from(74)
        }
    }
}

fn run(args: &Args, out: &mut impl Write) -> io::Result<Count> {
    let mut count = Count::default();
    for path in &args.files {
        let named = |error| io::Error::other(format!("cannot read `{}`: {error}", path.display()));
        let lines = BufReader::new(File::open(path).map_err(named)?).lines();
        for (position, line) in lines.enumerate() {
            let line = line.map_err(named)?;
            if line.trim().is_empty() {
                continue;
            }
            let place = format!("{}:{}", path.display(), position + 1);
            run_line(args, &line, &place, &mut count, out)?;
        }
    }
    if !args.answers {
        writeln!(out, "{} passed, {} failed", count.passed, count.failed)?;
    }
    Ok(count)
}

fn run_line(
    args: &Args,
    line: &str,
    place: &str,
    count: &mut Count,
    out: &mut impl Write,
) -> io::Result<()> {
    let vector = match Vector::parse(line) {
        Ok(vector) => vector,
        Err(error) => {
            count.failed += 1;
            return writeln!(out, "{place}: cannot {error}");
        }
    };
    let is_selected = args.ops.is_empty() || args.ops.iter().any(|op| vector.op.starts_with(op));
    if !is_selected {
        return Ok(());
    }
    if args.answers {
        let (id, op) = (&vector.id, &vector.op);
        let answer = serde_json::json!({"id": id, "op": op, "expected": vector.answer()});
        return writeln!(out, "{answer}");
    }
    match vector.run() {
        Outcome::Passed => count.passed += 1,
        Outcome::Failed(difference) => {
            count.failed += 1;
            writeln!(out, "{}: {difference}", vector.id)?;
        }
    }
    Ok(())
}
