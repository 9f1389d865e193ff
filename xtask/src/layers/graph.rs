//! The dependency graph, cut down to what the rules look at.
//!
//! Direct edges come from the manifests, so an optional or foreign-platform dependency counts;
//! what is reached through them comes from cargo's resolution with every feature on, for the
//! platform we run on.

use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};

use cargo_metadata::{CargoOpt, DependencyKind, Metadata, MetadataCommand, Package, PackageId};

use crate::failure::Failure;
use crate::run;

/// The crates of a workspace and what they use.
#[derive(Clone, Debug, Default)]
pub(super) struct Graph {
    /// By folder.
    pub(super) members: BTreeMap<String, Member>,
    /// The features each resolved `serde_json` has.
    pub(super) serde_json_features: Vec<String>,
    /// Where built files go.
    pub(super) target_folder: PathBuf,
}

/// One crate of the workspace.
#[derive(Clone, Debug, Default)]
pub(super) struct Member {
    /// What its manifest names.
    pub(super) edges: Vec<Edge>,
    /// Every outside crate behind its normal and build dependencies, with the chain that leads
    /// there: the member itself first, the outside crate last.
    pub(super) reaches: BTreeMap<String, Vec<String>>,
}

/// One dependency as a manifest names it.
#[derive(Clone, Debug)]
pub(super) struct Edge {
    /// The folder of a workspace crate, or the name of an outside one.
    pub(super) to: String,
    /// Whether it leads to a crate of the workspace.
    pub(super) within: bool,
    /// Whether it is for tests and benchmarks only.
    pub(super) dev: bool,
    /// Whether a feature has to ask for it.
    pub(super) optional: bool,
}

impl Graph {
    /// Asks cargo for the graph of the workspace at a root.
    pub(super) fn read(root: &Path) -> Result<Self, Failure> {
        let metadata = metadata(root, true)?;
        let mut graph = Self {
            serde_json_features: features_of(&metadata, "serde_json"),
            target_folder: metadata.target_directory.clone().into_std_path_buf(),
            ..Self::default()
        };
        for package in metadata.workspace_packages() {
            let edges = edges_of(&metadata, package);
            let reaches = outside_reach(&metadata, &package.id);
            graph.members.insert(folder_of(package), Member { edges, reaches });
        }
        Ok(graph)
    }

    /// Whether the workspace holds a crate in this folder.
    pub(super) fn has(&self, folder: &str) -> bool {
        self.members.contains_key(folder)
    }

    /// Every member with the outside crates it reaches.
    pub(super) fn reaches(
        &self,
    ) -> impl Iterator<Item = (&String, &BTreeMap<String, Vec<String>>)> {
        self.members.iter().map(|(folder, member)| (folder, &member.reaches))
    }
}

/// Cargo's description of a package's workspace, resolved for this platform.
pub(super) fn metadata(folder: &Path, all_features: bool) -> Result<Metadata, Failure> {
    let mut command = MetadataCommand::new();
    command.manifest_path(folder.join("Cargo.toml")).current_dir(folder);
    command.other_options(["--filter-platform".to_owned(), run::host_triple()?]);
    if all_features {
        command.features(CargoOpt::AllFeatures);
    }
    command.exec().map_err(|cause| Failure::Shape {
        what: format!("the dependency graph of `{}`", folder.display()),
        cause: cause.to_string(),
    })
}

/// Every outside crate behind a package's normal and build dependencies, each with one of the
/// shortest chains that lead there.
pub(super) fn outside_reach(
    metadata: &Metadata,
    from: &PackageId,
) -> BTreeMap<String, Vec<String>> {
    let mut chains: BTreeMap<&PackageId, Vec<String>> = BTreeMap::new();
    let mut reached = BTreeMap::new();
    let mut waiting = VecDeque::from([(from, Vec::new())]);
    while let Some((id, mut chain)) = waiting.pop_front() {
        let Some(package) = metadata.packages.iter().find(|package| package.id == *id) else {
            continue;
        };
        if chains.contains_key(id) {
            continue;
        }
        chain.push(package.name.to_string());
        waiting.extend(built_with(metadata, id).map(|next| (next, chain.clone())));
        if package.source.is_some() {
            reached.insert(format!("{} {}", package.name, package.version), chain.clone());
        }
        chains.insert(id, chain);
    }
    reached
}

/// What a package is compiled together with: all but its development dependencies.
fn built_with<'a>(metadata: &'a Metadata, id: &PackageId) -> impl Iterator<Item = &'a PackageId> {
    let nodes = metadata.resolve.iter().flat_map(|resolve| &resolve.nodes);
    let deps = nodes.filter(move |node| node.id == *id).flat_map(|node| &node.deps);
    deps.filter(|dep| dep.dep_kinds.iter().any(|info| info.kind != DependencyKind::Development))
        .map(|dep| &dep.pkg)
}

fn features_of(metadata: &Metadata, name: &str) -> Vec<String> {
    let named = metadata.packages.iter().filter(|package| *package.name == name);
    let nodes = named.flat_map(|package| {
        let nodes = metadata.resolve.iter().flat_map(|resolve| &resolve.nodes);
        nodes.filter(|node| node.id == package.id)
    });
    nodes.flat_map(|node| &node.features).map(ToString::to_string).collect()
}

fn edges_of(metadata: &Metadata, package: &Package) -> Vec<Edge> {
    let edge = |dependency: &cargo_metadata::Dependency| {
        let member = metadata
            .workspace_packages()
            .into_iter()
            .find(|member| dependency.path.is_some() && *member.name == dependency.name);
        Edge {
            to: member.map_or_else(|| dependency.name.clone(), folder_of),
            within: member.is_some(),
            dev: dependency.kind == DependencyKind::Development,
            optional: dependency.optional,
        }
    };
    package.dependencies.iter().map(edge).collect()
}

fn folder_of(package: &Package) -> String {
    let folder = package.manifest_path.parent().and_then(|folder| folder.file_name());
    folder.unwrap_or(package.name.as_str()).to_owned()
}

#[cfg(test)]
mod tests {
    use super::Graph;
    use crate::files;

    #[test]
    fn this_workspace_is_read() {
        let graph = Graph::read(&files::root()).unwrap();
        let xtask = &graph.members["xtask"];
        assert!(xtask.edges.iter().any(|edge| edge.to == "syn" && !edge.within && !edge.dev));
        // proc-macro2 brings a crate of its own, so the walk goes further than one step.
        let chain = xtask.reaches.values().find(|chain| chain.ends_with(&["unicode-ident".into()]));
        assert!(chain.is_some_and(|chain| chain.len() > 2 && chain[0] == "xtask"));
        assert!(graph.has("evidence") && !graph.has("no-such-crate"));
        assert!(!graph.serde_json_features.is_empty());
    }

    #[test]
    fn development_dependencies_are_edges_but_not_reached() {
        let graph = Graph::read(&files::root()).unwrap();
        let evidence = &graph.members["evidence"];
        assert!(evidence.edges.iter().any(|edge| edge.to == "proptest" && edge.dev));
        assert!(!evidence.reaches.keys().any(|name| name.starts_with("proptest ")));
    }
}
