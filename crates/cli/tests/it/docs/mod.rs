//! The book under `docs`: its links, its table of contents, and its charts.

mod growth;
#[cfg(all(unix, feature = "convert"))]
mod recipes;
mod speed;

use ndbytes_testkit::project;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The Markdown files below a directory.
fn pages(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let is_skipped =
            path.file_name().is_some_and(|name| name == "target" || name == "node_modules" || name == ".git");
        if path.is_dir() && !is_skipped {
            found.extend(pages(&path));
        } else if path.extension().is_some_and(|extension| extension == "md") {
            found.push(path);
        }
    }
    found
}

/// The text without code blocks, in which brackets are not links.
fn prose(page: &Path) -> String {
    let text = fs::read_to_string(page).unwrap();
    let outside = text.split("```").step_by(2).collect::<Vec<_>>().join("\n");
    outside.split('`').step_by(2).collect::<Vec<_>>().join("code")
}

/// The targets of the links in a page.
fn links(page: &Path) -> Vec<String> {
    let text = prose(page);
    text.match_indices("](").map(|(at, _)| text[at + 2..].split(')').next().unwrap().to_owned()).collect()
}

/// The anchors that mdBook and code hosts make from the headings of a page.
fn anchors(page: &Path) -> BTreeSet<String> {
    let text = fs::read_to_string(page).unwrap();
    let headings = text.lines().filter(|line| line.starts_with('#')).map(|line| line.trim_start_matches('#').trim());
    let kept = |letter: char| letter.is_alphanumeric() || matches!(letter, ' ' | '-' | '_');
    headings.map(|heading| heading.to_lowercase().replace(|letter| !kept(letter), "").replace(' ', "-")).collect()
}

/// Checks the files as they are in the repository, without building the book.
#[test]
fn links_of_the_documents_lead_somewhere() {
    let mut broken = Vec::new();
    let mut checked = 0;
    for page in pages(&project()) {
        for link in links(&page).into_iter().filter(|link| !link.contains("://")) {
            checked += 1;
            let (file, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let target = if file.is_empty() { page.clone() } else { page.parent().unwrap().join(file) };
            if !target.exists() || !anchor.is_empty() && !anchors(&target).contains(anchor) {
                broken.push(format!("{} -> {link}", page.display()));
            }
        }
        if fs::read_to_string(&page).unwrap().contains("{{#include") {
            broken.push(format!("{} includes a file, which only the book shows", page.display()));
        }
    }
    assert!(broken.is_empty(), "{broken:#?}");
    assert!(checked > 500, "only {checked} links");
}

#[test]
fn table_of_contents_has_every_page_once() {
    let source = project().join("docs/src");
    let contents = source.join("SUMMARY.md");
    let mut listed = links(&contents);
    listed.sort();
    let name = |page: &PathBuf| page.strip_prefix(&source).unwrap().to_str().unwrap().to_owned();
    let mut there: Vec<String> = pages(&source).iter().filter(|page| **page != contents).map(name).collect();
    there.sort();
    assert_eq!(listed, there);
}

/// Compares a picture with the one in the book, or replaces it if `UPDATE_CHART` is set.
fn compare_picture(name: &str, drawn: &str) {
    let path = project().join("docs/src").join(name);
    if std::env::var_os("UPDATE_CHART").is_some() {
        fs::write(&path, drawn).unwrap();
    }
    assert!(fs::read_to_string(&path).unwrap() == drawn, "UPDATE_CHART=1 draws {} again", path.display());
}
