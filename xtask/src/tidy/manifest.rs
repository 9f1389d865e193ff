//! Rules about manifests: names, lints, and a reason for every outside crate.

use toml::{Table, Value};

use crate::failure::Finding;
use crate::files::Text;

/// Packages whose name is not their folder's with the prefix in front.
const NAMED_OTHERWISE: [(&str, &str); 3] =
    [("crates/cli", "quittance"), ("crates/conformance", "conformance"), ("xtask", "xtask")];

/// The section of the root manifest that names every outside crate once.
const SHARED: &str = "[workspace.dependencies]";

/// Whether a path is the manifest of one of our crates.
pub(super) fn is_of_a_crate(path: &str) -> bool {
    let folder = path.strip_suffix("/Cargo.toml");
    folder.is_some_and(|folder| {
        folder == "xtask" || folder.starts_with("crates/") && folder.matches('/').count() == 1
    })
}

/// Demands the name the folder says and the workspace's lints.
pub(super) fn crate_rules(text: &Text) -> Vec<Finding> {
    let table: Table = match text.text.parse() {
        Ok(table) => table,
        Err(cause) => return vec![Finding::at(&text.path, format!("cannot be read: {cause}"))],
    };
    let mut findings = Vec::new();
    let expected = expected_name(&text.path);
    if at(&table, "package", "name").and_then(Value::as_str) != Some(expected.as_str()) {
        findings
            .push(Finding::at(&text.path, format!("the package of this folder is `{expected}`")));
    }
    if at(&table, "lints", "workspace").and_then(Value::as_bool) != Some(true) {
        findings.push(Finding::at(&text.path, "does not take the workspace's lints"));
    }
    findings
}

fn at<'a>(table: &'a Table, section: &str, key: &str) -> Option<&'a Value> {
    table.get(section)?.get(key)
}

fn expected_name(path: &str) -> String {
    let folder = path.strip_suffix("/Cargo.toml").unwrap_or(path);
    let otherwise = NAMED_OTHERWISE.iter().find(|(named, _)| *named == folder);
    let last = folder.rsplit('/').next().unwrap_or(folder);
    otherwise.map_or_else(|| format!("quittance-{last}"), |(_, name)| (*name).to_owned())
}

/// Demands a comment line above every outside crate of the root manifest.
pub(super) fn reasons(text: &Text) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut inside = false;
    let mut depth = 0;
    let mut above = "";
    for (index, line) in text.text.lines().enumerate() {
        if depth == 0 && line.starts_with('[') {
            inside = line.trim_end() == SHARED;
        } else if inside {
            if depth == 0
                && names_a_dependency(line)
                && !line.contains("path =")
                && !above.starts_with('#')
            {
                let name = line.split(['=', '.', ' ']).next().unwrap_or(line);
                let place = format!("{}:{}", text.path, index + 1);
                findings
                    .push(Finding::at(place, format!("`{name}` has no reason in the line above")));
            }
            depth += bracket_balance(line);
        }
        above = line;
    }
    findings
}

fn names_a_dependency(line: &str) -> bool {
    line.contains('=')
        && line.starts_with(|first: char| first.is_ascii_alphanumeric() || first == '"')
}

/// How many lists and tables a line opens more than it closes; comments hold none.
fn bracket_balance(line: &str) -> i32 {
    if line.trim_start().starts_with('#') {
        return 0;
    }
    line.chars()
        .map(|next| match next {
            '[' | '{' => 1,
            ']' | '}' => -1,
            _ => 0,
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::{crate_rules, is_of_a_crate, reasons};
    use crate::files::Text;

    fn text(path: &str, text: &str) -> Text {
        Text { path: path.to_owned(), text: text.to_owned() }
    }

    fn found(folder: &str, name: &str, rest: &str) -> usize {
        let manifest = format!("[package]\nname = \"{name}\"\n{rest}");
        crate_rules(&text(&format!("{folder}/Cargo.toml"), &manifest)).len()
    }

    const LINTS: &str = "[lints]\nworkspace = true\n";

    #[test]
    fn manifests_of_crates_are_told_from_others() {
        assert!(is_of_a_crate("crates/judge/Cargo.toml") && is_of_a_crate("xtask/Cargo.toml"));
        assert!(!is_of_a_crate("Cargo.toml") && !is_of_a_crate("crates/judge/src/Cargo.toml"));
        assert!(!is_of_a_crate("fuzz/Cargo.toml"));
    }

    #[test]
    fn a_package_is_called_as_its_folder_says() {
        assert_eq!(found("crates/judge", "quittance-judge", LINTS), 0);
        assert_eq!(found("crates/cli", "quittance", LINTS), 0);
        assert_eq!(found("crates/conformance", "conformance", LINTS), 0);
        assert_eq!(found("xtask", "xtask", LINTS), 0);
        assert_eq!(found("crates/judge", "judge", LINTS), 1);
        assert_eq!(found("crates/cli", "quittance-cli", LINTS), 1);
    }

    #[test]
    fn a_crate_takes_the_lints_of_the_workspace() {
        assert_eq!(found("crates/judge", "quittance-judge", ""), 1);
        assert_eq!(found("crates/judge", "quittance-judge", "[lints]\nworkspace = false\n"), 1);
        assert_eq!(
            found("crates/judge", "quittance-judge", "[lints.rust]\nunused = \"allow\"\n"),
            1
        );
    }

    #[test]
    fn a_manifest_that_is_no_toml_is_found() {
        assert_eq!(crate_rules(&text("xtask/Cargo.toml", "[package")).len(), 1);
    }

    #[test]
    fn every_outside_crate_has_a_reason_above_it() {
        let manifest = "[workspace.dependencies]\nquittance-x = { path = \"crates/x\" }\n\n\
                        # Why.\nserde = \"1\"\nbare = \"1\"\n\n# Why.\nwide = { version = \"1\", features = [\n\
                        \"inner = no dependency\",\n] }\n\nlone = \"2\"\n[workspace.lints.rust]\nunused = \"deny\"\n";
        let found: Vec<_> =
            reasons(&text("Cargo.toml", manifest)).into_iter().map(|found| found.what).collect();
        assert_eq!(
            found,
            ["`bare` has no reason in the line above", "`lone` has no reason in the line above"]
        );
    }
}
