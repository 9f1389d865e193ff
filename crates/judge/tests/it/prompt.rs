//! What a judge is asked, word for word: prefix, user turn, and what each further question adds.

use std::path::Path;

use quittance_judge::machine::{Progress, Reply, open};
use quittance_judge::prompt::{TEMPLATE_VERSION, template_digest};
use serde_json::Value;

use crate::{case, golden};

/// The prompts of every question of a case, its answers consumed in order.
fn prompts(case: &Value) -> Vec<(String, String)> {
    let mut answers = case["answers"].as_array().cloned().unwrap_or_default().into_iter();
    let mut progress = open(case::proposal(case, 0), 0);
    let mut prompts: Vec<(String, String)> = Vec::new();
    loop {
        let answer = answers.next().unwrap_or_default();
        progress = match progress {
            Progress::Closure(asked) => asked.answer(&answer["closure"], 0),
            Progress::Judge(asked) => {
                let prompt = &asked.question().prompt;
                prompts.push((prompt.system.to_string(), prompt.user.clone()));
                let reply: Reply = case::reply(&answer["judge"]);
                asked.answer(&reply, 0)
            }
            Progress::Decided(_) => return prompts,
            Progress::Facts(_) | Progress::Precheck(_) => panic!("not in a prompt's case"),
        };
    }
}

/// The first question whole; of a further one what it adds, since the rest must not change.
fn check(path: &Path) {
    let prompts = prompts(&case::read(path));
    let (system, user) = prompts.first().expect("a question");
    let mut shown = format!("# system\n{system}\n\n# user\n{user}\n");
    for (further_system, further_user) in prompts.iter().skip(1) {
        assert_eq!(further_system, system, "the prefix is stable");
        let addition = further_user.strip_prefix(user.as_str()).expect("a further question adds");
        shown.push_str("\n# added\n");
        shown.push_str(addition.trim_start());
        shown.push('\n');
    }
    golden::in_folder(path.parent().expect("a folder"), || {
        insta::assert_snapshot!("prompt.txt", shown);
    });
}

#[test]
fn prompts_as_sent() {
    insta::glob!("../../../../golden/prompt", "*/case.json", check);
}

/// A change of a sentence raises the version: receipts name both.
#[test]
fn the_templates_are_those_of_their_version() {
    insta::assert_snapshot!(format!("{TEMPLATE_VERSION} {}", template_digest()), @"2 sha256:a4ebabcf88228543ef764c292620e963da7e081f69af16caf58aed568e35e3bb");
}
