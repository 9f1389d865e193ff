//! What shells and `man` are told.

use std::fs;
use std::process::Command;

use crate::run::{quittance, top};

#[test]
fn every_shell_is_told_of_every_command() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let run = quittance(&top(), &["completions", shell]);
        assert_eq!(run.code, 0, "{shell}");
        for word in ["check", "init", "doctor", "install", "receipts"] {
            assert!(run.stdout.contains(word), "{shell}: {word}");
        }
        // These two are told of no argument's values.
        let knows_values = !["powershell", "elvish"].contains(&shell);
        assert_eq!(run.stdout.contains("gemini-cli"), knows_values, "{shell}");
        // So are they of those that only one option takes.
        for value in ["openai-chat", "not-assessed"] {
            assert_eq!(run.stdout.contains(value), knows_values, "{shell}: {value}");
        }
        // The program starts itself with that one.
        assert!(!run.stdout.contains("supervise"), "{shell}");
    }
    assert_eq!(quittance(&top(), &["completions", "tcsh"]).code, 64);
}

#[test]
fn what_a_shell_is_told_it_can_read() {
    for (shell, check) in [("bash", "-n"), ("zsh", "-n"), ("fish", "--no-execute")] {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("script");
        fs::write(&file, quittance(&top(), &["completions", shell]).stdout).unwrap();
        // A shell that is not here cannot be asked.
        match Command::new(shell).arg(check).arg(&file).output() {
            Ok(output) => assert!(output.status.success(), "{shell}: {output:?}"),
            Err(_) => println!("{shell} is not installed: its script was not read"),
        }
    }
}

#[test]
fn each_command_has_a_page() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("man1");
    let run = quittance(&top(), &["man", "--out", out.to_str().unwrap()]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let mut names: Vec<String> = fs::read_dir(&out)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    insta::assert_snapshot!(names.join(" "), @"quittance-assess.1 quittance-check.1 quittance-completions.1 quittance-doctor.1 quittance-evidence.1 quittance-explain.1 quittance-hook.1 quittance-init.1 quittance-install.1 quittance-man.1 quittance-receipts-list.1 quittance-receipts-show.1 quittance-receipts.1 quittance-replay.1 quittance-trust.1 quittance-uninstall.1 quittance.1");
    let page = fs::read_to_string(out.join("quittance-check.1")).unwrap();
    assert!(page.contains("--receipt") || page.contains("\\-\\-receipt"), "{page}");
    for name in &names {
        let page = fs::read_to_string(out.join(name)).unwrap();
        let sections: Vec<&str> =
            page.lines().filter_map(|line| line.strip_prefix(".SH ")).collect();
        assert!(
            page.is_ascii() && sections[..2] == ["NAME", "\"SYNOPSIS\""],
            "{name}: {sections:?}"
        );
        assert!(!page.contains("EXTRA"), "{name}");
    }
    for part in ["EXIT STATUS", "0 verified, accepted, or stopped", "EXAMPLES", "[OPTIONS] "] {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert_eq!(quittance(&top(), &["help", "check"]).code, 0);
    let whole = quittance(&top(), &["man"]);
    assert!(whole.stdout.contains("70 a fault of our own"), "{}", whole.stdout);
    assert_eq!(whole.stdout, fs::read_to_string(out.join("quittance.1")).unwrap());
}
