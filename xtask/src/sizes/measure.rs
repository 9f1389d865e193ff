//! The numbers of one crate, added up file by file.
//!
//! Lengths come from a real parser, so a function is what the language says it is. A test module
//! inside a source counts as test, neither as code nor in any length.

use std::ops::RangeInclusive;

use syn::visit::{self, Visit};
use syn::{Attribute, Block, Meta, Signature, Visibility};

use super::lines::{self, Line};

/// Counts of one crate; lines where nothing else is said.
#[derive(Clone, Debug, Default)]
pub(super) struct Measure {
    /// Code outside tests.
    pub(super) code: usize,
    /// Doc comments outside tests.
    pub(super) doc: usize,
    /// Plain comments outside tests.
    pub(super) comment: usize,
    /// Code inside tests.
    pub(super) test: usize,
    /// The length of each file without its test modules.
    pub(super) files: Vec<usize>,
    /// The length of each function, from its signature to its closing brace.
    pub(super) functions: Vec<usize>,
    /// Items declared `pub`.
    pub(super) public: usize,
    /// Those of them with a doc comment.
    pub(super) documented: usize,
    /// Calls of `unwrap` and `expect` outside tests.
    pub(super) unwraps: usize,
}

impl Measure {
    /// Adds a file that is nothing but tests.
    pub(super) fn add_test(&mut self, text: &str) {
        self.test += lines::kinds(text).into_iter().filter(|line| *line == Line::Code).count();
    }

    /// Adds a source file, its test modules apart.
    pub(super) fn add_source(&mut self, text: &str) -> syn::Result<()> {
        let mut found = Found::default();
        found.visit_file(&syn::parse_file(text)?);
        let mut length = 0;
        for (index, line) in lines::kinds(text).into_iter().enumerate() {
            let within_test = found.tests.iter().any(|test| test.contains(&(index + 1)));
            length += usize::from(!within_test);
            self.add_line(line, within_test);
        }
        self.files.push(length);
        self.functions.extend(found.functions);
        self.public += found.public;
        self.documented += found.documented;
        self.unwraps += found.unwraps;
        Ok(())
    }

    fn add_line(&mut self, line: Line, within_test: bool) {
        match (line, within_test) {
            (Line::Code, true) => self.test += 1,
            (Line::Code, false) => self.code += 1,
            (Line::Doc, false) => self.doc += 1,
            (Line::Comment, false) => self.comment += 1,
            (Line::Blank, _) | (Line::Doc | Line::Comment, true) => {}
        }
    }
}

/// What a walk through one parsed file finds.
#[derive(Debug, Default)]
struct Found {
    /// First to last line of each test module.
    tests: Vec<RangeInclusive<usize>>,
    functions: Vec<usize>,
    public: usize,
    documented: usize,
    unwraps: usize,
}

impl Found {
    fn item(&mut self, visibility: &Visibility, attributes: &[Attribute]) {
        if matches!(visibility, Visibility::Public(_)) {
            self.public += 1;
            let documented = attributes.iter().any(|attribute| attribute.path().is_ident("doc"));
            self.documented += usize::from(documented);
        }
    }

    fn function(&mut self, signature: &Signature, block: &Block) {
        let first = signature.fn_token.span.start().line;
        let last = block.brace_token.span.close().end().line;
        self.functions.push(last.saturating_sub(first) + 1);
    }
}

/// Whether an attribute is `#[cfg(test)]`, alone or beside other conditions.
fn is_for_tests(attribute: &Attribute) -> bool {
    let Meta::List(list) = &attribute.meta else { return false };
    let words = list.tokens.to_string();
    attribute.path().is_ident("cfg")
        && words.split(|next: char| !next.is_alphanumeric()).any(|word| word == "test")
        && !words.contains("not")
}

/// Counts an item of one kind and goes on into it.
macro_rules! count_items {
    ($($visit:ident: $kind:ident),* $(,)?) => {
        $(fn $visit(&mut self, item: &'ast syn::$kind) {
            self.item(&item.vis, &item.attrs);
            visit::$visit(self, item);
        })*
    };
}

impl<'ast> Visit<'ast> for Found {
    count_items! {
        visit_item_const: ItemConst,
        visit_item_enum: ItemEnum,
        visit_item_static: ItemStatic,
        visit_item_struct: ItemStruct,
        visit_item_trait: ItemTrait,
        visit_item_type: ItemType,
        visit_item_union: ItemUnion,
        visit_impl_item_const: ImplItemConst,
        visit_impl_item_type: ImplItemType,
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        let test = item.attrs.iter().find(|attribute| is_for_tests(attribute));
        if let Some(attribute) = test {
            let first = attribute.pound_token.spans.first();
            let first = first.map_or(item.mod_token.span, |span| *span).start().line;
            let end = item.content.as_ref().map(|(brace, _)| brace.span.close());
            let last = end.unwrap_or(item.mod_token.span).end().line;
            self.tests.push(first..=last);
            return;
        }
        // A module in a file of its own says what it is inside that file.
        if item.content.is_some() {
            self.item(&item.vis, &item.attrs);
        }
        visit::visit_item_mod(self, item);
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.item(&item.vis, &item.attrs);
        self.function(&item.sig, &item.block);
        visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.item(&item.vis, &item.attrs);
        self.function(&item.sig, &item.block);
        visit::visit_impl_item_fn(self, item);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        if let Some(block) = &item.default {
            self.function(&item.sig, block);
        }
        visit::visit_trait_item_fn(self, item);
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        self.unwraps += usize::from(call.method == "unwrap" || call.method == "expect");
        visit::visit_expr_method_call(self, call);
    }
}

#[cfg(test)]
mod tests {
    use super::Measure;

    const SOURCE: &str = "//! Owns a thing.

/// Documented.
pub struct A;

pub const B: u8 = 1;

impl A {
    // Why.
    pub(crate) fn one(&self) -> u8 {
        Some(B).unwrap()
    }
}

#[cfg(test)]
mod tests {
    /// Not counted.
    pub fn two() {
        Some(1).expect(\"one\");
    }
}
";

    #[test]
    fn a_source_is_measured_without_its_tests() {
        let mut measure = Measure::default();
        measure.add_source(SOURCE).unwrap();
        assert_eq!((measure.code, measure.doc, measure.comment), (7, 2, 1));
        assert_eq!(measure.test, 6);
        assert_eq!(measure.files, [14]);
        assert_eq!(measure.functions, [3]);
        assert_eq!((measure.public, measure.documented), (2, 1));
        assert_eq!(measure.unwraps, 1);
    }

    #[test]
    fn a_test_file_counts_as_test_only() {
        let mut measure = Measure::default();
        measure.add_test("//! Tests.\n\nfn f() {}\n");
        assert_eq!((measure.test, measure.code), (1, 0));
        assert!(measure.files.is_empty());
    }

    #[test]
    fn a_source_that_is_no_rust_is_an_error() {
        assert!(Measure::default().add_source("fn f( {").is_err());
    }
}
