//! `quittance install` and `uninstall`, on the disk: what each host's settings hold before and
//! after, and what is never written unasked.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use crate::world::World;

/// Each host, and its settings below a project and below a home.
const HOSTS: [(&str, &str, &str); 6] = [
    ("claude-code", ".claude/settings.json", ".claude/settings.json"),
    ("codex", ".codex/hooks.json", ".codex/hooks.json"),
    ("gemini-cli", ".gemini/settings.json", ".gemini/settings.json"),
    ("cursor", ".cursor/hooks.json", ".cursor/hooks.json"),
    ("copilot", ".github/hooks/quittance.json", ".copilot/hooks/quittance.json"),
    ("openhands", ".openhands/hooks.json", ".openhands/hooks.json"),
];

impl World {
    fn said(&self, args: &[&str]) -> (i32, Value) {
        let (code, told, errors) = self.run(&[args, &["--json"]].concat());
        (code, serde_json::from_str(&told).unwrap_or_else(|_| panic!("{told} {errors}")))
    }

    fn places(&self, host: usize) -> [(&'static [&'static str], PathBuf); 2] {
        let (_, project, user) = HOSTS[host];
        [(&["--project"], self.project().join(project)), (&["--user"], self.home().join(user))]
    }
}

/// Settings of somebody's with a remark, which every host's format allows or puts up with here.
const MINE: &str = "{\n  // mine\n  \"version\": 1,\n  \"other\": [1, 2] /* two */\n}\n";

#[test]
fn every_host_is_put_in_once_and_taken_out_to_the_byte() {
    let world = World::new();
    for (at, (host, ..)) in HOSTS.into_iter().enumerate() {
        for (scope, file) in world.places(at) {
            let install = [&["install", host], scope].concat();
            let uninstall = [&["uninstall", host], scope].concat();
            // Where nothing was, nothing is left.
            assert_eq!(world.said(&install).1["files"][0]["change"], "made", "{host}");
            assert!(file.is_file(), "{}", file.display());
            let (_, again) = world.said(&install);
            assert_eq!(
                (&again["changed"], &again["files"][0]["change"]),
                (&Value::from(false), &Value::from("unchanged"))
            );
            assert_eq!(world.said(&uninstall).1["files"][0]["change"], "removed", "{host}");
            assert!(!file.exists());
            assert_eq!(world.said(&uninstall).1["changed"], false);
            // What was somebody's is as it was.
            fs::write(&file, MINE).unwrap();
            assert_eq!(world.said(&install).0, 0, "{host}");
            let with = fs::read_to_string(&file).unwrap();
            assert!(with.contains("// mine") && with.contains("/* two */"), "{with}");
            assert!(with.contains(&format!("hook {host}")), "{with}");
            assert_eq!(world.said(&uninstall).0, 0, "{host}");
            assert_eq!(fs::read_to_string(&file).unwrap(), MINE, "{host}");
            fs::remove_file(&file).unwrap();
        }
    }
}

/// But for one that is what we would have made ourselves, to the byte.
#[test]
fn a_file_that_was_there_stays_however_little_it_holds() {
    let world = World::new();
    let mut told = Vec::new();
    for (at, (host, ..)) in HOSTS.into_iter().enumerate() {
        let (scope, file) = world.places(at)[1].clone();
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        for mine in ["{}", "{ }\n", "{\n\n}", "// nothing\n"] {
            fs::write(&file, mine).unwrap();
            assert_eq!(world.said(&[&["install", host], scope].concat()).0, 0);
            assert_eq!(world.said(&[&["uninstall", host], scope].concat()).0, 0);
            told.push(format!("{host} {mine:?} {:?}", fs::read_to_string(&file).ok()));
        }
    }
    insta::assert_snapshot!(told.join("\n"), @r#"
    claude-code "{}" Some("{}")
    claude-code "{ }\n" None
    claude-code "{\n\n}" Some("{}")
    claude-code "// nothing\n" Some("// nothing\n{}\n")
    codex "{}" Some("{}")
    codex "{ }\n" None
    codex "{\n\n}" Some("{}")
    codex "// nothing\n" Some("// nothing\n{}\n")
    gemini-cli "{}" Some("{}")
    gemini-cli "{ }\n" None
    gemini-cli "{\n\n}" Some("{}")
    gemini-cli "// nothing\n" Some("// nothing\n{}\n")
    cursor "{}" Some("{\n  \"version\": 1\n}")
    cursor "{ }\n" None
    cursor "{\n\n}" Some("{\n  \"version\": 1\n}")
    cursor "// nothing\n" Some("// nothing\n{\n  \"version\": 1\n}\n")
    copilot "{}" Some("{\n  \"version\": 1\n}")
    copilot "{ }\n" None
    copilot "{\n\n}" Some("{\n  \"version\": 1\n}")
    copilot "// nothing\n" Some("// nothing\n{\n  \"version\": 1\n}\n")
    openhands "{}" Some("{}")
    openhands "{ }\n" None
    openhands "{\n\n}" Some("{}")
    openhands "// nothing\n" Some("// nothing\n{}\n")
    "#);
}

#[test]
fn a_dry_run_shows_the_change_and_writes_nothing() {
    let world = World::new();
    world.write("quittance.toml", "version = 1\n");
    for (at, (host, ..)) in HOSTS.into_iter().enumerate() {
        for (scope, file) in world.places(at) {
            let (code, told) = world.said(&[&["install", host, "--dry-run"], scope].concat());
            assert_eq!(code, 0);
            let diff = told["files"][0]["diff"].as_str().unwrap();
            assert!(diff.contains("+++") && diff.contains(&format!("hook {host}")), "{diff}");
            assert!(!file.exists(), "{host}");
        }
    }
    assert_eq!(fs::read_dir(world.home()).unwrap().count(), 0, "no policy is trusted either");
    let (_, told, _) = world.run(&["install", "gemini-cli", "--project", "--dry-run"]);
    insta::assert_snapshot!(told, @r#"
    host        Gemini CLI, the project's settings
    made        /w/project/.gemini/settings.json
                add `quittance hook gemini-cli` to `hooks.AfterAgent`, `timeout` 450000

    --- /dev/null
    +++ /w/project/.gemini/settings.json
    @@ -0,0 +1,16 @@
    +{
    +  "hooks": {
    +    "AfterAgent": [
    +      {
    +        "hooks": [
    +          {
    +            "type": "command",
    +            "command": "quittance hook gemini-cli",
    +            "timeout": 450000,
    +            "name": "quittance"
    +          }
    +        ]
    +      }
    +    ]
    +  }
    +}

                it is run by its bare name: `quittance` has to be on the PATH
    trusted     the policy here, once this is no dry run
    Nothing was written.
    "#);
}

#[test]
fn what_cannot_be_read_is_left_as_it_is_and_told_with_its_place() {
    let world = World::new();
    let mut told = Vec::new();
    for (at, (host, ..)) in HOSTS.into_iter().enumerate() {
        let (scope, file) = world.places(at)[0].clone();
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        for content in ["{\n  \"hooks\": [\n", "{\"hooks\": 3}\n"] {
            fs::write(&file, content).unwrap();
            for command in ["install", "uninstall"] {
                let (code, _, errors) = world.run(&[&[command, host], scope].concat());
                assert_eq!(code, 65, "{host}: {errors}");
                if command == "install" {
                    told.push(errors);
                }
            }
            assert_eq!(fs::read_to_string(&file).unwrap(), content);
        }
    }
    insta::assert_snapshot!(told.concat(), @r"
    quittance: cannot edit the settings: line 2, column 12: unterminated array (in `/w/project/.claude/settings.json`)
    quittance: cannot edit the settings: `hooks` in line 1 is a number, not an object (in `/w/project/.claude/settings.json`)
    quittance: cannot edit the settings: line 2, column 12: unterminated array (in `/w/project/.codex/hooks.json`)
    quittance: cannot edit the settings: `hooks` in line 1 is a number, not an object (in `/w/project/.codex/hooks.json`)
    quittance: cannot edit the settings: line 2, column 12: unterminated array (in `/w/project/.gemini/settings.json`)
    quittance: cannot edit the settings: `hooks` in line 1 is a number, not an object (in `/w/project/.gemini/settings.json`)
    quittance: cannot edit the settings: line 2, column 12: unterminated array (in `/w/project/.cursor/hooks.json`)
    quittance: cannot edit the settings: `hooks` in line 1 is a number, not an object (in `/w/project/.cursor/hooks.json`)
    quittance: cannot edit the settings: line 2, column 12: unterminated array (in `/w/project/.github/hooks/quittance.json`)
    quittance: cannot edit the settings: `hooks` in line 1 is a number, not an object (in `/w/project/.github/hooks/quittance.json`)
    quittance: cannot edit the settings: line 2, column 12: unterminated array (in `/w/project/.openhands/hooks.json`)
    quittance: cannot edit the settings: `hooks` in line 1 is a number, not an object (in `/w/project/.openhands/hooks.json`)
    ");
}

#[test]
fn a_second_place_is_warned_about() {
    let world = World::new();
    for (host, ..) in HOSTS {
        let (_, first) = world.said(&["install", host]);
        assert!(first.get("also_in").is_none(), "{first}");
        let (_, second) = world.said(&["install", host, "--project"]);
        assert!(second["also_in"].is_string(), "{second}");
    }
    let (_, told, _) = world.run(&["install", "claude-code"]);
    insta::assert_snapshot!(told, @r"
    host        Claude Code, your own settings
    unchanged   /w/home/.claude/settings.json
                our hook is there and up to date
    twice       `/w/project/.claude/settings.json` holds the hook too; a host that runs both counts each stop twice: uninstall one of them
    policy      none here, so a hook here has nothing to go by; `quittance init` writes one
    ");
}

#[test]
fn codex_is_trusted_at_the_users_word_and_never_without_it() {
    let world = World::new();
    let config = world.home().join(".codex/config.toml");
    let (_, told, _) = world.run(&["install", "codex"]);
    insta::assert_snapshot!(told, @r"
    host        Codex CLI, your own settings
    made        /w/home/.codex/hooks.json
                add `/bin/quittance hook codex` to `hooks.Stop`, `timeout` 450
                add `/bin/quittance hook codex` to `hooks.SubagentStop`, `timeout` 450
    untrusted   Codex skips a hook that you do not trust, and says nothing: trust it in Codex with `/hooks`, or give this command --trust
    policy      none here, so a hook here has nothing to go by; `quittance init` writes one
    ");
    assert!(!config.exists());
    let (_, told) = world.said(&["install", "codex", "--trust", "--dry-run"]);
    assert!(told["files"][1]["diff"].as_str().unwrap().contains("+trusted_hash"), "{told}");
    assert!(!config.exists());

    let mine = "# mine\nmodel = \"gpt-5.5\" # fast\n";
    fs::write(&config, mine).unwrap();
    let (_, told, _) = world.run(&["install", "codex", "--trust"]);
    insta::assert_snapshot!(told, @r"
    host        Codex CLI, your own settings
    unchanged   /w/home/.codex/hooks.json
                our hook is there and up to date
    changed     /w/home/.codex/config.toml
                trust `/w/home/.codex/hooks.json:stop:0:0`
                trust `/w/home/.codex/hooks.json:subagent_stop:0:0`
    policy      none here, so a hook here has nothing to go by; `quittance init` writes one
    ");
    let trusted = world.masked(&fs::read_to_string(&config).unwrap());
    insta::assert_snapshot!(trusted, @r#"
    # mine
    model = "gpt-5.5" # fast

    [hooks.state."/w/home/.codex/hooks.json:stop:0:0"]
    trusted_hash = "sha256:[digest]"

    [hooks.state."/w/home/.codex/hooks.json:subagent_stop:0:0"]
    trusted_hash = "sha256:[digest]"
    "#);
    let (_, again) = world.said(&["install", "codex", "--trust"]);
    assert_eq!((&again["changed"], &again["is_trusted"]), (&false.into(), &true.into()));
    // Another deadline is another definition, and an old word is no word on that.
    let (_, longer) = world.said(&["install", "codex", "--deadline", "500"]);
    assert_eq!(longer["is_trusted"], false);
    assert_eq!(world.said(&["install", "codex", "--deadline", "500", "--trust"]).0, 0);
    // It goes with the hook.
    assert_eq!(world.said(&["uninstall", "codex"]).0, 0);
    assert_eq!(fs::read_to_string(&config).unwrap(), mine);
}

#[test]
fn the_configuration_of_codex_is_kept_to_the_byte() {
    let world = World::new();
    let config = world.home().join(".codex/config.toml");
    fs::create_dir_all(config.parent().unwrap()).unwrap();
    for mine in [
        "model = \"x\"\r\n\r\n[a]\r\nb = 1\r\n",
        "\u{feff}model = \"x\"\n",
        "a = 1\r\nb = \"\"\"\r\n1\n2\r\n\"\"\"\n[c]\r\n",
        "# only a remark\n",
        "\n",
    ] {
        fs::write(&config, mine).unwrap();
        assert_eq!(world.said(&["install", "codex", "--trust"]).1["is_trusted"], true, "{mine:?}");
        let with = fs::read_to_string(&config).unwrap();
        assert!(with.contains(mine.trim_end()) && with.contains("trusted_hash"), "{with:?}");
        assert_eq!(world.said(&["uninstall", "codex"]).0, 0);
        assert_eq!(fs::read_to_string(&config).unwrap(), mine);
    }
    // A last line without an end has to get one.
    fs::write(&config, "a=1").unwrap();
    assert_eq!(world.said(&["install", "codex", "--trust"]).0, 0);
    assert_eq!(world.said(&["uninstall", "codex"]).0, 0);
    assert_eq!(fs::read_to_string(&config).unwrap(), "a=1\n");
}

#[test]
fn a_configuration_of_codex_that_cannot_be_read_leaves_no_half_of_anything() {
    let world = World::new();
    let (hooks, config) =
        (world.home().join(".codex/hooks.json"), world.home().join(".codex/config.toml"));
    fs::create_dir_all(config.parent().unwrap()).unwrap();
    fs::write(&config, "broken = \n").unwrap();
    world.write("quittance.toml", "version = 1\n");
    let (code, _, errors) = world.run(&["install", "codex", "--trust"]);
    assert_eq!(code, 65, "{errors}");
    assert!(!hooks.exists() && !world.home().join(".config").exists());
    // Where no trust is to be written it need not be readable.
    let (code, told, _) = world.run(&["install", "codex"]);
    assert!(code == 0 && hooks.exists(), "{told}");
    assert!(
        told.contains("untrusted   it may be, nobody can tell: cannot edit the settings"),
        "{told}"
    );
    let (_, told) = world.said(&["uninstall", "codex", "--dry-run"]);
    assert!(told["failure"].as_str().unwrap().starts_with("cannot edit the settings"), "{told}");
    let (code, told, _) = world.run(&["uninstall", "codex"]);
    assert!(!hooks.exists());
    assert_eq!(code, 65);
    assert!(told.contains("removed     /w/home/.codex/hooks.json\n"), "{told}");
    assert!(told.contains("trust       cannot edit the settings: line 1"), "{told}");
    assert_eq!(fs::read_to_string(&config).unwrap(), "broken = \n");
}

#[cfg(unix)]
#[test]
fn nothing_is_trusted_where_the_hook_cannot_be_put_in() {
    use std::os::unix::fs::PermissionsExt as _;
    let world = World::new();
    world.write("quittance.toml", "version = 1\n[verify]\ncommand = \"true\"\n");
    let file = world.home().join(".claude/settings.json");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, "{\"a\": 1}").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o444)).unwrap();
    for more in [&[][..], &["--dry-run"]] {
        let (code, _, errors) = world.run(&[&["install", "claude-code"], more].concat());
        assert_eq!(code, 74, "{errors}");
        assert!(errors.contains("it is read-only"), "{errors}");
        assert!(!world.home().join(".config").exists());
    }
    // The other way round it is said what stands.
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
    fs::create_dir_all(world.home().join(".config/quittance")).unwrap();
    let nowhere = world.home().join(".config/quittance/trusted");
    std::os::unix::fs::symlink("no/such/folder", nowhere).unwrap();
    let (code, _, errors) = world.run(&["install", "claude-code"]);
    assert_eq!(code, 74);
    assert!(
        errors.ends_with("; before that, the hook was put into `/w/home/.claude/settings.json`\n"),
        "{errors}"
    );
    assert!(fs::read_to_string(&file).unwrap().contains("quittance hook"));
}

#[test]
fn a_home_folder_is_no_project() {
    let world = World::new();
    let home = world.project();
    let at_home = [("HOME", home.to_str().unwrap())];
    assert_eq!(world.run_with(&["install", "claude-code"], &at_home).0, 0);
    let (code, _, errors) = world.run_with(&["install", "claude-code", "--project"], &at_home);
    assert_eq!(code, 64);
    insta::assert_snapshot!(errors, @"quittance: cannot put the hook into the project's settings: those here are your own, `/w/project/.claude/settings.json`; leave out --project");
}

#[test]
fn a_host_whose_records_nobody_reads_is_said_to_be_one() {
    let world = World::new();
    for (host, ..) in HOSTS {
        let (_, told, _) = world.run(&["install", host, "--dry-run"]);
        let is_unheld = ["cursor", "copilot", "openhands"].contains(&host);
        assert_eq!(told.contains("every stop passes as `unverified`"), is_unheld, "{told}");
    }
}

#[test]
fn a_hook_that_codex_keeps_from_running_is_told() {
    let world = World::new();
    assert_eq!(world.said(&["install", "codex", "--trust"]).0, 0);
    let config = world.home().join(".codex/config.toml");
    let off = fs::read_to_string(&config).unwrap().replacen(
        "trusted_hash",
        "enabled = false\ntrusted_hash",
        1,
    );
    fs::write(&config, off).unwrap();
    let (_, told, _) = world.run(&["install", "codex", "--trust"]);
    assert!(told.contains("switches it off"), "{told}");
    let (code, told, _) = world.run(&["doctor"]);
    assert!(code == 22 && told.contains("switches it off"), "{told}");
}

#[test]
fn trust_is_no_other_hosts_to_give_and_a_short_deadline_is_refused() {
    let world = World::new();
    let (code, _, errors) = world.run(&["install", "cursor", "--trust"]);
    assert_eq!(code, 64);
    let (short, _, more) = world.run(&["install", "cursor", "--deadline", "60"]);
    assert_eq!(short, 64);
    assert!(!world.home().join(".cursor").exists());
    insta::assert_snapshot!(errors + &more, @r"
    quittance: cannot trust the hook in Cursor's stead: only Codex asks for that
    quittance: cannot wait 60 s for the hook: the policy gives it 420 s, and the host would end it before it answers
    ");
}
