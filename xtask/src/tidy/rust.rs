//! Rules about Rust sources: the module doc, and attributes that hide something.
//!
//! Attributes are looked for among tokens, so that strings and comments never count and the
//! bodies of macros do.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

use crate::failure::Finding;
use crate::files::Text;

/// Attributes that are not used here, and what to do instead.
const REFUSED: [(&str, &str); 3] = [
    ("allow", "use `#[expect(…, reason = \"…\")]`, which fails once it is no longer needed"),
    ("ignore", "a test runs or says that it skips and why"),
    ("should_panic", "assert on what is returned"),
];

/// Demands a `//!` line at the top.
pub(super) fn module_doc(text: &Text) -> Option<Finding> {
    let first = text.text.lines().next().unwrap_or_default();
    let says = first.strip_prefix("//!").is_some_and(|rest| !rest.trim().is_empty());
    (!says).then(|| Finding::at(&text.path, "does not open with a `//!` line saying what it owns"))
}

/// Finds every refused attribute.
pub(super) fn attributes(text: &Text) -> Vec<Finding> {
    match text.text.parse::<TokenStream>() {
        Ok(tokens) => {
            let mut findings = Vec::new();
            search(tokens, text, &mut findings);
            findings
        }
        Err(cause) => vec![Finding::at(&text.path, format!("cannot be read as Rust: {cause}"))],
    }
}

/// Looks at each attribute of a token stream, then inside each of its groups.
fn search(tokens: TokenStream, text: &Text, findings: &mut Vec<Finding>) {
    let mut after_hash = false;
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                if after_hash && group.delimiter() == Delimiter::Bracket {
                    judge(&group, text, findings);
                }
                search(group.stream(), text, findings);
                after_hash = false;
            }
            TokenTree::Punct(punct) => {
                after_hash = punct.as_char() == '#' || (after_hash && punct.as_char() == '!');
            }
            TokenTree::Ident(_) | TokenTree::Literal(_) => after_hash = false,
        }
    }
}

/// Compares what stands between the brackets of an attribute with the refused names.
fn judge(attribute: &Group, text: &Text, findings: &mut Vec<Finding>) {
    for name in names(attribute.stream()) {
        if let Some((refused, instead)) = REFUSED.iter().find(|(refused, _)| name == *refused) {
            let line = attribute.span_open().start().line;
            let place = format!("{}:{line}", text.path);
            findings.push(Finding::at(place, format!("attribute `{refused}`: {instead}")));
        }
    }
}

/// The attributes an attribute stands for: itself, or what `cfg_attr` applies.
fn names(stream: TokenStream) -> Vec<String> {
    let mut tokens = stream.into_iter();
    let Some(TokenTree::Ident(first)) = tokens.next() else { return Vec::new() };
    let Some(TokenTree::Group(arguments)) = tokens.next().filter(|_| first == "cfg_attr") else {
        return vec![first.to_string()];
    };
    let applied = split_at_commas(arguments.stream()).into_iter().skip(1);
    applied.flat_map(names).collect()
}

fn split_at_commas(stream: TokenStream) -> Vec<TokenStream> {
    let mut parts = vec![TokenStream::new()];
    for token in stream {
        match &token {
            TokenTree::Punct(punct) if punct.as_char() == ',' => parts.push(TokenStream::new()),
            _ => parts.iter_mut().rev().take(1).for_each(|part| part.extend([token.clone()])),
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::{attributes, module_doc};
    use crate::files::Text;

    fn source(text: &str) -> Text {
        Text { path: "a.rs".to_owned(), text: text.to_owned() }
    }

    fn found(text: &str) -> Vec<String> {
        attributes(&source(text)).iter().map(|finding| finding.place.clone()).collect()
    }

    #[test]
    fn a_file_opens_with_what_it_owns() {
        assert_eq!(module_doc(&source("//! Owns a thing.\nfn f() {}\n")), None);
        for text in ["", "fn f() {}", "// A comment.\n", "//!\nfn f() {}", "\n//! Late.\n"] {
            assert!(module_doc(&source(text)).is_some(), "{text:?}");
        }
    }

    #[test]
    fn refused_attributes_are_found_where_they_stand() {
        assert_eq!(found("fn f() {}\n#[allow(dead_code)]\nfn g() {}"), ["a.rs:2"]);
        assert_eq!(found("#![allow(dead_code)]"), ["a.rs:1"]);
        assert_eq!(found("#[ignore]\nfn f() {}"), ["a.rs:1"]);
        assert_eq!(found("#[ignore = \"slow\"]\nfn f() {}"), ["a.rs:1"]);
        assert_eq!(found("#[should_panic(expected = \"x\")]\nfn f() {}"), ["a.rs:1"]);
    }

    #[test]
    fn refused_attributes_are_found_inside_macros_and_conditions() {
        assert_eq!(found("proptest! {\n #[ignore]\n fn f() {} }"), ["a.rs:2"]);
        assert_eq!(
            found("#[cfg_attr(unix, derive(Debug), allow(dead_code))]\nfn f() {}"),
            ["a.rs:1"]
        );
        assert_eq!(found("#[cfg_attr(unix, cfg_attr(test, ignore))]\nfn f() {}"), ["a.rs:1"]);
    }

    #[test]
    fn words_that_only_look_like_attributes_pass() {
        let none: [&str; 0] = [];
        let text = "#[expect(dead_code, reason = \"x\")]\n#[arg(ignore_case = true)]\n\
                    // #[allow(dead_code)]\nfn allow() { let _ = \"#[ignore]\"; ignore(x); }";
        assert_eq!(found(text), none);
        assert_eq!(found("#[cfg_attr(allow, derive(Debug))]\nstruct A;"), none);
    }

    #[test]
    fn a_file_that_is_no_rust_is_found() {
        assert_eq!(attributes(&source("fn f( {")).len(), 1);
    }
}
