//! Words that no text of the project uses, as listed in `CONTRIBUTING.md`.

use super::crates::read;
use ndbytes_testkit::project;
use std::fs;
use std::path::{Path, PathBuf};

/// The directories whose doc comments are checked.
const FOLDERS: [&str; 7] = ["benches", "crates", "everybyte", "fuzz", "schemas", "src", "tests"];

/// Pages, and directories of pages.
const PAGES: [&str; 3] = ["README.md", "SECURITY.md", "docs/src"];

/// Words that are never used, each with the word to use.
const WORDS: [(&str, &str); 16] = [
    ("breach", "violation"),
    ("breaches", "violates"),
    ("given up", "dropped"),
    ("in whole", "completely"),
    ("lacks", "is missing"),
    ("mend", "repair"),
    ("mended", "repaired"),
    ("mends", "repairs"),
    ("mending", "repairing"),
    ("passed over", "skipped"),
    ("passes over", "skips"),
    ("told", "reported"),
    ("truth value", "boolean"),
    ("whoever", "anyone who"),
    ("nobody", "no one, or name the actor"),
    ("is no", "is not"),
];

/// Phrases in which such a word is correct.
const RIGHT: [&str; 6] =
    ["there is no", "is no longer", "is no more than", "passes over the file", "as long as nobody", "told apart"];

fn sources(folder: &Path, extension: &str, found: &mut Vec<PathBuf>) {
    for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if path.is_dir() && !path.ends_with("target") {
            sources(&path, extension, found);
        } else if path.extension().is_some_and(|found| found == extension) {
            found.push(path);
        }
    }
}

/// The text of a doc comment's line, or `None` for any other line.
fn doc(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let text = line.strip_prefix("///").or_else(|| line.strip_prefix("//!"))?;
    Some(text.strip_prefix(' ').unwrap_or(text))
}

/// A text in lower case, without code, with single spaces around its words.
fn plain(text: &str) -> String {
    let parts = text.split('`').enumerate().map(|(part, words)| if part % 2 == 0 { words } else { "x" });
    let text = parts.collect::<String>().to_lowercase();
    let words = text.split(|letter: char| !letter.is_alphanumeric() && letter != '\'').filter(|word| !word.is_empty());
    words.fold(" ".to_owned(), |text, word| text + word + " ")
}

/// The forbidden words in a paragraph, with their replacements.
fn wrong_words(paragraph: &str) -> Vec<String> {
    let text = RIGHT.iter().fold(plain(paragraph), |text, right| text.replace(&format!(" {right} "), " x "));
    let found = WORDS.iter().filter(|(word, _)| text.contains(&format!(" {word} ")));
    found.map(|(word, better)| format!("\"{word}\": the word is \"{better}\"")).collect()
}

/// The paragraphs of a text, each with the number of its first line. `line` extracts the prose from a line.
fn paragraphs(text: &str, line: impl Fn(&str) -> Option<&str>) -> Vec<(usize, String)> {
    let (mut found, mut is_code, mut is_new) = (Vec::<(usize, String)>::new(), false, true);
    for (number, whole) in text.lines().enumerate() {
        let prose = line(whole).unwrap_or_default();
        let is_fence = prose.trim_start().starts_with("```");
        is_code = line(whole).is_some() && is_code != is_fence;
        if is_code || is_fence || prose.trim().is_empty() {
            is_new = true;
            continue;
        }
        match found.last_mut().filter(|_| !is_new) {
            Some((_, paragraph)) => *paragraph += &format!(" {prose}"),
            None => found.push((number + 1, prose.to_owned())),
        }
        is_new = false;
    }
    found
}

#[test]
fn words_that_are_never_used_are_not_in_doc_comments_or_pages() {
    let mut files = Vec::new();
    FOLDERS.iter().for_each(|folder| sources(&project().join(folder), "rs", &mut files));
    for page in PAGES {
        let path = project().join(page);
        if path.is_dir() { sources(&path, "md", &mut files) } else { files.push(path) }
    }
    let mut wrong = Vec::new();
    for path in files {
        let is_source = path.extension().is_some_and(|extension| extension == "rs");
        let text = read(&path);
        // Every line of a page is prose, to its end.
        let found = if is_source { paragraphs(&text, doc) } else { paragraphs(&text, |line| line.get(..)) };
        for (line, paragraph) in found {
            wrong.extend(wrong_words(&paragraph).into_iter().map(|what| format!("{}:{line}: {what}", path.display())));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn words_are_found_across_lines_and_code_is_none() {
    let source = "/// It is\n/// no array, and `mend` is code.\n///\n/// ```\n/// mend\n/// ```\n/// There is no end.\nfn told() {}";
    let found: Vec<_> = paragraphs(source, doc)
        .into_iter()
        .flat_map(|(line, text)| wrong_words(&text).into_iter().map(move |it| (line, it)))
        .collect();
    assert_eq!(found, [(1, "\"is no\": the word is \"is not\"".to_owned())]);
}

/// The maximum number of types and traits in each library without an example in their documentation. The counted ones
/// are private; every new one needs an example.
const WITHOUT_EXAMPLE: [(&str, usize); 7] = [
    ("src", 96),
    ("everybyte/src", 135),
    ("everybyte/ksy/src", 87),
    ("crates/arrow/src", 5),
    ("crates/compare/src", 27),
    ("crates/convert/src", 58),
    ("crates/forge/src", 17),
];

/// The names of types and traits in a source whose doc comment has no code.
fn without_example(text: &str) -> Vec<&str> {
    let (mut found, mut has_example) = (Vec::new(), false);
    for line in text.lines() {
        let item = ["pub struct ", "pub enum ", "pub trait "].iter().find_map(|start| line.strip_prefix(start));
        if let Some(item) = item.filter(|_| !has_example) {
            found.push(item.split(|letter: char| !letter.is_alphanumeric()).next().unwrap_or_default());
        }
        let is_before_item = line.starts_with("///") || line.starts_with("#[") || line.starts_with([' ', ')', '}']);
        has_example = is_before_item && (has_example || line.starts_with("/// ```"));
    }
    found
}

#[test]
fn types_without_an_example_do_not_become_more() {
    for (folder, most) in WITHOUT_EXAMPLE {
        let mut files = Vec::new();
        sources(&project().join(folder), "rs", &mut files);
        let texts: Vec<String> = files.iter().map(|path| read(path)).collect();
        let found: Vec<&str> = texts.iter().flat_map(|text| without_example(text)).collect();
        assert!(found.len() <= most, "{folder}: {} of at most {most}: {found:?}", found.len());
    }
}
