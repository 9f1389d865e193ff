//! The README's first two minutes, played again with real commands: what it shows is what is
//! printed.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::run::top;

/// How long the whole of it may take.
const TWO_MINUTES: Duration = Duration::from_secs(120);

/// A command of the recording, and what it printed.
#[derive(Debug, PartialEq, Eq)]
struct Step {
    command: String,
    printed: String,
}

/// The recording in the README: the block of a terminal that asks the hook.
fn recording() -> Vec<Step> {
    let readme = fs::read_to_string(top().join("README.md")).unwrap();
    let blocks = readme.split("```console\n").skip(1);
    let blocks = blocks.map(|rest| rest.split("```").next().unwrap());
    let block = blocks.into_iter().find(|block| block.contains("hook claude-code <")).unwrap();
    let mut steps: Vec<Step> = Vec::new();
    for line in block.lines() {
        match (line.strip_prefix("$ "), steps.last_mut()) {
            (Some(command), _) => {
                steps.push(Step { command: command.to_owned(), printed: String::new() });
            }
            (None, Some(step)) => step.printed.extend([line, "\n"]),
            (None, None) => panic!("{line}"),
        }
    }
    steps
}

fn copied(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let (entry, name) = entry.map(|entry| (entry.path(), entry.file_name())).unwrap();
        if entry.is_dir() {
            copied(&entry, &to.join(name));
        } else {
            fs::copy(entry, to.join(name)).unwrap();
        }
    }
}

/// What differs from one recording to the next, alike: when a receipt was kept, and its id, which
/// holds how long everything took.
fn masked(text: &str) -> String {
    let words = text.split_inclusive(char::is_whitespace).map(|word| {
        let bare = word.trim_end();
        let is_moment = bare.len() == 20 && bare.ends_with('Z') && bare.contains('T');
        let is_id = bare.len() == 16 && bare.chars().all(|c| c.is_ascii_hexdigit());
        if is_moment || is_id { word.replace(bare, "[differs]") } else { word.to_owned() }
    });
    words.collect()
}

fn played(step: &Step, home: &Path, project: &Path) -> Step {
    let program = Path::new(env!("CARGO_BIN_EXE_quittance"));
    let path = format!("{}:/usr/bin:/bin", program.parent().unwrap().display());
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(&step.command).current_dir(project).env("HOME", home).env("PATH", path);
    for variable in ["XDG_CONFIG_HOME", "XDG_DATA_HOME", "CLAUDE_CONFIG_DIR", "MAKEFLAGS"] {
        shell.env_remove(variable);
    }
    let output = shell.env("LC_ALL", "C").output().unwrap();
    assert!(output.status.success(), "{}: {output:?}", step.command);
    // What is told while it goes on comes first.
    let printed = [output.stderr, output.stdout].map(|bytes| String::from_utf8(bytes).unwrap());
    let printed = printed.concat();
    let printed = printed.replace(&program.display().to_string(), "/usr/local/bin/quittance");
    let home = home.canonicalize().unwrap();
    let printed = printed.replace(&home.display().to_string(), "~");
    Step { command: step.command.clone(), printed }
}

#[test]
fn the_first_two_minutes_are_as_the_readme_shows_them() {
    let home = tempfile::tempdir().unwrap();
    let project = home.path().join("greet");
    copied(&top().join("examples/newcomer"), &project);
    let begun = Instant::now();
    let steps = recording();
    let played: Vec<Step> = steps.iter().map(|step| played(step, home.path(), &project)).collect();
    assert!(begun.elapsed() < TWO_MINUTES, "{:?}", begun.elapsed());
    let all = |steps: &[Step]| -> String {
        let told = |step: &Step| format!("$ {}\n{}", step.command, masked(&step.printed));
        steps.iter().map(told).collect()
    };
    let shown: String =
        played.iter().map(|step| format!("$ {}\n{}", step.command, step.printed)).collect();
    assert_eq!(all(&steps), all(&played), "what was printed now:\n{shown}");
    // A refused stop comes first, then one that nobody has to take the agent's word for.
    let outcomes: Vec<&str> = ["refused", "verified"]
        .into_iter()
        .filter(|word| played.last().unwrap().printed.contains(word))
        .collect();
    assert_eq!(outcomes, ["refused", "verified"]);
}
