//! The content of a page: every field and finding, as many bytes as fit, and nothing but text.

use super::files::{hostile_names, many_chunks, sample};
use super::{island, page_of};
use crate::support::tool::{json_lines, run, run_with_input};
use flate2::{Compression, GzBuilder};
use ndbytes_testkit::corpus;
use ndbytes_testkit::share::share;
use serde_json::Value;
use std::fs;
use std::io::Write;

/// The page about a file on standard input.
fn page(bytes: &[u8]) -> String {
    run_with_input(&["explain", "--html", "-", "-"], bytes).stdout
}

/// An IDX file of bytes, with one axis.
fn idx(payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).unwrap();
    [&[0, 0, 8, 1], &length.to_be_bytes(), payload].concat()
}

fn gzip(name: &str, comment: &str, content: &[u8]) -> Vec<u8> {
    let mut encoder = GzBuilder::new().filename(name).comment(comment).write(Vec::new(), Compression::fast());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

/// Returns the fields without parts (space, offset, length and name), and the number of omitted fields.
fn leaves(island: &Value) -> (Vec<(u64, u64, u64, String)>, u64) {
    let rows = island["tree"]["rows"].as_array().unwrap();
    let depth = |row: &Value| row[0].as_u64().unwrap();
    let (mut spaces, mut found, mut more) = (Vec::new(), Vec::new(), 0);
    for (place, row) in rows.iter().enumerate() {
        spaces.truncate(usize::try_from(depth(row)).unwrap());
        match row[1].as_i64().unwrap() {
            -1 => more += row[2].as_u64().unwrap(),
            -2 => spaces.push(row[2].as_u64().unwrap()),
            name => {
                let space = *spaces.last().unwrap();
                spaces.push(space);
                // The space that a field opens is not a part of it.
                let has_parts = rows.get(place + 1).is_some_and(|next| depth(next) > depth(row) && next[1] != -2);
                if !has_parts {
                    let name = island["tree"]["strings"][name as usize].as_str().unwrap().to_owned();
                    found.push((space, row[2].as_u64().unwrap(), row[3].as_u64().unwrap(), name));
                }
            }
        }
    }
    found.sort();
    (found, more)
}

#[test]
fn the_page_has_every_field_and_finding() {
    for sample in share(corpus::samples().into_iter()) {
        let path = sample.path.to_str().unwrap();
        let memory = sample.recipe.memory.map_or("1G".to_owned(), |memory| memory.to_string());
        let object: Value =
            serde_json::from_str(&run(&["explain", "--max-memory", &memory, "--json", path]).stdout).unwrap();
        let ended = run(&["explain", "--max-memory", &memory, "--html", "-", path]);
        assert_eq!(ended.status, i32::from(sample.folder == "bad"), "{sample}");
        let island = island(&ended.stdout);
        assert!(path.ends_with(island["title"].as_str().unwrap()), "{sample}");
        let number = |span: &Value, name: &str| span[name].as_u64().unwrap();
        let mut spans: Vec<_> = object["spans"]
            .as_array()
            .unwrap()
            .iter()
            .map(|span| {
                let path = span["path"].as_str().unwrap();
                let name = path.rsplit('.').next().unwrap().split('[').next().unwrap().to_owned();
                (number(span, "space"), number(span, "offset"), number(span, "length"), name)
            })
            .collect();
        spans.sort();
        let (leaves, more) = leaves(&island);
        assert_eq!(more, 0, "{sample}");
        assert_eq!(leaves.len(), spans.len(), "{sample}");
        for (leaf, span) in leaves.iter().zip(&spans) {
            assert_eq!((leaf.0, leaf.1, leaf.2), (span.0, span.1, span.2), "{sample}: {}", span.3);
        }
        let check = json_lines(&run(&["check", "--max-memory", &memory, "--json", path]).stdout);
        let rules: Vec<&Value> = check
            .iter()
            .flat_map(|part| part["findings"].as_array().unwrap())
            .map(|finding| &finding["rule"])
            .collect();
        let shown: Vec<&Value> = island["findings"].as_array().unwrap().iter().map(|card| &card["rule"]).collect();
        assert_eq!(shown, rules, "{sample}");
    }
}

#[test]
fn nothing_is_loaded_from_elsewhere() {
    // The XML namespace of drawings is not an address.
    let page = page(&idx(b"abc")).replace("xmlns=\\\"http://www.w3.org/2000/svg\\\"", "");
    for word in ["http:", "https:", "url(", "@import", "src=", "unsafe-inline", "innerHTML", "eval("] {
        assert!(!page.contains(word), "{word}");
    }
    assert!(page.contains("default-src 'none'; style-src 'sha256-"));
}

#[test]
fn hostile_names_and_bytes_are_text() {
    for hostile in hostile_names() {
        let file = gzip(&hostile.replace('\0', ""), "<img onerror=alert(1)>", &idx(b"<script>alert(2)</script>\"'&"));
        for content in [file.clone(), [&file[..], b"<script>"].concat(), b"<script>alert(4)</script>".to_vec()] {
            let page = page(&content);
            assert_eq!(page.matches("<script").count(), 2);
            assert_eq!(page.matches("</script").count(), 2);
            assert!(!page.contains("<img"));
            assert!(page.chars().all(|letter| letter == '\n' || !letter.is_control() && letter != '\u{202e}'));
            island(&page);
        }
    }
}

#[test]
fn the_title_is_the_name_without_its_folders() {
    let folder = tempfile::tempdir().unwrap();
    let page = fs::read_to_string(sample(&folder, "surface.ra")).unwrap();
    assert!(page.contains("<title>surface.ra</title>"));
    assert!(!page.contains(folder.path().to_str().unwrap()));
}

#[test]
fn small_files_are_carried_whole_and_large_ones_with_the_ends_of_fields() {
    let small = idx(&(0..200).collect::<Vec<u8>>());
    let bytes = &island(&page(&small))["bytes"];
    assert_eq!((bytes[0]["start"].as_u64(), bytes.as_array().unwrap().len()), (Some(0), 1));
    assert_eq!(bytes[0]["bytes"].as_str().unwrap().len(), small.len().div_ceil(3) * 4);
    let large = idx(&vec![7; 1 << 20]);
    let bytes = island(&page(&large))["bytes"].clone();
    let runs: Vec<[u64; 2]> = bytes
        .as_array()
        .unwrap()
        .iter()
        .map(|run| {
            let text = run["bytes"].as_str().unwrap();
            let start = run["start"].as_u64().unwrap();
            [start, start + (text.len() / 4 * 3 - text.matches('=').count()) as u64]
        })
        .collect();
    let end = large.len() as u64;
    // Whole lines of 16 bytes, with at least 64 bytes at the beginning of the payload and 16 at the end.
    assert_eq!(runs, [[0, 80], [end - 24, end]]);
}

#[test]
fn large_files_have_small_pages() {
    let payload: Vec<u8> = (0..50_000_000_u32).map(|place| (place % 251) as u8).collect();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("large.idx");
    for file in [idx(&payload), gzip("large", "", &idx(&payload[..1_000_000]))] {
        fs::write(&path, file).unwrap();
        let page = run(&["explain", "--depth", "structure", "--html", "-", path.to_str().unwrap()]).stdout;
        assert!(page.len() < 120_000, "{} bytes", page.len());
        assert!(island(&page)["pictures"].is_null());
    }
}

#[test]
fn pages_of_many_fields_and_long_texts_end_at_two_megabytes() {
    let members: Vec<u8> = (0..8000).flat_map(|_| gzip("", "", b"")).collect();
    let file = [gzip(&"<".repeat(1 << 16), &"\u{7f}".repeat(1 << 16), &idx(b"abc")), members].concat();
    let folder = tempfile::tempdir().unwrap();
    for page in [page(&file), fs::read_to_string(page_of(&many_chunks(&folder))).unwrap()] {
        assert!(page.len() < 2 << 20, "{} bytes", page.len());
        island(&page);
    }
}

#[test]
fn the_file_appears_whole_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("page.html");
    let path = corpus::root().join("idx/bad/trailing-one.idx");
    let arguments = |out| ["explain", "--html", out, path.to_str().unwrap()];
    for _ in 0..2 {
        let ended = run(&arguments(out.to_str().unwrap()));
        let said = format!("wrote the page {}\n", out.display());
        assert_eq!((ended.status, ended.stdout.as_str(), ended.stderr.as_str()), (1, "", said.as_str()));
        island(&fs::read_to_string(&out).unwrap());
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
    }
    let nowhere = folder.path().join("no/such/folder/page.html");
    let ended = run(&arguments(nowhere.to_str().unwrap()));
    assert_eq!(ended.status, 2);
    assert!(ended.stderr.contains("page.html"), "{}", ended.stderr);
    assert_eq!(run(&arguments(folder.path().to_str().unwrap())).status, 2);
    assert_eq!(run(&["explain", "--json", "--html", "x", path.to_str().unwrap()]).status, 2);
}

/// A source that fails at one of its requests yields either a complete page or none.
#[test]
fn a_page_whose_bytes_cannot_be_read_is_an_error() {
    use ndbytes::{Checker, Input, Limits};
    use ndbytes_page::Page;
    use ndbytes_testkit::sources::{Fault, Faulty};
    let bytes = idx(&[7; 3000]);
    let page = |good: usize| {
        let source = Faulty { bytes: bytes.clone(), fault: Fault::Refusal, good: good.into() };
        let input = Input::from_source_in_pages(source, Limits::default(), [64, 64, 64])?;
        let (report, map) = Checker::new().depth(ndbytes::Depth::Structure).explain(&input)?;
        Page::new(&map, &report, &input).without_pictures().try_to_html().map_err(|error| {
            assert!(error.to_string().contains("the line is dead"), "{error}");
            error
        })
    };
    let whole = page(usize::MAX).unwrap();
    let ends: Vec<bool> = (0..40).map(|good| page(good).inspect(|page| assert_eq!(*page, whole)).is_ok()).collect();
    assert!(!ends[1] && ends[39], "{ends:?}");
}
