//! What is wrong with a graph, told from the table.
//!
//! Works on the cut-down graph alone, so a test can make up any graph. The table says what is
//! allowed; nothing is allowed by being left out.

use super::graph::{Edge, Graph, Member};
use super::{COMMON, Layer, RUNTIMES};
use crate::failure::Finding;

/// Holds every member of a graph against a table.
pub(super) fn check(graph: &Graph, table: &[Layer]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (folder, member) in &graph.members {
        match table.iter().find(|layer| layer.folder == folder) {
            Some(layer) => findings.extend(check_member(layer, member)),
            None => findings.push(Finding::at(folder, "is not in the table of layers.rs")),
        }
    }
    if graph.serde_json_features.iter().any(|feature| feature == "arbitrary_precision") {
        let what = "`arbitrary_precision` is on, which changes every number in the whole build";
        findings.push(Finding::at("serde_json", what));
    }
    findings
}

fn check_member(layer: &Layer, member: &Member) -> Vec<Finding> {
    let mut findings: Vec<Finding> = member
        .edges
        .iter()
        .filter_map(|edge| complaint(layer, edge))
        .map(|what| Finding::at(layer.folder, what))
        .collect();
    if !layer.awaits {
        findings.extend(awaited(layer, member));
    }
    findings
}

/// Why the table does not allow an edge; none where it does.
fn complaint(layer: &Layer, edge: &Edge) -> Option<String> {
    let to = edge.to.as_str();
    if edge.within {
        let allowed = to == layer.folder || layer.uses.contains(&to);
        let test_only = if edge.dev { " (in its tests)" } else { "" };
        return (!allowed).then(|| format!("may not use `{to}` of this workspace{test_only}"));
    }
    if edge.dev || COMMON.contains(&to) || layer.outside.contains(&to) {
        return None;
    }
    if !layer.behind_feature.contains(&to) {
        return Some(format!("may not use the outside crate `{to}`"));
    }
    (!edge.optional).then(|| format!("may use `{to}` only behind a feature"))
}

/// Every runtime or network a member reaches, with the chain that leads there.
fn awaited(layer: &Layer, member: &Member) -> Vec<Finding> {
    let ends =
        |chain: &&Vec<String>| chain.last().is_some_and(|last| RUNTIMES.contains(&last.as_str()));
    let chains = member.reaches.values().filter(ends);
    let told = |chain: &Vec<String>| format!("may not reach a runtime: {}", chain.join(" > "));
    chains.map(|chain| Finding::at(layer.folder, told(chain))).collect()
}

#[cfg(test)]
mod tests {
    use super::super::graph::{Edge, Graph, Member};
    use super::super::{Layer, TABLE};
    use super::check;

    const SMALL: &[Layer] = &[
        Layer::of("ground").outside(&["sha2"]),
        Layer::of("middle").uses(&["ground"]).behind_feature(&["rusqlite"]),
        Layer::of("top").uses(&["ground", "middle"]).outside(&["tokio"]).awaits(),
    ];

    fn edge(to: &str) -> Edge {
        let within = SMALL.iter().any(|layer| layer.folder == to);
        Edge { to: to.to_owned(), within, dev: false, optional: false }
    }

    fn dev(to: &str) -> Edge {
        Edge { dev: true, ..edge(to) }
    }

    fn optional(to: &str) -> Edge {
        Edge { optional: true, ..edge(to) }
    }

    fn found(folder: &str, edges: Vec<Edge>) -> Vec<String> {
        let member = Member { edges, ..Member::default() };
        let mut graph = Graph::default();
        graph.members.insert(folder.to_owned(), member);
        check(&graph, SMALL).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn edges_of_the_table_pass() {
        let none: [String; 0] = [];
        assert_eq!(found("ground", vec![edge("serde"), edge("sha2"), dev("insta")]), none);
        assert_eq!(
            found("middle", vec![edge("ground"), dev("ground"), optional("rusqlite")]),
            none
        );
        assert_eq!(found("middle", vec![dev("middle")]), none);
        assert_eq!(found("top", vec![edge("middle"), edge("tokio")]), none);
    }

    #[test]
    fn an_upward_edge_is_found() {
        let told = ["ground: may not use `middle` of this workspace"];
        assert_eq!(found("ground", vec![edge("middle")]), told);
        assert_eq!(found("ground", vec![optional("middle")]), told);
    }

    #[test]
    fn an_upward_edge_of_the_tests_is_found() {
        let told = ["ground: may not use `top` of this workspace (in its tests)"];
        assert_eq!(found("ground", vec![dev("top")]), told);
    }

    #[test]
    fn an_outside_crate_that_is_not_listed_is_found() {
        let told = ["ground: may not use the outside crate `regex`"];
        assert_eq!(found("ground", vec![edge("regex")]), told);
        assert_eq!(found("ground", vec![optional("regex")]), told);
    }

    #[test]
    fn an_outside_crate_that_needs_a_feature_is_found() {
        let told = ["middle: may use `rusqlite` only behind a feature"];
        assert_eq!(found("middle", vec![edge("rusqlite")]), told);
    }

    #[test]
    fn a_crate_that_is_not_in_the_table_is_found() {
        assert_eq!(found("drawer", vec![]), ["drawer: is not in the table of layers.rs"]);
    }

    #[test]
    fn a_runtime_behind_an_allowed_crate_is_found() {
        let chain = ["middle", "rusqlite", "tokio"].map(str::to_owned).to_vec();
        let mut graph = Graph::default();
        for folder in ["middle", "top"] {
            let mut member = Member::default();
            member.reaches.insert("tokio 1.0.0".to_owned(), chain.clone());
            graph.members.insert(folder.to_owned(), member);
        }
        let found: Vec<_> = check(&graph, SMALL).iter().map(ToString::to_string).collect();
        assert_eq!(found, ["middle: may not reach a runtime: middle > rusqlite > tokio"]);
    }

    #[test]
    fn arbitrary_precision_is_found() {
        let features = ["default", "arbitrary_precision"].map(str::to_owned).to_vec();
        let graph = Graph { serde_json_features: features, ..Graph::default() };
        assert_eq!(check(&graph, TABLE).len(), 1);
    }
}
