//! `ndbytes explain --html`: the page names everything, believes nothing, and stays small.

use crate::support::corpus;
use crate::support::tool::{json_lines, run, run_with_input};
use flate2::{Compression, GzBuilder};
use serde_json::Value;
use std::fs;
use std::io::Write;

/// The page about a file that is handed over as standard input.
fn page(bytes: &[u8]) -> String {
    run_with_input(&["explain", "--html", "-", "-"], bytes).stdout
}

/// Text as the page writes it.
fn escaped(text: &str) -> String {
    [("&", "&amp;"), ("<", "&lt;"), (">", "&gt;")].iter().fold(text.into(), |text, (from, to)| text.replace(from, to))
}

/// An IDX file: one axis of bytes.
fn idx(payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).unwrap();
    [&[0, 0, 8, 1], &length.to_be_bytes(), payload].concat()
}

fn gzip(name: &str, comment: &str, content: &[u8]) -> Vec<u8> {
    let mut encoder = GzBuilder::new().filename(name).comment(comment).write(Vec::new(), Compression::fast());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

/// Asserts that every element that is opened is closed, in turn, that attributes are quoted, and returns the text.
fn text_of(page: &str) -> String {
    const EMPTY: [&str; 1] = ["meta"];
    let mut rest = page.strip_prefix("<!DOCTYPE html>\n").expect("a document");
    let (mut open, mut text) = (Vec::new(), String::new());
    while let Some(start) = rest.find('<') {
        text += &rest[..start];
        rest = &rest[start + 1..];
        let mut in_quotes = false;
        let end = rest.find(|letter| {
            in_quotes ^= letter == '"';
            assert!(letter != '<', "{letter} inside a tag: {:.80}", rest);
            !in_quotes && letter == '>'
        });
        let tag = &rest[..end.expect("a tag ends")];
        rest = &rest[tag.len() + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "</{name}> before {rest:.80}");
            continue;
        }
        let name = tag.split(' ').next().unwrap();
        assert!(name.chars().all(|letter| letter.is_ascii_alphanumeric()), "<{tag}>");
        assert_eq!(tag.matches('"').count(), 2 * tag.matches("=\"").count(), "<{tag}>");
        match name {
            "script" | "style" => rest = &rest[rest.find(&format!("</{name}>")).unwrap() + name.len() + 3..],
            name if EMPTY.contains(&name) => {}
            name => open.push(name),
        }
    }
    assert_eq!(open, [""; 0]);
    text + rest
}

#[test]
fn the_page_names_every_field_and_finding() {
    for sample in corpus::samples() {
        let path = sample.path.to_str().unwrap();
        let memory = sample.recipe.memory.map_or("1G".to_owned(), |memory| memory.to_string());
        let object: Value =
            serde_json::from_str(&run(&["explain", "--max-memory", &memory, "--json", path]).stdout).unwrap();
        let ended = run(&["explain", "--max-memory", &memory, "--html", path, "-"]);
        assert_eq!(ended.status, i32::from(sample.folder == "bad"), "{sample}");
        let text = text_of(&ended.stdout);
        assert!(text.contains(&escaped(path)), "{sample}");
        let spans = object["spans"].as_array().unwrap();
        for span in spans {
            assert!(text.contains(&escaped(span["path"].as_str().unwrap())), "{sample}: {}", span["path"]);
        }
        let check = json_lines(&run(&["check", "--max-memory", &memory, "--json", path]).stdout);
        for finding in check.iter().flat_map(|part| part["findings"].as_array().unwrap()) {
            assert!(text.contains(finding["rule"].as_str().unwrap()), "{sample}: {finding}");
        }
        let most = if object["format"] == "b2nd" { 256 << 10 } else { 64 << 10 };
        assert!(ended.stdout.len() < most, "{sample}: {} bytes", ended.stdout.len());
    }
}

#[test]
fn nothing_is_loaded_from_elsewhere() {
    let page = page(&idx(b"abc"));
    for word in ["http:", "https:", "//", "url(", "@import", "src="] {
        assert!(!page.contains(word), "{word}");
    }
    assert!(page.contains("default-src 'none'"));
}

#[test]
fn hostile_names_and_bytes_are_text() {
    let hostile = "\"'><script>alert(1)</script>&amp;\u{1b}[31m";
    let file = gzip(hostile, "<img onerror=alert(1)>", &idx(b"<script>alert(2)</script>\"'&"));
    let folder = tempfile::tempdir().unwrap();
    // Neither a slash nor, on some systems, quotes and angles are for file names.
    let name = if cfg!(windows) { "\u{202e}&.gz" } else { "\"><script>alert(3)\u{202e}&.gz" };
    let path = folder.path().join(name);
    for content in [file.clone(), [&file[..], b"<script>"].concat(), b"<script>alert(4)</script>".to_vec()] {
        fs::write(&path, content).unwrap();
        let page = run(&["explain", "--html", path.to_str().unwrap(), "-"]).stdout;
        text_of(&page);
        assert_eq!(page.matches("<script").count(), 1);
        assert!(!page.contains("<img"));
        assert!(page.chars().all(|letter| letter == '\n' || !letter.is_control() && letter != '\u{202e}'));
        assert!(page.contains("\\u{202e}&amp;.gz"));
    }
}

#[test]
fn large_files_have_small_pages() {
    let payload: Vec<u8> = (0..50_000_000_u32).map(|place| (place % 251) as u8).collect();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("large.idx");
    for file in [idx(&payload), gzip("large", "", &idx(&payload[..1_000_000]))] {
        fs::write(&path, file).unwrap();
        let page = run(&["explain", "--depth", "structure", "--html", path.to_str().unwrap(), "-"]).stdout;
        assert!(page.len() < 20_000, "{} bytes", page.len());
        assert!(text_of(&page).contains("payload"));
    }
}

#[test]
fn many_fields_and_long_texts_are_cut() {
    let members: Vec<u8> = (0..500).flat_map(|_| gzip("", "", b"")).collect();
    let file = [gzip(&"<".repeat(1 << 16), &"\u{7f}".repeat(1 << 16), &idx(b"abc")), members].concat();
    let page = page(&file);
    assert!(page.len() < 80_000, "{} bytes", page.len());
    let text = text_of(&page);
    assert!(text.contains("more fields") && text.contains("more bytes"));
}

#[test]
fn long_fields_show_their_ends() {
    let text = text_of(&page(&idx(&(0..200).collect::<Vec<u8>>())));
    let offsets = "0000\n0010\n0020\n0030\n0040\n⋮\n00c0";
    let bytes = "38 39 3a 3b 3c 3d 3e 3f  40 41 42 43 44 45 46 47\n… 112 bytes\nb8 b9 ba bb bc bd be bf  c0";
    let letters = "89:;&lt;=&gt;?@ABCDEFG\n\n················";
    for column in [offsets, bytes, letters] {
        assert!(text.contains(column), "{column}\nin\n{text}");
    }
}

#[test]
fn the_file_appears_whole_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("page.html");
    let path = corpus::root().join("idx/bad/trailing-one.idx");
    let arguments = |out| ["explain", "--html", path.to_str().unwrap(), out];
    for _ in 0..2 {
        let ended = run(&arguments(out.to_str().unwrap()));
        let said = format!("the page is in {}\n", out.display());
        assert_eq!((ended.status, ended.stdout.as_str(), ended.stderr.as_str()), (1, "", said.as_str()));
        text_of(&fs::read_to_string(&out).unwrap());
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
    }
    let nowhere = folder.path().join("no/such/folder/page.html");
    let ended = run(&arguments(nowhere.to_str().unwrap()));
    assert_eq!(ended.status, 2);
    assert!(ended.stderr.contains("page.html"), "{}", ended.stderr);
    assert_eq!(run(&arguments(folder.path().to_str().unwrap())).status, 2);
    assert_eq!(run(&["explain", "--json", "--html", path.to_str().unwrap(), "x"]).status, 2);
}
