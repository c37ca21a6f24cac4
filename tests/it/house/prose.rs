//! The English of doc comments: the rules of `CONTRIBUTING.md` that a program can check.

use super::crates::read;
use ndbytes_testkit::project;
use std::fs;
use std::path::{Path, PathBuf};

/// The folders whose files are judged.
const FOLDERS: [&str; 6] = ["benches", "crates", "fuzz", "schemas", "src", "tests"];

/// The number of words that a sentence may have. Code counts as one word.
const WORDS: usize = 25;

/// Words that no doc comment begins with: its subject stands first.
const OPENINGS: [&str; 5] = ["What ", "Whether ", "Of ", "Who ", "Where "];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if path.is_dir() && !path.ends_with("target") {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The text of a line of a doc comment, or `None` of any other line.
fn doc(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let text = line.strip_prefix("///").or_else(|| line.strip_prefix("//!"))?;
    Some(text.strip_prefix(' ').unwrap_or(text))
}

/// A text with an `x` in the place of code and without the targets of links.
fn plain(text: &str) -> String {
    let parts = text.split('`').enumerate().map(|(part, words)| if part % 2 == 0 { words } else { "x" });
    let text = parts.collect::<String>();
    let mut links = text.split("](");
    let first = links.next().unwrap().to_owned();
    links.fold(first, |before, rest| before + "]" + rest.split_once(')').map_or("", |(_, after)| after))
}

/// Judges a paragraph, or an item of a list, which ends here.
fn judge(paragraph: &mut String, mut complain: impl FnMut(&str)) {
    let mut sentence = Vec::new();
    for word in plain(&std::mem::take(paragraph)).split_whitespace() {
        if word.trim_matches(|letter: char| !letter.is_alphanumeric()) == "behind" {
            complain("\"behind\": the word is \"after\"");
        }
        sentence.push(word.to_owned());
        if word.ends_with(['.', '!', '?']) {
            sentence.clear();
        } else if sentence.len() == WORDS {
            complain(&format!("a sentence has more than {WORDS} words: {}", sentence.join(" ")));
        }
    }
}

#[test]
fn doc_comments_begin_with_their_subject_and_have_short_sentences() {
    let mut files = Vec::new();
    FOLDERS.iter().for_each(|folder| sources(&project().join(folder), &mut files));
    let mut wrong = Vec::new();
    for path in files {
        let (mut paragraph, mut is_code, mut is_session, mut is_first) = (String::new(), false, false, true);
        for (number, line) in read(&path).lines().chain([""]).enumerate() {
            let mut complain = |what: &str| wrong.push(format!("{}:{}: {what}", path.display(), number + 1));
            let text = doc(line).unwrap_or_default();
            let is_fence = text.trim_start().starts_with("```");
            is_code = doc(line).is_some() && is_code != is_fence;
            // The package for Python has examples as Python writes them, with results of a line.
            is_session = [">>> ", "... "].iter().any(|sign| text.trim_start().starts_with(sign))
                || (is_session && text.starts_with("    "));
            let is_item = ["* ", "- ", "1. "].iter().any(|sign| text.trim_start().starts_with(sign));
            let is_prose =
                !(is_code || is_session || is_fence || text.trim().is_empty() || text.starts_with(['|', '#']));
            if !is_prose || is_item {
                judge(&mut paragraph, &mut complain);
            }
            if (is_first || (is_prose && paragraph.is_empty()))
                && OPENINGS.iter().any(|opening| text.starts_with(opening))
            {
                complain("a doc comment begins with its subject or an imperative");
            }
            is_first = doc(line).is_none();
            if is_prose {
                paragraph += " ";
                paragraph += text;
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
