//! The documentation pages about rules and formats are the output of the tool.
//!
//! `UPDATE_GENERATED=1 cargo test --test it -- tool::pages::` rewrites the pages in the repository: the pages of
//! formats, and the index of the rules. `docs/build.sh` prints the page of each rule while building the book.

use crate::support::generated::{assert_current, files_below};
use crate::support::tool::run_here;
use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

fn printed(arguments: &[&str]) -> String {
    let ended = run_here(arguments.iter().copied(), &[], None);
    assert_eq!((ended.status, ended.stderr.as_str()), (0, ""), "{arguments:?}");
    ended.stdout
}

/// The path of the page of a rule in the source of the book.
fn of_rule(id: &str) -> String {
    format!("docs/src/rules/{id}.md")
}

/// All pages, with the commands that print them.
fn pages() -> Vec<(String, Vec<&'static str>)> {
    let mut pages = vec![
        ("docs/src/rules/index.md".to_owned(), vec!["rules", "--markdown"]),
        ("docs/src/formats/index.md".to_owned(), vec!["schema", "--markdown"]),
    ];
    pages.extend(ndbytes::rules().map(|rule| (of_rule(rule.id), vec!["rules", "--markdown", rule.id])));
    let format = |name: &'static str| (format!("docs/src/formats/{name}.md"), vec!["schema", "--markdown", name]);
    pages.extend(ndbytes::layouts().map(|it| format(it.name)));
    pages
}

#[test]
fn pages_in_the_repository_are_current() {
    let mut pages = pages();
    let built: BTreeSet<String> = ndbytes::rules().map(|rule| of_rule(rule.id)).collect();
    pages.retain(|(path, _)| !built.contains(path));
    for (path, arguments) in &pages {
        assert_current(path, &printed(arguments));
    }
    let expected: BTreeSet<String> = pages.into_iter().map(|(path, _)| path).collect();
    let found: BTreeSet<String> =
        ["rules", "formats"].map(|part| files_below(&format!("docs/src/{part}"))).concat().into_iter().collect();
    assert_eq!(found, expected, "a format has no page, or a page has lost its format");
}

#[test]
fn links_between_pages_lead_to_pages() {
    let pages = pages();
    let known: BTreeSet<&str> = pages.iter().map(|(path, _)| path.as_str()).collect();
    let mut links = 0;
    for (path, arguments) in &pages {
        let text = printed(arguments);
        for target in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let (file, part) = target.split_once('#').unwrap_or((target, ""));
            let file = if file.is_empty() { path.clone() } else { joined(Path::new(path), file) };
            assert!(known.contains(file.as_str()), "{path}: {target}");
            if !part.is_empty() {
                let (_, arguments) = pages.iter().find(|(path, _)| *path == file).unwrap();
                let is_heading = |line: &str| line.strip_prefix("## ").is_some_and(|name| name.to_lowercase() == part);
                assert!(printed(arguments).lines().any(is_heading), "{path}: {target}");
            }
            links += 1;
        }
    }
    assert!(links > ndbytes::rules().count(), "{links} links");
}

/// The path that a link on a page leads to.
fn joined(page: &Path, link: &str) -> String {
    let mut path = PathBuf::new();
    for part in page.parent().unwrap().join(link).components() {
        match part {
            Component::ParentDir => assert!(path.pop(), "{link}"),
            part => path.push(part),
        }
    }
    path.to_str().unwrap().replace('\\', "/")
}
