//! Every case under `golden/artifacts`: a tree, a declaration, and the audit beside it.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use quittance_artifacts::{
    Declared, Disk, Finding, NoRoot, Probe, Recorded, Sighting, Status, Survey,
};
use serde::Deserialize;
use serde_json::Value;

use crate::tree::{Entry, Tree};

/// A case as it is written by hand.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    /// What the case is about, and where it comes from.
    #[expect(dead_code, reason = "it is there for the reader")]
    about: String,
    #[serde(default)]
    tree: Vec<Entry>,
    #[serde(default)]
    probe: Kind,
    /// Where the disk probe starts.
    #[serde(default = "workspace")]
    root: String,
    /// Whether the probe must not be the superuser, whom no mode stops.
    #[serde(default)]
    unprivileged: bool,
    declared: Value,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    #[default]
    Disk,
    NoRoot,
    /// What a host replied, by path.
    Replies(BTreeMap<String, Value>),
}

fn workspace() -> String {
    "ws".to_owned()
}

/// Give the child that probes as another user its declaration and its root.
const CHILD_DECLARED: &str = "ARTIFACTS_TEST_DECLARED";
const CHILD_ROOT: &str = "ARTIFACTS_TEST_ROOT";

/// Nobody, on most systems; any id will do that owns none of the tree.
const OTHER_USER: u32 = 65534;

#[test]
fn every_case_answers_as_recorded() {
    if let Some(declared) = std::env::var_os(CHILD_DECLARED) {
        let declared = serde_json::from_str(declared.to_str().unwrap()).unwrap();
        let root = PathBuf::from(std::env::var_os(CHILD_ROOT).unwrap());
        println!("<<<{}>>>", render(&declared, &open(&root)));
        return;
    }
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../golden");
    insta::glob!(&cases, "{artifacts/*/case,bugs/*/tree}.json", |file| {
        if let Some(answer) = answer(file) {
            let mut settings = insta::Settings::clone_current();
            settings.set_snapshot_path(file.parent().unwrap());
            settings.set_prepend_module_to_snapshot(false);
            settings.remove_snapshot_suffix();
            settings.remove_input_file();
            settings.set_omit_expression(true);
            settings.bind(|| insta::assert_snapshot!("audit", answer));
        }
    });
}

fn read(file: &Path) -> Case {
    serde_json::from_str(&fs::read_to_string(file).unwrap())
        .unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

/// Returns nothing if this machine cannot play the case, having said so.
fn answer(file: &Path) -> Option<String> {
    let mut case = read(file);
    let tree = Tree::build(&case.tree);
    case.declared = fill(&tree, case.declared);
    let answer = match &case.probe {
        Kind::NoRoot => render(&case.declared, &NoRoot),
        Kind::Replies(replies) => render(&case.declared, &recorded(replies)),
        Kind::Disk if case.unprivileged && tree.base().metadata().unwrap().uid() == 0 => {
            as_another_user(&case, &tree)
                .inspect_err(|error| {
                    println!("skipped {}: cannot become another user: {error}", file.display())
                })
                .ok()?
        }
        Kind::Disk => render(&case.declared, &open(&tree.path(&case.root))),
    };
    Some(answer.replace(tree.base().to_str().unwrap(), "{base}"))
}

fn open(root: &Path) -> Disk {
    Disk::open(root).unwrap()
}

fn recorded(replies: &BTreeMap<String, Value>) -> Recorded {
    let sighting = |reply: &Value| Sighting::bare(Status::of_reply(reply));
    replies.iter().map(|(path, reply)| (path.clone(), sighting(reply))).collect()
}

/// Replaces `{base}` in the entries of a declaration.
fn fill(tree: &Tree, declared: Value) -> Value {
    match declared {
        Value::String(text) => Value::String(tree.fill(&text)),
        Value::Array(entries) => entries.into_iter().map(|entry| fill(tree, entry)).collect(),
        other => other,
    }
}

/// The audit as a receipt holds it, then what was seen, for people.
fn render(declared: &Value, probe: &dyn Probe) -> String {
    let survey = Survey::take(&Declared::read(declared), probe);
    let audit = survey.audit();
    let mut lines = vec![serde_json::to_string(&audit).unwrap()];
    lines.push(format!("convicts: {}, satisfied: {}", audit.convicts(), audit.satisfied()));
    lines.extend(survey.findings().iter().map(line));
    lines.join("\n")
}

fn line(found: &Finding) -> String {
    let Finding { path, sighting: Sighting { status, note } } = found;
    let note = note.as_ref().map(|note| format!("; {note}")).unwrap_or_default();
    format!("{path:?} is {}: {status}{note}", status.verdict())
}

/// Runs this very test in a child of another user, on the tree that stands already.
fn as_another_user(case: &Case, tree: &Tree) -> io::Result<String> {
    let output = Command::new(executable(tree))
        .args(["--exact", "golden::every_case_answers_as_recorded", "--nocapture"])
        .env(CHILD_DECLARED, case.declared.to_string())
        .env(CHILD_ROOT, tree.path(&case.root))
        .current_dir("/")
        .uid(OTHER_USER)
        .gid(OTHER_USER)
        .output()?;
    let text = String::from_utf8(output.stdout).unwrap();
    let answer = text.split_once("<<<").and_then(|(_, text)| text.split_once(">>>"));
    let errors = String::from_utf8_lossy(&output.stderr);
    Ok(answer.unwrap_or_else(|| panic!("the child said: {text}{errors}")).0.to_owned())
}

/// A copy of this program where another user may run it, whatever holds the build folder.
fn executable(tree: &Tree) -> PathBuf {
    let copy = tree.base().join("as_another_user");
    fs::copy(std::env::current_exe().unwrap(), &copy).unwrap();
    fs::set_permissions(&copy, fs::Permissions::from_mode(0o755)).unwrap();
    copy
}
