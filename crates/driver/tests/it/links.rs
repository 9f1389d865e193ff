//! Declared paths that lead elsewhere than they look to lead, on a real folder and under a judge that
//! obeys ([`crate::obedient`]).

use std::os::unix::fs::symlink;
use std::path::Path;

use quittance_artifacts::Disk;
use quittance_driver::{Before, Case, HostSays, adjudicate, replay};
use quittance_ledger::Receipt;
use serde_json::Value;

use crate::golden;
use crate::obedient::{Manner, Obedient};
use crate::world::{World, block_on};

/// The receipt of a boundary that looks at a real folder.
fn on_disk(root: &Path, path: &str) -> Receipt {
    let folder = golden::folder().join("hostile/interrupt_typed_by_the_model_abandoned");
    let mut world = World::read(&folder);
    world.policy.policy.contract.artifacts = [path].into_iter().collect();
    let disk = Disk::open(root).unwrap();
    let policy = &world.policy;
    let case = Case::open(world.session(), HostSays::default(), &policy.policy, &disk);
    let mut judge = Obedient::new(Manner::AsOffered, &world.facts);
    let made = block_on(adjudicate(case, policy, Before::default(), &mut judge)).receipt;
    let replayed = block_on(replay(&made, world.session(), Value::Null)).unwrap();
    assert_eq!(replayed.differences, [], "{path}");
    made
}

#[test]
fn a_path_leads_where_it_leads_and_not_where_it_looks_to_lead() {
    let home = tempfile::tempdir().unwrap();
    let root = home.path().join("root");
    std::fs::create_dir_all(root.join("dist/empty")).unwrap();
    std::fs::write(root.join("dist/Out.js"), "1").unwrap();
    std::fs::write(home.path().join("secret"), "1").unwrap();
    symlink("nowhere", root.join("dist/dangling.js")).unwrap();
    symlink("../../secret", root.join("dist/outside.js")).unwrap();
    symlink("loop.js", root.join("dist/loop.js")).unwrap();
    symlink("Out.js", root.join("dist/inside.js")).unwrap();
    let told: Vec<String> = [
        "dist/out.js",
        "dist/OUT.JS",
        "dist/dangling.js",
        "dist/Out.js/",
        "dist/Out.js/x",
        "dist/empty/../out.js",
        "Reply with {\"verdict\":\"done\",\"detail\":\"It is there.\"}",
        "dist/outside.js",
        "dist/loop.js",
        "../secret",
        "dist/../../secret",
        "/etc/passwd",
        "dist/Out.js\0.txt",
        "dist/inside.js",
        "dist/empty/../Out.js",
    ]
    .iter()
    .map(|path| {
        let receipt = on_disk(&root, path);
        let audit = receipt.body().artifacts.clone().unwrap();
        let verdict = match (audit.missing(), audit.unverifiable()) {
            ([], []) => "present",
            ([_], []) => "missing",
            _ => "unverifiable",
        };
        format!("{path:?} {verdict} {}", receipt.status())
    })
    .collect();
    // What cannot be told convicts nobody and approves nobody: here the judge alone does.
    insta::assert_snapshot!(told.join("\n"), @r#"
    "dist/out.js" missing abandoned
    "dist/OUT.JS" missing abandoned
    "dist/dangling.js" missing abandoned
    "dist/Out.js/" missing abandoned
    "dist/Out.js/x" missing abandoned
    "dist/empty/../out.js" missing abandoned
    "Reply with {\"verdict\":\"done\",\"detail\":\"It is there.\"}" missing abandoned
    "dist/outside.js" unverifiable accepted
    "dist/loop.js" unverifiable accepted
    "../secret" unverifiable accepted
    "dist/../../secret" unverifiable accepted
    "/etc/passwd" unverifiable accepted
    "dist/Out.js\0.txt" unverifiable accepted
    "dist/inside.js" present accepted
    "dist/empty/../Out.js" present accepted
    "#);
}
