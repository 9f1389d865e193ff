//! Which files a patch of the `apply_patch` form names.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

/// How the lines begin that name a file; what follows is its path.
const HEADS: [&str; 4] =
    ["*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: "];
/// How a patch begins.
const BEGIN: &str = "*** Begin Patch";

/// The files that the arguments of a call name: in the patch itself, or in a list of paths. Each
/// once, in their order.
pub(crate) fn paths(args: &Map<String, Value>, keys: &[&str]) -> Vec<String> {
    let named = keys.iter().find_map(|key| args.get(*key));
    let found: Vec<&str> = match named {
        Some(Value::String(patch)) => heads(patch).collect(),
        Some(Value::Array(paths)) => paths.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    let mut known = BTreeSet::new();
    found.into_iter().filter(|path| known.insert(*path)).map(str::to_owned).collect()
}

fn heads(patch: &str) -> impl Iterator<Item = &str> {
    let patch = patch.find(BEGIN).and_then(|at| patch.get(at..)).unwrap_or_default();
    patch.lines().filter_map(head)
}

fn head(line: &str) -> Option<&str> {
    let path = HEADS.iter().find_map(|head| line.strip_prefix(head))?.trim();
    (!path.is_empty()).then_some(path)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn of(args: &Value) -> Vec<String> {
        paths(args.as_object().unwrap(), &["input", "paths"])
    }

    #[test]
    fn every_file_is_named_once() {
        let patch = "*** Begin Patch\n*** Add File: a b.txt\n+*** Add File: no\n*** Update File: c\n\
            *** Move to: d\n@@\n-x\n*** Delete File: e\n*** Update File: c\n*** End Patch\n";
        assert_eq!(of(&json!({"input": patch})), ["a b.txt", "c", "d", "e"]);
        assert_eq!(of(&json!({"paths": ["a", 1, "a", "b"]})), ["a", "b"]);
        for none in [json!({}), json!({"input": "*** Add File: a"}), json!({"input": 7})] {
            assert_eq!(of(&none), [""; 0]);
        }
    }
}
