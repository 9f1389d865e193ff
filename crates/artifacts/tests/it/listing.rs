//! Every wire string and every message, once.

use quittance_artifacts::{Audit, Note, Status, Verdict};
use serde_json::json;

#[test]
fn status_words_and_their_verdicts() {
    let listing: Vec<String> = Status::KNOWN
        .iter()
        .chain([&Status::read("Missing"), &Status::read("")])
        .map(|status| format!("{} {}", serde_json::to_string(status).unwrap(), status.verdict()))
        .collect();
    insta::assert_snapshot!(listing.join("\n"), @r#"
    "present_file" present
    "present_dir" present
    "present_other" present
    "missing" missing
    "scope_denied" unverifiable
    "read_only_denied" unverifiable
    "stat_error" unverifiable
    "Missing" unverifiable
    "" unverifiable
    "#);
    for status in Status::KNOWN {
        assert_eq!(Status::read(status.as_str()), status);
    }
}

#[test]
fn verdict_words() {
    assert_eq!(json!(Verdict::ALL), json!(["present", "missing", "unverifiable"]));
}

#[test]
fn notes() {
    let at = || "d/a".to_owned();
    let notes = [
        Note::NoRoot,
        Note::RootGone,
        Note::NotRecorded,
        Note::EmptyPath,
        Note::NulByte,
        Note::PathTooLong,
        Note::OutsideRoot,
        Note::LeavesRoot { at: at() },
        Note::LinkLoop { at: at() },
        Note::TooDeep { at: at() },
        Note::DanglingLink { at: at() },
        Note::FileInTheWay { at: at() },
        Note::OtherCase { at: at(), found: "d/A".to_owned() },
        Note::NotUtf8 { at: at() },
        Note::OtherSpelling { at: at() },
        Note::FolderTooLarge { at: at() },
        Note::NameTooLong { at: at() },
        Note::PermissionDenied { at: at() },
        Note::Changed { at: at() },
        Note::Failed { at: at(), errno: 5 },
    ];
    let listing: Vec<String> = notes
        .iter()
        .map(|note| format!("{} {note}", serde_json::to_value(note).unwrap()["kind"]))
        .collect();
    insta::assert_snapshot!(listing.join("\n"), @r#"
    "no_root" the run has no root on this machine
    "root_gone" the root was removed meanwhile
    "not_recorded" the record says nothing of it
    "empty_path" the path is empty
    "nul_byte" the path holds a NUL byte
    "path_too_long" the path is too long
    "outside_root" the path leads out of the root
    "leaves_root" the link `d/a` leads out of the root
    "link_loop" the links at `d/a` come to no end
    "too_deep" `d/a` lies too many folders deep
    "dangling_link" the link `d/a` leads to nothing inside the root
    "file_in_the_way" `d/a` is not a folder
    "other_case" there is no `d/a`, but there is `d/A`
    "not_utf8" there is no `d/a`, but a name that is not UTF-8 looks like it
    "other_spelling" the file system takes `d/a` for a name spelled otherwise
    "folder_too_large" the folder of `d/a` has too many entries to check its spelling
    "name_too_long" the name at `d/a` is too long
    "permission_denied" permission to look at `d/a` was denied
    "changed" `d/a` changed while it was looked at
    "failed" looking at `d/a` failed with system error 5
    "#);
}

#[test]
fn messages_of_an_audit_that_cannot_be_read() {
    let records = [
        json!({"declared": [" a"], "missing": [], "unverifiable": []}),
        json!({"declared": ["a"], "missing": ["a"], "unverifiable": ["a"]}),
        json!({"declared": ["a", "b"], "missing": ["b", "a"], "unverifiable": []}),
        json!({"declared": ["a"], "missing": [], "unverifiable": ["b"]}),
        json!({"declared": ["a"], "missing": []}),
        json!({"declared": ["a"], "missing": [], "unverifiable": [], "note": ""}),
    ];
    let messages: Vec<String> = records
        .into_iter()
        .map(|record| serde_json::from_value::<Audit>(record).unwrap_err().to_string())
        .collect();
    insta::assert_snapshot!(messages.join("\n"), @r#"
    read an audit: ` a` is blank, padded or declared twice
    read an audit: `a` is both missing and unverifiable
    read an audit: `a` is not declared, or out of the order of the declaration
    read an audit: `b` is not declared, or out of the order of the declaration
    missing field `unverifiable`
    unknown field `note`, expected one of `declared`, `missing`, `unverifiable`
    "#);
}
