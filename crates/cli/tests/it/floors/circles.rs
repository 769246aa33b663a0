//! No file and no folder of a crate imports from another one that imports from it, directly or through others.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::floors::{code, code_folder, house, sources};

/// A module: a file of a crate.
#[derive(Default)]
struct Module {
    code: String,
    /// Its definitions.
    items: BTreeSet<String>,
    /// Its imports with their names, and whether it re-exports them.
    uses: Vec<(Vec<String>, String, bool)>,
}

/// The modules of a crate by their paths.
struct Modules(BTreeMap<Vec<String>, Module>);

impl Modules {
    fn read(folder: &Path) -> Self {
        let module = |file: &Path| {
            let path = file.strip_prefix(folder).unwrap().with_extension("");
            let names = path.iter().map(|name| name.to_str().unwrap().to_owned());
            names.filter(|name| !["mod", "lib", "main"].contains(&name.as_str())).collect()
        };
        let read = |file: &Path| {
            let code = code(&fs::read_to_string(file).unwrap());
            let (uses, code) = uses(&code);
            Module { items: items(&code), uses, code }
        };
        Self(sources(folder).iter().map(|file| (module(file), read(file))).collect())
    }

    /// The module that a path leads to from a module, and the name of an item of it unless the path ends there.
    fn resolve(&self, from: &[String], path: &[String], depth: u32) -> Option<(Vec<String>, Option<String>)> {
        let mut at = from.to_vec();
        let mut rest = path;
        match path.first()?.as_str() {
            "crate" => {
                at.clear();
                rest = &path[1..];
            }
            "self" => rest = &path[1..],
            "super" => {
                while rest.first().is_some_and(|name| name == "super") {
                    at.pop();
                    rest = &rest[1..];
                }
            }
            name => {
                let below = [from, &[name.to_owned()]].concat();
                if !self.0.contains_key(&below) {
                    let (alias, ..) =
                        self.0[from].uses.iter().find(|(alias, known, _)| known == name && alias != path)?;
                    let (module, item) = self.resolve(from, alias, depth.checked_sub(1)?)?;
                    return if item.is_some() { Some((module, item)) } else { self.walk(module, &path[1..], depth) };
                }
            }
        }
        self.walk(at, rest, depth)
    }

    /// Follows the rest of a path into the modules below, and re-exports to their definitions.
    fn walk(&self, mut at: Vec<String>, rest: &[String], depth: u32) -> Option<(Vec<String>, Option<String>)> {
        for name in rest {
            let below = [&at[..], std::slice::from_ref(name)].concat();
            if self.0.contains_key(&below) {
                at = below;
                continue;
            }
            let module = self.0.get(&at)?;
            if !module.items.contains(name)
                && let Some((path, ..)) = module.uses.iter().find(|(_, known, _)| known == name)
            {
                return self.resolve(&at, path, depth.checked_sub(1)?);
            }
            return Some((at, Some(name.clone())));
        }
        Some((at, None))
    }

    /// The modules from which each one imports.
    fn imports(&self) -> BTreeMap<Vec<String>, BTreeSet<Vec<String>>> {
        let all = self.0.iter().map(|(name, module)| {
            let own = module.uses.iter().filter(|(.., public)| !public).map(|(path, ..)| path.clone());
            let targets = own.chain(paths(&module.code)).filter_map(|path| {
                let (target, item) = self.resolve(name, &path, 9)?;
                (item.is_some() && target != *name).then_some(target)
            });
            (name.clone(), targets.collect())
        });
        all.collect()
    }
}

/// The items that a code defines at its top.
fn items(code: &str) -> BTreeSet<String> {
    let words =
        |line: &str| line.split(|c: char| !c.is_alphanumeric() && c != '_').map(str::to_owned).collect::<Vec<_>>();
    let kinds = ["struct", "enum", "trait", "fn", "const", "static", "type", "union", "mod", "macro_rules"];
    let lines = code.lines().filter(|line| line.starts_with(|c: char| c.is_alphabetic()));
    let names = lines.filter_map(|line| {
        let words: Vec<String> = words(line).into_iter().filter(|word| !word.is_empty()).collect();
        let at = words.iter().rposition(|word| kinds.contains(&word.as_str())).filter(|at| *at < 4)?;
        words.get(at + 1).cloned()
    });
    names.collect()
}

/// The paths that a code imports, and the code without these declarations.
fn uses(code: &str) -> (Vec<(Vec<String>, String, bool)>, String) {
    let (mut uses, mut rest) = (Vec::new(), String::new());
    let mut lines = code.lines();
    while let Some(line) = lines.next() {
        let public = line.starts_with("pub");
        let Some(tree) =
            line.split_once("use ").filter(|(before, _)| ["", "pub ", "pub(crate) ", "pub(super) "].contains(before))
        else {
            rest += line;
            rest.push('\n');
            continue;
        };
        let mut tree = tree.1.to_owned();
        while !tree.contains(';') {
            tree += lines.next().unwrap();
        }
        expand(&[], tree.trim_end_matches(';').trim(), &mut |path, name| uses.push((path, name, public)));
    }
    (uses, rest)
}

/// Calls back with every path of a tree of imports, and the name that it gets.
fn expand(before: &[String], tree: &str, found: &mut impl FnMut(Vec<String>, String)) {
    let names = |text: &str| {
        text.split("::").map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()).collect::<Vec<_>>()
    };
    if let Some((head, inner)) = tree.split_once('{') {
        let before = [before, &names(head)].concat();
        let inner = inner.trim_end().strip_suffix('}').unwrap();
        let (mut depth, mut start) = (0, 0);
        for (at, c) in inner.char_indices().chain([(inner.len(), ',')]) {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 0 => {
                    if !inner[start..at].trim().is_empty() {
                        expand(&before, inner[start..at].trim(), found);
                    }
                    start = at + 1;
                }
                _ => {}
            }
        }
        return;
    }
    let (path, alias) = tree.split_once(" as ").map_or((tree, None), |(path, alias)| (path, Some(alias.trim())));
    let mut path = [before, &names(path)].concat();
    if path.len() > 1 && path.last().is_some_and(|name| name == "self") {
        path.pop();
    }
    let name = alias.map_or_else(|| path.last().unwrap().clone(), str::to_owned);
    found(path, name);
}

/// The paths of at least two names in a code.
fn paths(code: &str) -> impl Iterator<Item = Vec<String>> {
    let parts = code.split(|c: char| !c.is_alphanumeric() && c != '_' && c != ':');
    parts.filter(|part| part.contains("::")).map(|part| {
        part.split("::").map(|name| name.trim_matches(':').to_owned()).filter(|name| !name.is_empty()).collect()
    })
}

/// The edges of a graph that are on a cycle.
fn on_circles<N: Ord + Clone>(edges: &BTreeMap<N, BTreeSet<N>>) -> Vec<(N, N)> {
    let leads_back = |from: &N, target: &N| {
        let (mut reached, mut open) = (BTreeSet::new(), vec![target]);
        while let Some(next) = open.pop() {
            if reached.insert(next) {
                open.extend(edges.get(next).into_iter().flatten());
            }
        }
        reached.contains(from)
    };
    let all = edges.iter().flat_map(|(from, targets)| targets.iter().map(move |target| (from, target)));
    all.filter(|(from, target)| leads_back(from, target)).map(|(from, target)| (from.clone(), target.clone())).collect()
}

/// The imports between the files and folders of one folder, each with everything below it.
fn between_siblings(
    imports: &BTreeMap<Vec<String>, BTreeSet<Vec<String>>>,
) -> BTreeMap<Vec<String>, BTreeSet<Vec<String>>> {
    let mut siblings: BTreeMap<Vec<String>, BTreeSet<Vec<String>>> = BTreeMap::new();
    for (from, targets) in imports {
        for target in targets {
            let common = from.iter().zip(target).take_while(|(a, b)| a == b).count();
            if from.len() > common && target.len() > common {
                let (from, target) = (from[..=common].to_vec(), target[..=common].to_vec());
                siblings.entry(from).or_default().insert(target);
            }
        }
    }
    siblings
}

#[test]
fn no_file_or_folder_imports_from_one_that_imports_from_it() {
    let mut circles = BTreeSet::new();
    for package in &house().packages {
        let modules = Modules::read(&code_folder(package));
        let imports = modules.imports();
        let folders = between_siblings(&imports);
        for (from, target) in on_circles(&imports).into_iter().chain(on_circles(&folders)) {
            circles.insert(format!("{} {} {}", package.name, from.join("::"), target.join("::")));
        }
    }
    assert!(circles.is_empty(), "import circles:\n{circles:#?}");
}

#[test]
fn circles_of_folders_are_found() {
    let path = |text: &str| text.split("::").map(str::to_owned).collect::<Vec<_>>();
    let check = |edges: &[(&str, &str)], expected: &[(&str, &str)]| {
        let mut imports: BTreeMap<Vec<String>, BTreeSet<Vec<String>>> = BTreeMap::new();
        for (from, target) in edges {
            imports.entry(path(from)).or_default().insert(path(target));
        }
        let expected: Vec<_> = expected.iter().map(|(from, target)| (path(from), path(target))).collect();
        assert_eq!(on_circles(&between_siblings(&imports)), expected, "{edges:?}");
    };
    check(&[("agent::seat", "process::wait"), ("process::wait", "text")], &[]);
    check(
        &[("agent::seat", "process::wait"), ("process::path", "agent")],
        &[("agent", "process"), ("process", "agent")],
    );
    check(&[("a::b", "a::c"), ("a::c", "a::b")], &[("a::b", "a::c"), ("a::c", "a::b")]);
    check(&[("a", "a::b"), ("a::b", "a")], &[]);
}

#[test]
fn imports_are_read() {
    let (uses, rest) = uses("use a::{b, c::{self, d as e}};\npub use super::f;\nfn g() { crate::h::i(); }\n");
    let uses: Vec<String> =
        uses.iter().map(|(path, name, public)| format!("{} {name} {public}", path.join("::"))).collect();
    assert_eq!(uses, ["a::b b false", "a::c c false", "a::c::d e false", "super::f f true"]);
    assert_eq!(items(&rest).into_iter().collect::<Vec<_>>(), ["g"]);
    assert_eq!(paths(&rest).collect::<Vec<_>>(), [["crate", "h", "i"]]);
}
