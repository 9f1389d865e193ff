//! Every case under `golden/assess`: a record, what is declared, and beside them the assessment as it
//! is printed and as it is read aloud.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use quittance_assess::{
    Assessment, CheckName, Declarations, Reason, Record, Standing, assess, how_sure,
};

fn cases() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../golden")
}

fn declarations(folder: &Path) -> Result<Declarations, String> {
    match fs::read(folder.join("declarations.json")) {
        Ok(text) => Declarations::parse(&text).map_err(|mistake| mistake.to_string()),
        Err(_) => Ok(Declarations::default()),
    }
}

/// The assessment and the words, or what the caller got wrong.
fn answer(folder: &Path) -> Result<(String, String), String> {
    let text = fs::read(folder.join("record.json")).unwrap();
    let record = Record::parse(&text).map_err(|error| error.to_string())?;
    let assessment = assess(&record, &declarations(folder)?);
    let json = assessment.to_json();
    assert_eq!(Assessment::parse(json.as_bytes()).as_ref(), Ok(&assessment));
    let words = how_sure(&record, &assessment);
    Ok((json, format!("{}\n\n{words}", words.line())))
}

#[test]
fn every_case_answers_as_recorded() {
    insta::glob!(&cases(), "assess/*/record.json", |file| {
        let folder = file.parent().unwrap();
        let mut settings = insta::Settings::clone_current();
        settings.set_snapshot_path(folder);
        settings.set_prepend_module_to_snapshot(false);
        settings.remove_snapshot_suffix();
        settings.remove_input_file();
        settings.set_omit_expression(true);
        settings.bind(|| match answer(folder) {
            Ok((json, words)) => {
                insta::assert_snapshot!("assessment", json);
                insta::assert_snapshot!("words", words);
            }
            Err(mistake) => insta::assert_snapshot!("assessment", format!("mistake: {mistake}")),
        });
    });
}

/// The reasons that fire in a folder of cases, the checks that run, the standings that come out.
#[test]
fn every_reason_check_and_standing_is_reached() {
    let (mut reasons, mut checks, mut standings) =
        (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for folder in fs::read_dir(cases().join("assess")).unwrap() {
        let folder = folder.unwrap().path();
        let text = fs::read(folder.join("record.json")).unwrap();
        let (Ok(record), Ok(declarations)) = (Record::parse(&text), declarations(&folder)) else {
            continue;
        };
        let assessment = assess(&record, &declarations);
        reasons.extend(assessment.reasons().iter().map(|fired| fired.reason));
        checks.extend(assessment.checked().iter().map(|check| check.name));
        standings.insert(assessment.standing());
    }
    assert_eq!(reasons, BTreeSet::from(Reason::ALL));
    assert_eq!(checks, BTreeSet::from(CheckName::ALL));
    assert_eq!(standings, BTreeSet::from(Standing::ALL));
}

/// The folders' names say which reason or check they are about, so that the listing reads as the table.
#[test]
fn every_reason_and_check_has_a_folder_of_its_name() {
    let folders: Vec<_> = fs::read_dir(cases().join("assess"))
        .unwrap()
        .map(|folder| folder.unwrap().file_name().into_string().unwrap())
        .collect();
    let reasons = Reason::ALL.map(Reason::as_str).into_iter();
    for word in reasons.chain(CheckName::ALL.map(CheckName::as_str)) {
        let word = format!("_{}_", word.replace('-', "_"));
        let named = folders.iter().any(|folder| format!("_{folder}_").contains(&word));
        assert!(named, "no folder says {word}");
    }
}
