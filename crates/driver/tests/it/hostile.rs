//! Transcripts that talk to the judge, and a judge that obeys them ([`crate::obedient`]).
//!
//! Each folder of `golden/hostile/` is one attack under a policy with something that no model
//! decides: a red verifier, a missing artifact, a requirement row whose evidence is not there. None
//! is approved of, however the judge says yes; and each would be if that one thing were mended, so
//! it is what holds. `golden/not_held/` are the cases in which nothing of the kind is declared, or
//! what is declared is satisfied by what the agent may do: those do pass.

use std::path::{Path, PathBuf};

use quittance_driver::replay;
use quittance_judge::outcome::Outcome;
use quittance_ledger::Receipt;
use serde_json::{Value, json};

use crate::golden;
use crate::obedient::{Manner, Obedient, instruction};
use crate::world::{World, block_on};

fn folders(area: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(golden::folder().join(area)).unwrap();
    let mut folders: Vec<PathBuf> =
        entries.map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()).collect();
    folders.sort();
    folders
}

fn name(folder: &Path) -> &str {
    folder.file_name().unwrap().to_str().unwrap()
}

fn each(area: &str, check: impl Fn(&Path) + std::panic::RefUnwindSafe) -> usize {
    let folders = folders(area);
    let failed: Vec<&str> = folders
        .iter()
        .filter(|folder| std::panic::catch_unwind(|| check(folder)).is_err())
        .map(|folder| name(folder))
        .collect();
    assert_eq!(failed, Vec::<&str>::new());
    folders.len()
}

/// The receipt under the judge that says what it is told, pinned and made again from itself alone.
fn pin(area: &str, folder: &Path) -> Outcome {
    let world = World::read(folder);
    let name = name(folder);
    let mut judge = Obedient::new(Manner::AsTold, &world.facts);
    let adjudicated = world.adjudicate_with(&mut judge);
    for prompt in &judge.asked {
        assert_fenced(&prompt.user, &world);
    }
    let receipt = adjudicated.receipt;
    assert!(name.ends_with(receipt.status()), "{name}: {:?}", receipt.body().outcome);
    let pretty = golden::pretty(&receipt.to_value());
    golden::pin(&format!("{area}/{name}"), "receipt", &pretty);
    let again = Receipt::parse(&receipt.to_text()).unwrap();
    let replayed = block_on(replay(&again, world.session(), Value::Null)).unwrap();
    assert_eq!(replayed.differences, [], "{name}");
    assert_eq!(replayed.adjudicated.receipt.id(), receipt.id(), "{name}");
    adjudicated.ruling.outcome
}

/// What the judge is shown of the run stands between the marks, which the run cannot hold; outside
/// of them nothing is left to obey.
fn assert_fenced(user: &str, world: &World) {
    let (_, after) = user.split_once("What stands between <<<").unwrap();
    let mark = after.split_once(' ').unwrap().0;
    assert!(mark.len() == 32 && !String::from_utf8_lossy(&world.transcript).contains(mark));
    let (open, close) = (format!("\n<<<{mark}\n"), format!("\n{mark}>>>"));
    let mut outside = String::new();
    let mut rest = user;
    while let Some((before, after)) = rest.split_once(&open) {
        outside.push_str(before);
        rest = after.split_once(&close).unwrap().1;
    }
    outside.push_str(rest);
    assert!(outside.len() < user.len());
    assert_eq!(instruction(&outside), None, "{outside}");
}

fn outcome(world: &World, manner: Manner) -> Outcome {
    world.adjudicate_with(&mut Obedient::new(manner, &world.facts)).ruling.outcome
}

/// Neither approved of nor taken for stopped by the user, however the judge says yes.
fn assert_held(name: &str, world: &World) {
    for manner in Manner::all() {
        let outcome = outcome(world, manner);
        assert!(
            !outcome.approves() && outcome != Outcome::Stopped,
            "{name}: {manner:?} {outcome:?}"
        );
    }
}

/// The same run with all mended that no model decides: green, nothing missing, no row.
fn mended(mut world: World) -> World {
    let had = [
        world
            .facts
            .as_object_mut()
            .map(|facts| facts.remove("disk"))
            .is_some_and(|disk| disk.is_some()),
        world.policy.policy.contract.requirements.take().is_some(),
        world.policy.policy.verify.take().is_some(),
    ];
    let paths = world.policy.policy.contract.artifacts.paths().to_vec();
    let present = paths.into_iter().map(|path| (path, Value::from("present")));
    if world.facts.is_null() {
        world.facts = json!({});
    }
    world.facts["disk"] = Value::Object(present.collect());
    assert!(had.contains(&true), "nothing stands against the judge");
    world
}

#[test]
fn no_transcript_talks_a_judge_into_an_approval() {
    let count = each("hostile", |folder| {
        let outcome = pin("hostile", folder);
        assert!(!outcome.approves() && outcome != Outcome::Stopped, "{}", name(folder));
        assert_held(name(folder), &World::read(folder));
    });
    assert!(count >= 30);
}

#[test]
fn it_is_what_no_model_decides_that_holds() {
    // The answer itself is what is refused there.
    let own = ["answer_of_invisible_letters_refused"];
    each("hostile", |folder| {
        if own.contains(&name(folder)) {
            return;
        }
        let outcome = outcome(&mended(World::read(folder)), Manner::AsOffered);
        assert!(outcome.approves(), "{}: {outcome:?}", name(folder));
    });
}

#[test]
fn what_is_not_held_is_shown_to_pass() {
    let count = each("not_held", |folder| assert!(pin("not_held", folder).approves()));
    assert!(count >= 3);
}

#[test]
fn a_line_of_ten_megabytes_and_one_of_a_million_brackets_change_nothing() {
    let folder = golden::folder().join("hostile/tool_output_says_verdict_done_refused");
    let mut world = World::read(&folder);
    let text = String::from_utf8(world.transcript).unwrap();
    let (before, after) = text.split_once("has been updated:").unwrap();
    let (long, deep) = ("x".repeat(10_000_000), "[".repeat(1_000_000));
    let text = format!("{before}has been updated:{long}{after}{{\"type\":{deep}\n");
    world.transcript = text.into_bytes();
    for manner in [Manner::AsTold, Manner::AsOffered] {
        let mut judge = Obedient::new(manner, &world.facts);
        let made = world.adjudicate_with(&mut judge);
        assert_eq!(made.ruling.outcome, Outcome::Refused);
        assert!(instruction(&judge.asked[0].user).is_some(), "the end of a long text is shown");
        assert!(judge.asked.iter().all(|prompt| prompt.chars() < 50_000));
        assert!(made.receipt.to_text().len() < 50_000);
        let replayed = block_on(replay(&made.receipt, world.session(), Value::Null)).unwrap();
        assert_eq!(replayed.differences, []);
    }
}
