//! The documents: every link leads somewhere.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::agon::run::{agon, root};

/// The documents of the repository.
fn documents() -> Vec<PathBuf> {
    fn below(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if entry.is_dir() {
                below(&entry, found);
            } else if entry.extension().is_some_and(|extension| extension == "md") {
                found.push(entry);
            }
        }
    }
    let names = ["README.md", "ARCHITECTURE.md", "BENCHMARKS.md", "CHANGELOG.md", "CONTRIBUTING.md"];
    let mut found: Vec<PathBuf> = names.map(|name| root().join(name)).into();
    for folder in ["docs", "agents", "nets", "books"] {
        below(&root().join(folder), &mut found);
    }
    found
}

/// A document without its code blocks, where brackets are not links.
fn prose(text: &str) -> String {
    let mut fenced = false;
    let lines = text.lines().filter(|line| {
        let fence = line.trim_start().starts_with("```");
        fenced ^= fence;
        !fenced && !fence
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The targets of the links and pictures of a document.
fn links(text: &str) -> Vec<String> {
    let text = prose(text);
    let targets = text.split("](").skip(1).filter_map(|rest| Some(rest.split_once(')')?.0.to_owned()));
    targets.collect()
}

/// The anchors of a document's headings, as code hosts generate them: lower case, blanks as hyphens, no punctuation.
fn anchors(text: &str) -> Vec<String> {
    let text = prose(text);
    let headings = text.lines().filter(|line| line.starts_with('#'));
    let anchor = |heading: &str| {
        let kept = heading.trim_start_matches('#').trim().chars();
        let kept = kept.filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
        kept.map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() }).collect()
    };
    headings.map(anchor).collect()
}

/// A release is a folder without the sources: it contains what its first pages link to.
#[test]
fn what_the_first_pages_link_to_is_in_the_packages() {
    let script = fs::read_to_string(root().join("scripts/package")).unwrap();
    let copied = script.lines().find_map(|line| line.strip_prefix("cp -r ")).unwrap();
    for page in ["README.md", "docs/host.md", "docs/tutorial.md"] {
        let text = fs::read_to_string(root().join(page)).unwrap();
        for link in links(&text).into_iter().filter(|link| !link.contains("://") && !link.starts_with('#')) {
            let target = root().join(page).parent().unwrap().join(link.split('#').next().unwrap()).canonicalize();
            let target = target.unwrap().strip_prefix(root().canonicalize().unwrap()).unwrap().to_owned();
            let top = target.components().next().unwrap().as_os_str().to_str().unwrap().to_owned();
            let is_page = target.extension().is_some_and(|kind| kind == "md") && target.components().count() == 1;
            assert!(
                is_page || top.starts_with("LICENSE") || copied.split(' ').any(|name| name == top),
                "{page}: {link}"
            );
        }
    }
}

#[test]
fn every_link_leads_somewhere() {
    let texts: HashMap<PathBuf, String> = documents()
        .into_iter()
        .map(|path| (path.canonicalize().unwrap(), fs::read_to_string(&path).unwrap()))
        .collect();
    let (mut count, mut dead) = (0, Vec::new());
    for (path, text) in &texts {
        for link in links(text).into_iter().filter(|link| !link.contains("://")) {
            count += 1;
            let (file, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let target = if file.is_empty() { path.clone() } else { path.parent().unwrap().join(file) };
            let found = target.canonicalize().is_ok_and(|target| {
                anchor.is_empty()
                    || texts.get(&target).is_some_and(|text| anchors(text).iter().any(|known| known == anchor))
            });
            if !found {
                dead.push(format!("{}: {link}", path.display()));
            }
        }
    }
    assert!(count > 40, "{count} links found");
    assert_eq!(dead.join("\n"), "");
}

#[test]
fn the_page_for_hosts_has_the_limits_of_a_site() {
    let printed = agon(&["serve", "--limits"]);
    assert_eq!(printed.code, 0, "{}", printed.err);
    let page = fs::read_to_string(root().join("docs/host.md")).unwrap();
    assert!(page.contains(&format!("```\n{}```\n", printed.out)), "docs/host.md has not this:\n{}", printed.out);
}
