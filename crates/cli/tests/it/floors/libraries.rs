//! Which libraries the workspace may use, by the lists of deny.toml. `scripts/deny` checks the same, and looks for
//! known vulnerabilities, with cargo-deny, which takes minutes to build.

use std::collections::{HashMap, HashSet};
use std::fs;

use cargo_metadata::{DependencyKind, Metadata, MetadataCommand, NodeDep, PackageId};
use spdx::{Expression, ParseMode};

use super::{house, root};

/// Whether licences from the list satisfy the expression.
fn is_allowed(licence: &str, list: &[String]) -> bool {
    let expression = Expression::parse_mode(licence, ParseMode::LAX).unwrap_or_else(|e| panic!("{licence}: {e}"));
    expression.evaluate(|wanted| {
        let id = wanted.license.id().map(|id| id.name);
        id.is_some_and(|id| list.iter().any(|allowed| allowed == id))
    })
}

fn allowed() -> Vec<String> {
    let rules: toml::Table = fs::read_to_string(root().join("deny.toml")).unwrap().parse().unwrap();
    rules["licenses"]["allow"].clone().try_into().unwrap()
}

/// The linked libraries: everything that the workspace needs, except for its tests and benchmarks.
fn linked(metadata: &Metadata) -> HashSet<&PackageId> {
    let nodes: HashMap<_, _> =
        metadata.resolve.as_ref().unwrap().nodes.iter().map(|node| (&node.id, &node.deps)).collect();
    let mut left: Vec<&PackageId> = metadata.workspace_members.iter().collect();
    let mut found: HashSet<&PackageId> = left.iter().copied().collect();
    while let Some(id) = left.pop() {
        let linked = |dep: &&NodeDep| dep.dep_kinds.iter().any(|kind| kind.kind != DependencyKind::Development);
        left.extend(nodes[id].iter().filter(linked).map(|dep| &dep.pkg).filter(|dep| found.insert(dep)));
    }
    found
}

#[test]
fn every_library_has_a_licence_of_the_list() {
    let metadata = MetadataCommand::new().manifest_path(root().join("Cargo.toml")).exec().expect("cargo metadata runs");
    let (list, linked) = (allowed(), linked(&metadata));
    let mut libraries = 0;
    for package in metadata.packages.iter().filter(|package| package.source.is_some()) {
        let source = &package.source.as_ref().unwrap().repr;
        assert_eq!(source, "registry+https://github.com/rust-lang/crates.io-index", "{}", package.name);
        if linked.contains(&package.id) {
            let (name, version) = (&package.name, &package.version);
            let licence = package.license.as_deref().unwrap_or_else(|| panic!("{name} has no licence"));
            assert!(is_allowed(licence, &list), "{name} {version}: {licence} is not allowed by deny.toml");
            libraries += 1;
        }
    }
    assert!(libraries > 100, "only {libraries} libraries were looked at");
}

#[test]
fn a_licence_outside_the_list_is_refused() {
    let list = allowed();
    for allowed in
        ["MIT", "MIT OR Apache-2.0", "Unlicense/MIT", "GPL-3.0-only OR MIT", "(MIT OR Apache-2.0) AND Unicode-3.0"]
    {
        assert!(is_allowed(allowed, &list), "{allowed}");
    }
    for refused in ["GPL-3.0-only", "MIT AND GPL-2.0-or-later", "LGPL-2.1-only", "LicenseRef-own"] {
        assert!(!is_allowed(refused, &list), "{refused}");
    }
}

#[test]
fn libraries_are_named_with_a_version() {
    for package in &house().packages {
        for import in package.dependencies.iter().filter(|import| import.path.is_none()) {
            assert_ne!(import.req.to_string(), "*", "{} imports {} of any version", package.name, import.name);
        }
    }
}
