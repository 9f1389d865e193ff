//! `quittance doctor`: what it finds, and what it leaves alone.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::os::unix::fs::{PermissionsExt as _, symlink};

use serde_json::{Value, json};

use crate::world::World;

const POLICY: &str = "version = 1\n[verify]\ncommand = \"echo ran >> ran.txt; test -e good.txt\"\n";

impl World {
    fn doctor(&self, args: &[&str]) -> String {
        let (code, told, errors) = self.run(&[&["doctor"], args].concat());
        format!("{told}{errors}exit: {code}")
    }

    /// What is found of one part.
    fn found(&self, part: &str) -> Vec<String> {
        let (_, told, _) = self.run(&["doctor", "--json"]);
        let document: Value = serde_json::from_str(&told).unwrap();
        let lines = document["checks"].as_array().unwrap().iter();
        let lines = lines.filter(|line| line["part"] == part);
        // Shells differ in how they say that there is no such program.
        let text = |value: &Value| {
            let text = value.as_str().unwrap_or("-");
            text.split(" (/bin/sh: ").next().unwrap().to_owned()
        };
        lines
            .map(|line| [&line["status"], &line["what"], &line["advice"]].map(text).join(" | "))
            .collect()
    }

    fn trusted(&self, policy: &str) {
        self.write("quittance.toml", policy);
        let (code, _, errors) = self.run(&["trust"]);
        assert_eq!(code, 0, "{errors}");
    }

    fn settings(&self, file: &str, content: &Value) {
        let file = self.home().join(file);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, content.to_string()).unwrap();
    }
}

/// Settings of Claude Code with one hook at the run's stop.
fn claude_code(command: &str) -> Value {
    json!({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": command, "timeout": 450}]}]}})
}

#[test]
fn a_new_project_is_told_what_comes_next() {
    let world = World::new();
    insta::assert_snapshot!(world.doctor(&[]), @r"
    warning  policy    none from this folder upward
                       `quittance init` writes one
    warning  verifier  none is run here, so no deterministic check can approve of a run
                       name one under `[verify]`, then `quittance trust`
    ok       ledger    none yet; the first hook makes `/w/home/.local/share/quittance/ledgers/[digest]/ledger.db`
    warning  hook      none is installed
                       `quittance install claude-code`, or another host

    0 failed, 3 warnings
    exit: 0
    ");
    world.trusted(POLICY);
    insta::assert_snapshot!(world.doctor(&[]), @r"
    ok       policy    `/w/project/quittance.toml` can be obeyed
    ok       trust     hooks obey it as it stands
    ok       verifier  `echo ran >> ran.txt; test -e good.txt` can be started
    ok       ledger    none yet; the first hook makes `/w/home/.local/share/quittance/ledgers/[digest]/ledger.db`
    warning  hook      none is installed
                       `quittance install claude-code`, or another host

    0 failed, 1 warning
    exit: 0
    ");
    assert!(!world.project().join("ran.txt").exists());
}

#[test]
fn each_installed_hook_is_tried_and_nothing_is_left() {
    let world = World::new();
    world.trusted(POLICY);
    for host in ["claude-code", "codex", "gemini-cli", "cursor", "copilot", "openhands"] {
        assert_eq!(world.run(&["install", host]).0, 0);
    }
    insta::assert_snapshot!(world.doctor(&[]), @r"
    ok       policy    `/w/project/quittance.toml` can be obeyed
    ok       trust     hooks obey it as it stands
    ok       verifier  `echo ran >> ran.txt; test -e good.txt` can be started
    ok       ledger    none yet; the first hook makes `/w/home/.local/share/quittance/ledgers/[digest]/ledger.db`
    ok       hook      claude-code, yours, Stop: refused a made-up false done
    ok       hook      claude-code, yours, SubagentStop: refused a made-up false done
    failed   hook      codex, yours, every event: Codex does not trust it, and skips it in silence
                       `/hooks` in Codex, or `quittance install codex` with --trust
    ok       hook      codex, yours, Stop: refused a made-up false done
    ok       hook      codex, yours, SubagentStop: refused a made-up false done
    ok       hook      gemini-cli, yours, AfterAgent: refused a made-up false done
    warning  hook      cursor, yours, stop: it answers, and every stop passes unverified: the records of Cursor have no reader yet
                       nothing is held there yet
    warning  hook      copilot, yours, agentStop: it answers, and every stop passes unverified: the records of GitHub Copilot CLI have no reader yet
                       nothing is held there yet
    warning  hook      openhands, yours, Stop: it answers, and every stop passes unverified: the records of OpenHands have no reader yet
                       nothing is held there yet

    1 failed, 3 warnings
    exit: 22
    ");
    assert_eq!(world.run(&["install", "codex", "--trust"]).0, 0);
    assert_eq!(world.run(&["doctor"]).0, 0);
    // No refusal is spent and no receipt kept: there is not even a ledger.
    assert!(!world.home().join(".local").exists());
    assert!(!world.project().join("ran.txt").exists());
}

#[test]
fn the_verifier_is_run_when_asked_for() {
    let world = World::new();
    world.trusted(POLICY);
    let (code, told, _) = world.run(&["doctor", "--run"]);
    assert_eq!(code, 0);
    assert!(told.contains("ran and failed: exit status 1"), "{told}");
    world.write("good.txt", "");
    let (_, told, errors) = world.run(&["doctor", "--run"]);
    assert!(told.contains("ran and passed") && errors.contains("running `echo"), "{told}");
    world.trusted("version = 1\n[verify]\ncommand = [\"no-such-program\"]\n");
    let (code, told, _) = world.run(&["doctor", "--run"]);
    assert_eq!(code, 22);
    insta::assert_snapshot!(world.found("verifier").join("\n"), @"failed | `no-such-program` cannot be started: there is no program `no-such-program` | install it, or mend the PATH that the agent's host has");
    assert!(told.contains("could not be run"), "{told}");
}

#[test]
fn nothing_of_a_policy_that_nobody_trusts_is_run_or_asked() {
    let world = World::new();
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    server.set_nonblocking(true).unwrap();
    let port = server.local_addr().unwrap().port();
    let policy = format!(
        "{POLICY}[judge.verification]\ncommand = \"echo asked >> ran.txt\"\n\
         [judge.completion]\nbase_url = \"http://127.0.0.1:{port}\"\nmodel = \"m\"\n"
    );
    world.write("quittance.toml", &policy);
    insta::assert_snapshot!(world.doctor(&["--run"]), @r"
    ok       policy    `/w/project/quittance.toml` can be obeyed
    failed   trust     nobody trusts it, so hooks run nothing of it and end unverified
                       look at it, then `quittance trust`
    warning  deadline  the verifier and one question to each judge may take 425 s, the hook has 420 s
                       raise `hook.deadline_s` or lower the others, `quittance trust`, and install the hooks anew
    ok       verifier  `echo ran >> ran.txt; test -e good.txt` can be started
    warning  verifier  `echo ran >> ran.txt; test -e good.txt` was not run: hooks do not obey this policy
                       look at it, then `quittance trust`
    warning  judge     verification: `echo asked >> ran.txt` was not started: hooks do not obey this policy
                       look at it, then `quittance trust`
    ok       judge     completion: the key for `m` is there, or none is needed
    warning  judge     completion: its server was not asked for a connection: hooks do not obey this policy
                       look at it, then `quittance trust`
    ok       ledger    none yet; the first hook makes `/w/home/.local/share/quittance/ledgers/[digest]/ledger.db`
    warning  hook      none is installed
                       `quittance install claude-code`, or another host

    1 failed, 5 warnings
    exit: 22
    ");
    assert!(!world.project().join("ran.txt").exists());
    assert!(server.accept().is_err());
}

#[test]
fn a_policy_that_changed_or_cannot_be_obeyed_is_told() {
    let world = World::new();
    world.trusted(POLICY);
    world.write("quittance.toml", "version = 1\n[verify]\ncomand = \"true\"\n");
    insta::assert_snapshot!(world.doctor(&["--run"]), @r"
    failed   policy    cannot obey the policy `/w/project/quittance.toml`: line 3: `verify.comand`: unknown key, did you mean `command`?
                       mend it, then `quittance trust`
    warning  trust     hooks obey the copy for `/w/project` that you trust, and `quittance.toml` says something else
                       look at it, then `quittance trust`
    ok       verifier  `echo ran >> ran.txt; test -e good.txt` can be started
    warning  verifier  `echo ran >> ran.txt; test -e good.txt` ran and failed: exit status 1
                       a run that writes is refused until it passes
    ok       ledger    none yet; the first hook makes `/w/home/.local/share/quittance/ledgers/[digest]/ledger.db`
    warning  hook      none is installed
                       `quittance install claude-code`, or another host

    1 failed, 3 warnings
    running `echo ran >> ran.txt; test -e good.txt`, for at most 300 s
    exit: 22
    ");
    // What hooks obey is what is run.
    assert!(world.project().join("ran.txt").exists());
    fs::remove_file(world.project().join("quittance.toml")).unwrap();
    insta::assert_snapshot!(world.found("trust").join("\n"), @"warning | hooks obey the copy for `/w/project` that you trust, and `quittance.toml` is gone | put it back, or take the trust back: `quittance trust --revoke /w/project`");
    world.trusted("version = 1\n[verify]\ncommand = \"true\"\ntimeout_s = 400\n[judge.completion]\ntape = \"a\"\n");
    insta::assert_snapshot!([world.found("deadline"), world.found("judge")].concat().join("\n"), @r"
    warning | the verifier and one question to each judge may take 465 s, the hook has 420 s | raise `hook.deadline_s` or lower the others, `quittance trust`, and install the hooks anew
    failed | completion: cannot read the tape `/w/project/a`: No such file or directory (os error 2) | mend `a`, or name another; until then a boundary at which it is asked ends unverified
    ");
}

#[test]
fn a_judge_is_reached_and_its_key_never_shown() {
    let world = World::new();
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = server.local_addr().unwrap().port();
    let address = format!("http://127.0.0.1:{port}/v1");
    let policy = format!(
        "version = 1\n[judge.verification]\ncommand = [\"sh\", \"-c\", \"cat\"]\n\
         [judge.completion]\nbase_url = \"{address}\"\nmodel = \"m\"\n"
    );
    world.trusted(&policy);
    let config = format!("version = 1\n[keys]\n\"{address}\" = \"DOCTOR_KEY\"\n");
    fs::write(world.home().join(".config/quittance/config.toml"), config).unwrap();
    let heard = std::thread::spawn(move || {
        let (mut stream, _) = server.accept().unwrap();
        let mut heard = Vec::new();
        let mut piece = [0; 1024];
        while !heard.ends_with(b"\r\n\r\n") {
            let read = stream.read(&mut piece).unwrap();
            heard.extend_from_slice(&piece[..read]);
        }
        stream.write_all(b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n").unwrap();
        String::from_utf8(heard).unwrap()
    });
    let key = "sk-very-secret-0123456789";
    let (code, told, errors) = world.run_with(&["doctor"], &[("DOCTOR_KEY", key)]);
    let asked = heard.join().unwrap();
    assert!(asked.starts_with("HEAD /v1/ HTTP/1.1"), "{asked}");
    for text in [&told, &errors, &asked] {
        assert!(!text.contains("secret"), "{text}");
    }
    assert_eq!(code, 0, "{told}");
    // Nobody listens any longer, and no key is set.
    let lines = world.found("judge").join("\n").replace(&port.to_string(), "[port]");
    insta::assert_snapshot!(format!("{told}\n{lines}").replace(&port.to_string(), "[port]"), @r"
    ok       policy    `/w/project/quittance.toml` can be obeyed
    ok       trust     hooks obey it as it stands
    warning  verifier  none is run here, so no deterministic check can approve of a run
                       name one under `[verify]`, then `quittance trust`
    ok       judge     verification: `sh -c cat` can be started
    ok       judge     completion: the key for `m` is there, or none is needed
    ok       judge     completion: its server takes connections
    ok       ledger    none yet; the first hook makes `/w/home/.local/share/quittance/ledgers/[digest]/ledger.db`
    warning  hook      none is installed
                       `quittance install claude-code`, or another host

    0 failed, 2 warnings

    ok | verification: `sh -c cat` can be started | -
    failed | completion: the key for the server `http://127.0.0.1:[port]/v1`: the variable `DOCTOR_KEY`, which your own configuration names for it, is not set | name the variable that holds it under `[keys]` in `/w/home/.config/quittance/config.toml`, and set it
    failed | completion: its server cannot be asked (reach `127.0.0.1` port [port]: Connection refused (os error 111)) | start the server, or name another; until then a boundary at which it is asked ends unverified
    ");
}

#[test]
fn each_advice_says_what_to_do() {
    let world = World::new();
    let mut told = Vec::new();
    // A policy that nobody can read names no verifier, and none is asked for.
    world.write("quittance.toml", "version = 1\n[verify]\ncommand = \"true\"\ntimeout = 3\n");
    told.push(world.found("verifier").len().to_string());
    world.trusted("version = 1\n[verify]\ncommand = [\"./t.sh\"]\n");
    world.write("t.sh", "#!/bin/sh\necho one; echo two; exit 3\n");
    told.extend(world.found("verifier"));
    fs::set_permissions(world.project().join("t.sh"), fs::Permissions::from_mode(0o755)).unwrap();
    let (_, ran, _) = world.run(&["doctor", "--run"]);
    told.extend(ran.lines().filter(|line| !line.starts_with("ok")).map(str::to_owned));
    fs::remove_file(world.project().join("quittance.toml")).unwrap();
    told.extend(world.found("trust"));
    world.trusted("version = 1\n[receipts]\nledger = \"../a.db\"\n[judge.completion]\ncommand = [\"./t.sh\", \"./none\"]\n[judge.verification]\ntape = \"none\"\n");
    fs::set_permissions(world.project().join("t.sh"), fs::Permissions::from_mode(0o644)).unwrap();
    fs::create_dir(world.project().join("../a.db")).unwrap();
    told.extend(world.found("ledger"));
    told.extend(world.found("judge"));
    insta::assert_snapshot!(told.join("\n"), @r"
    0
    failed | `./t.sh` cannot be started: `./t.sh` is not executable | `chmod +x ./t.sh`
    warning  verifier  `./t.sh` ran and failed: exit status 3
                       one
                       two
                       a run that writes is refused until it passes
    warning  hook      none is installed
                       `quittance install claude-code`, or another host

    0 failed, 2 warnings
    warning | hooks obey the copy for `/w/project` that you trust, and `quittance.toml` is gone | put it back, or take the trust back: `quittance trust --revoke /w/project`
    failed | cannot use the ledger: unable to open database file: /w/project/../a.db (at `/w/project/../a.db`) | move the folder `/w/project/../a.db` away; until then every stop is allowed, unverified
    failed | verification: cannot read the tape `/w/project/none`: No such file or directory (os error 2) | mend `none`, or name another; until then a boundary at which it is asked ends unverified
    failed | completion: `./t.sh ./none` cannot be started: `./t.sh` is not executable | `chmod +x ./t.sh`; until then a boundary at which it is asked ends unverified
    ");
}

#[test]
fn a_hook_that_its_host_does_not_run_or_runs_twice_is_told() {
    let world = World::new();
    world.trusted(POLICY);
    let command = format!("{} hook claude-code", env!("CARGO_BIN_EXE_quittance"));
    let entry = json!({"hooks": [{"type": "command", "command": command, "timeout": 450}]});
    let hooks = json!({"Stop": [entry, entry], "SubagentStop": [entry]});
    world.settings(".claude/settings.json", &json!({"disableAllHooks": true, "hooks": hooks}));
    assert_eq!(world.run(&["doctor"]).0, 22);
    insta::assert_snapshot!(world.found("hook").join("\n"), @r"
    warning | claude-code, yours, Stop: there more than once, and each counts the stop | `quittance install claude-code`
    failed | claude-code, yours, every event: `disableAllHooks` keeps Claude Code from running any hook | take `disableAllHooks` out of the settings
    ok | claude-code, yours, Stop: refused a made-up false done | -
    ok | claude-code, yours, Stop: refused a made-up false done | -
    ok | claude-code, yours, SubagentStop: refused a made-up false done | -
    ");
}

#[test]
fn the_ledger_is_looked_at_and_left_as_it_is() {
    let world = World::new();
    world.trusted("version = 1\n[receipts]\nledger = \"../receipts.db\"\n");
    let ledger = world.project().join("../receipts.db");
    insta::assert_snapshot!(world.found("ledger").join("\n"), @"ok | none yet; the first hook makes `/w/project/../receipts.db` | -");
    assert!(!ledger.exists());
    // The first hook makes it.
    let stop = json!({"session_id": "s", "prompt_id": "p", "transcript_path": "none",
        "cwd": world.project(), "hook_event_name": "Stop"});
    world.write("stop.json", &stop.to_string());
    let hook = format!("'{}' hook claude-code < stop.json", env!("CARGO_BIN_EXE_quittance"));
    world.shell(&hook);
    assert!(ledger.exists());
    insta::assert_snapshot!(world.found("ledger").join("\n"), @"ok | `/w/project/../receipts.db` can be read and written | -");
    fs::set_permissions(&ledger, fs::Permissions::from_mode(0o644)).unwrap();
    insta::assert_snapshot!(world.found("ledger").join("\n"), @r"
    ok | `/w/project/../receipts.db` can be read and written | -
    warning | others may read it: its mode is 644 | chmod 600 '/w/project/../receipts.db'
    ");
    fs::write(&ledger, "no database").unwrap();
    insta::assert_snapshot!(world.found("ledger").join("\n"), @r"
    failed | cannot read the ledger: the file is not a database (at `/w/project/../receipts.db`) | the next hook sets it aside and begins a new one; keep what you need of it; until then every stop is allowed, unverified
    warning | others may read it: its mode is 644 | chmod 600 '/w/project/../receipts.db'
    ");
    assert_eq!(fs::read_to_string(&ledger).unwrap(), "no database");
    world.trusted("version = 1\n[receipts]\nledger = \"receipts.db\"\n");
    insta::assert_snapshot!(world.found("ledger").join("\n"), @r"
    warning | `/w/project/receipts.db` lies where the agent works, and may write | take `receipts.ledger` out of the policy
    ok | none yet; the first hook makes `/w/project/receipts.db` | -
    ");
}

#[test]
fn a_hook_that_does_not_work_is_told_by_what_it_does() {
    let world = World::new();
    world.trusted(POLICY);
    let program = world.programs().join("quittance");
    let command = format!("{} hook claude-code", program.display());
    world.settings(".claude/settings.json", &claude_code(&command));
    let mut told = Vec::new();
    for line in [
        "echo '{}'",
        "echo 'done'",
        "echo '{\"decision\":\"block\",\"reason\":\"x\",\"more\":1}'",
        "echo '{\"systemMessage\":\"quittance: unverified, no home\"}'",
        "echo '{\"decision\":\"block\",\"reason\":\"something else\"}'",
        "echo 'a fault' >&2; exit 1",
    ] {
        world.program("quittance", line);
        told.extend(world.found("hook").into_iter().filter(|line| !line.contains("SubagentStop")));
        assert_eq!(world.run(&["doctor"]).0, 22, "{line}");
    }
    fs::remove_file(program).unwrap();
    told.extend(world.found("hook"));
    insta::assert_snapshot!(told.join("\n"), @r"
    failed | claude-code, yours, Stop: it let a made-up false done pass | `quittance install claude-code`
    failed | claude-code, yours, Stop: cannot read the answer: it is not one object of JSON | `quittance install claude-code`
    failed | claude-code, yours, Stop: cannot read the answer: Claude Code knows no such one | `quittance install claude-code`
    failed | claude-code, yours, Stop: it let a made-up false done pass: quittance: unverified, no home | `quittance install claude-code`
    failed | claude-code, yours, Stop: it refused for another reason: something else | `quittance install claude-code`
    failed | claude-code, yours, Stop: it ended with exit code 1, and has to with 0 (a fault) | `quittance install claude-code`
    warning | claude-code, yours, SubagentStop: not installed there | `quittance install claude-code`
    failed | claude-code, yours, Stop: there is no program `/w/bin/quittance` to run | `quittance install claude-code`
    ");
}

#[test]
fn what_a_projects_file_names_is_not_run() {
    let world = World::new();
    world.trusted(POLICY);
    world.program("quittance", "echo ran > ../ran.txt; echo '{}'");
    fs::create_dir(world.project().join(".claude")).unwrap();
    let settings = world.project().join(".claude/settings.json");
    for command in [
        format!("{}/quittance hook claude-code", world.programs().display()),
        "./quittance hook claude-code".to_owned(),
        "quittance hook claude-code; touch ../ran.txt".to_owned(),
        "PATH=. quittance hook claude-code".to_owned(),
    ] {
        fs::write(&settings, claude_code(&command).to_string()).unwrap();
        let told = world.found("hook");
        // What goes on behind the hook's words makes it somebody else's command.
        let is_left = ["not run: a project's file names the command", "none is installed"];
        assert!(is_left.iter().any(|left| told.last().unwrap().contains(left)), "{told:?}");
        assert!(!world.project().join("../ran.txt").exists(), "{command}");
    }
    // By its bare name it is the one on the user's own PATH.
    fs::write(&settings, claude_code("quittance hook claude-code").to_string()).unwrap();
    fs::remove_file(world.programs().join("quittance")).unwrap();
    let missing = world.found("hook");
    symlink(env!("CARGO_BIN_EXE_quittance"), world.programs().join("quittance")).unwrap();
    insta::assert_snapshot!([missing, world.found("hook")].concat().join("\n"), @r"
    warning | claude-code, the project's, SubagentStop: not installed there | `quittance install claude-code --project`
    failed | claude-code, the project's, Stop: there is no program `quittance` to run | put `quittance` on the PATH that the host has: a project's file names it bare
    warning | claude-code, the project's, SubagentStop: not installed there | `quittance install claude-code --project`
    ok | claude-code, the project's, Stop: refused a made-up false done | -
    ");
}

#[test]
fn two_places_a_short_wait_and_settings_that_nobody_can_read_are_told() {
    let world = World::new();
    world.trusted(POLICY);
    symlink(env!("CARGO_BIN_EXE_quittance"), world.programs().join("quittance")).unwrap();
    assert_eq!(world.run(&["install", "claude-code"]).0, 0);
    assert_eq!(world.run(&["install", "claude-code", "--project"]).0, 0);
    world.settings(".gemini/settings.json", &json!([]));
    let command = format!("{} hook cursor", env!("CARGO_BIN_EXE_quittance"));
    let entry = json!({"command": command, "timeout": 60});
    world.settings(".cursor/hooks.json", &json!({"version": 1, "hooks": {"stop": [entry]}}));
    insta::assert_snapshot!(world.found("hook").join("\n"), @r"
    ok | claude-code, yours, Stop: refused a made-up false done | -
    ok | claude-code, yours, SubagentStop: refused a made-up false done | -
    ok | claude-code, the project's, Stop: refused a made-up false done | -
    ok | claude-code, the project's, SubagentStop: refused a made-up false done | -
    warning | claude-code: installed for you and in the project | a host that runs both counts each stop twice: uninstall one of them
    warning | gemini-cli: cannot edit the settings: `the file` in line 1 is a list, not an object (in `/w/home/.gemini/settings.json`) | whether the hook is in there nobody can tell; mend the file
    warning | cursor, yours, stop: the host waits 60 s, and 450 s are needed | `quittance install cursor`
    warning | cursor, yours, stop: it answers, and every stop passes unverified: the records of Cursor have no reader yet | nothing is held there yet
    ");
}
