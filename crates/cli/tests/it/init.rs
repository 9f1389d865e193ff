//! `quittance init`: what each kind of project is taken for, and what a trial makes of it.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::golden::pinned;
use crate::run::top;
use crate::world::World;

fn check(case: &Path) {
    let described: Value = serde_json::from_slice(&fs::read(case).unwrap()).unwrap();
    let world = World::new();
    for (name, text) in described["files"].as_object().unwrap() {
        world.write(name, text.as_str().unwrap());
    }
    for name in described["folders"].as_array().into_iter().flatten() {
        fs::create_dir(world.project().join(name.as_str().unwrap())).unwrap();
    }
    let (code, told, errors) = world.run(&["init", "--no-run", "--dry-run"]);
    assert_eq!((code, errors.as_str()), (0, ""));
    assert_eq!(fs::read_dir(world.home()).unwrap().count(), 0, "nothing is kept of a dry run");
    let (_, json, _) = world.run(&["init", "--no-run", "--dry-run", "--json"]);
    let document: Value = serde_json::from_str(&json).unwrap();
    let policy = document["policy"].as_str().unwrap();
    assert!(told.contains(policy), "{told}");
    // Taken at its word, the verifier is one that can be read.
    world.write("quittance.toml", &unmarked(policy));
    let (code, _, errors) = world.run(&["trust"]);
    assert_eq!(code, 0, "{errors}");
    pinned(case.parent().unwrap(), || insta::assert_snapshot!("init", told));
}

/// The policy with its verifier in force.
fn unmarked(policy: &str) -> String {
    let mut is_inside = false;
    let lines = policy.lines().map(|line| {
        is_inside = line == "# [verify]" || is_inside && !line.is_empty();
        line.strip_prefix("# ").filter(|_| is_inside).unwrap_or(line)
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn every_kind_of_project_is_taken_for_what_it_is() {
    insta::glob!(top().join("golden"), "init/*/case.json", check);
}

#[cfg(unix)]
#[test]
fn what_ran_is_in_force_and_trusted_whether_it_passed_or_failed() {
    let world = World::new();
    world.write("Cargo.toml", "[package]\nname = \"a\"\n");
    world.program(
        "cargo",
        "echo 'test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out'",
    );
    let (code, told, errors) = world.run(&["init"]);
    insta::assert_snapshot!(format!("{told}{errors}exit: {code}"), @r"
    project     Cargo (`Cargo.toml`)
    verifier    cargo test --quiet
    tried       it passed
    wrote       /w/project/quittance.toml
    trusted     the policy of /w/project
    runs        cargo test --quiet
    next        `quittance install claude-code`, or another host
    trying `cargo test --quiet`, for at most 300 s
    exit: 0
    ");
    assert!(world.policy().contains("tried it: it passed.\n[verify]\n"), "{}", world.policy());

    world.program("cargo", "echo 'one test is red'; exit 101");
    let (code, told, _) = world.run(&["init", "--force"]);
    insta::assert_snapshot!(format!("{told}exit: {code}"), @r"
    project     Cargo (`Cargo.toml`)
    verifier    cargo test --quiet
    tried       it ran and failed: a run that writes is refused until it passes
                exit status 101
                one test is red
    wrote       /w/project/quittance.toml
    trusted     the policy of /w/project
    runs        cargo test --quiet
    next        `quittance install claude-code`, or another host
    exit: 0
    ");
    assert!(world.policy().contains("it ran and failed"), "{}", world.policy());
    // Hooks obey it from now on.
    let (_, kept, _) = world.run(&["trust", "--revoke", "--json"]);
    assert!(kept.contains("\"was_trusted\":true"), "{kept}");
}

#[cfg(unix)]
#[test]
fn what_could_not_be_run_is_written_behind_marks_with_the_reason() {
    let world = World::new();
    world.write("Cargo.toml", "[package]\nname = \"a\"\n");
    let mut reasons = Vec::new();
    for (line, timeout) in [
        ("echo 'sh: 1: rustc: not found'; exit 127", "60"),
        ("echo 'test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out'", "60"),
        ("kill -TERM $$", "60"),
        ("sleep 60", "1"),
    ] {
        world.program("cargo", line);
        let (code, told, _) = world.run(&["init", "--force", "--timeout", timeout]);
        assert_eq!(code, 0, "{told}");
        let policy = world.policy();
        assert!(policy.contains("\n# [verify]\n"), "{policy}");
        assert!(told.contains("It runs no command and asks no server."), "{told}");
        let reason = policy.lines().find(|line| line.starts_with("# Not in force"));
        reasons.push(reason.unwrap().to_owned());
    }
    insta::assert_snapshot!(reasons.join("\n"), @r"
    # Not in force: it could not be run when it was tried: it is not to be had on this machine (sh: 1: rustc: not found).
    # Not in force: it could not be run when it was tried: it ran no test.
    # Not in force: it could not be run when it was tried: something else ended it.
    # Not in force: it could not be run when it was tried: it was not done within 1 s.
    ");
}

#[cfg(unix)]
#[test]
fn the_next_check_is_tried_where_the_first_is_not_to_be_had() {
    let world = World::new();
    world.write("test_a.py", "");
    world.write("Makefile", "test:\n\ttrue\n");
    // No pytest, and a Python that finds no test.
    world
        .program("python3", "case $2 in unittest) echo 'Ran 0 tests in 0.000s';; *) exit 1;; esac");
    world.program("make", "echo fine");
    let (code, told, errors) = world.run(&["init"]);
    insta::assert_snapshot!(format!("{told}{errors}exit: {code}"), @r"
    project     Make (`Makefile`)
    verifier    make test
    tried       it passed
    not run     python3 -m pytest -q: `python3 -m pytest --version` does not answer
                python3 -m unittest discover: it ran no test
    wrote       /w/project/quittance.toml
    trusted     the policy of /w/project
    runs        make test
    next        `quittance install claude-code`, or another host
    trying `python3 -m pytest -q`, for at most 300 s
    trying `python3 -m unittest discover`, for at most 300 s
    trying `make test`, for at most 300 s
    exit: 0
    ");
    insta::assert_snapshot!(world.policy().lines().skip(8).take(7).collect::<Vec<_>>().join("\n"), @r#"
    # The project's own check. It is run here once a turn has written; its exit status decides.
    # `quittance init` tried it: it passed.
    [verify]
    command = ["make", "test"]
    # command = ["python3", "-m", "pytest", "-q"] # test_*.py
    # command = ["python3", "-m", "unittest", "discover"] # test_*.py
    timeout_s = 300
    "#);
}

/// `make` has one exit status for all of it.
#[cfg(unix)]
#[test]
fn a_check_that_make_cannot_run_is_not_in_force_and_one_that_fails_is() {
    let world = World::new();
    world.write("Makefile", "test:\n\ttrue\n");
    let mut told_of = Vec::new();
    for line in [
        "make: *** No rule to make target 'test'.  Stop.",
        "./t.sh: not found\nmake: *** [Makefile:2: test] Error 127",
        "make[1]: *** [Makefile:2: test] Error 126\nmake: *** [Makefile:9: all] Error 2",
        "make: *** No rule to make target 'a.o', needed by 'test'.  Stop.",
        "./t.sh: not found\nmake: [Makefile:2: lint] Error 127 (ignored)\nmake: *** [Makefile:3: test] Error 1",
    ] {
        world.program("make", &format!("printf '%s\\n' \"{line}\"; exit 2"));
        let (_, told, _) = world.run(&["init", "--force", "--json"]);
        let document: Value = serde_json::from_str(&told).unwrap();
        told_of.push(format!("{} {}", document["trial"], document["in_force"]));
    }
    let (could_not, failed) = ("\"could_not_run\" false", "\"failed\" true");
    assert_eq!(told_of, [could_not, could_not, could_not, failed, failed]);
}

/// A runner that does not know the project's tests would pass over them.
#[cfg(unix)]
#[test]
fn a_project_of_pytest_is_checked_by_nothing_else() {
    let world = World::new();
    world.write("pyproject.toml", "[tool.pytest.ini_options]\n");
    world.write("test_a.py", "");
    world.program("python3", "case $2 in unittest) echo 'Ran 1 test in 0.000s';; *) exit 1;; esac");
    let (code, told, _) = world.run(&["init"]);
    insta::assert_snapshot!(format!("{told}exit: {code}"), @r"
    project     Python (`pyproject.toml`)
    verifier    python3 -m pytest -q
    tried       it could not be run: `python3 -m pytest --version` does not answer
    wrote       /w/project/quittance.toml
    trusted     the policy of /w/project
    It runs no command and asks no server.
    next        once the verifier runs, take its marks away in `quittance.toml`, then `quittance trust`
    exit: 0
    ");
}

#[test]
fn what_lies_around_the_folder_is_told_of() {
    let world = World::new();
    world.write("Makefile", "test:\n\ttrue\n");
    for folder in [".git", "services/api", "services/web", "services/node_modules"] {
        fs::create_dir_all(world.project().join(folder)).unwrap();
    }
    world.write("services/api/go.mod", "module a\n");
    world.write("services/web/package.json", "{}");
    world.write("services/node_modules/package.json", "{}");
    let (_, told, _) = world.run(&["init", "--no-run", "services"]);
    insta::assert_snapshot!(told, @r"
    project     of no kind that is known here
    verifier    nothing says how this project is checked
    wrote       /w/project/services/quittance.toml
    trusted     the policy of /w/project/services
    It runs no command and asks no server.
    above       the repository begins at `/w/project`, which was not looked at; a policy there holds for all of it
    below       `api` holds a project of its own: Go (`go.mod`)
                `web` holds a project of its own: npm (`package.json`)
    next        name a verifier in `quittance.toml`, then `quittance trust`
    ");
    world.write("package.json", "{\"scripts\": {\"test\": \"jest\"}}");
    let (_, told, _) = world.run(&["init", "--no-run"]);
    insta::assert_snapshot!(told, @r"
    project     npm (`package.json`)
    verifier    npm run test
    tried       no
    untried     make test (`Makefile`)
    wrote       /w/project/quittance.toml
    trusted     the policy of /w/project
    It runs no command and asks no server.
    next        once the verifier runs, take its marks away in `quittance.toml`, then `quittance trust`
    ");
    let (_, told, _) = world.run(&["init", "--no-run", "--force", "services"]);
    insta::assert_snapshot!(told, @r"
    project     of no kind that is known here
    verifier    nothing says how this project is checked
    wrote       /w/project/services/quittance.toml
    trusted     the policy of /w/project/services
    It runs no command and asks no server.
    above       `/w/project/quittance.toml` holds for whoever works above this folder, and no more in it
    below       `api` holds a project of its own: Go (`go.mod`)
                `web` holds a project of its own: npm (`package.json`)
    next        name a verifier in `quittance.toml`, then `quittance trust`
    ");
}

#[cfg(unix)]
#[test]
fn a_policy_that_cannot_be_trusted_is_said_to_be_written() {
    let world = World::new();
    fs::write(world.home().join(".config"), "no folder").unwrap();
    let (code, _, errors) = world.run(&["init", "--no-run"]);
    assert_eq!(code, 74, "{errors}");
    let (start, end) = errors.split_once("write `").unwrap();
    assert_eq!(start, "quittance: cannot trust `/w/project/quittance.toml`, which was written: ");
    assert!(end.ends_with("; once that is mended, `quittance trust`\n"), "{errors}");
    assert!(world.policy().starts_with("# What an agent owes"));
}

#[test]
fn a_policy_that_is_there_stays_unless_it_is_to_be_replaced() {
    let world = World::new();
    world.write("quittance.toml", "mine");
    let (code, _, errors) = world.run(&["init", "--no-run"]);
    assert_eq!(code, 64);
    insta::assert_snapshot!(errors, @"quittance: cannot write `/w/project/quittance.toml`: it is there already; --force replaces it");
    assert_eq!(world.policy(), "mine");
    assert_eq!(world.run(&["init", "--no-run", "--dry-run"]).0, 0);
    assert_eq!(world.policy(), "mine");
    assert_eq!(world.run(&["init", "--no-run", "--force"]).0, 0);
    assert!(world.policy().starts_with("# What an agent owes"));
    let (code, _, errors) = world.run(&["init", "nowhere"]);
    assert_eq!(code, 66, "{errors}");
}

#[test]
fn a_longer_verifier_gets_a_longer_hook() {
    let world = World::new();
    let (code, told, _) = world.run(&["init", "--no-run", "--dry-run", "--timeout", "900"]);
    assert_eq!(code, 0);
    assert!(told.contains("[hook]\ndeadline_s = 1020\n"), "{told}");
}
