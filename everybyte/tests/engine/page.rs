//! The page of a file: its rows, the links between them, and the bytes of contents, from the data that its script reads.

use everybyte::map::spans;
use everybyte::packing::{Packing, Zlib};
use everybyte::{Finding, Format, explain, finding::Severity, layout, list::filling, page, text::Text};
use serde_json::Value;

/// Two texts, and records whose content is compressed.
#[layout]
#[brw(big)]
struct Album {
    #[br(temp)]
    length: u16,
    #[br(count = length)]
    title: Text,
    #[br(temp)]
    size: u8,
    #[br(count = size)]
    #[layout(opens(Zlib as Inside))]
    inside: Vec<u8>,
    #[br(parse_with = filling(u64::MAX))]
    records: Vec<Record>,
}

/// A content with a gap of zeros between two numbers.
#[layout]
#[brw(big)]
struct Inside {
    first: u32,
    second: u32,
}

/// A record of some parts.
#[layout]
struct Record {
    #[br(temp)]
    count: u8,
    #[br(count = count)]
    parts: Vec<Part>,
}

/// Eight numbers.
#[layout]
struct Part {
    numbers: [u8; 4],
    a: u8,
    b: u8,
    c: u8,
    d: u8,
}

impl Format for Album {
    const NAME: &'static str = "album";
}

fn file(title: &str, records: usize) -> Vec<u8> {
    let inside = Zlib::pack(&[0, 0, 0, 7, 1, 2, 3, 4]);
    let head = [&(title.len() as u16).to_be_bytes(), title.as_bytes(), &[inside.len() as u8], &inside].concat();
    [head, [vec![64], vec![5; 8 * 64]].concat().repeat(records)].concat()
}

/// Returns the data that the script of the page reads.
fn data(file: &[u8]) -> Value {
    let html = page::page(&explain::<Album>(file), file, "a.album", "albums");
    let (_, rest) = html.split_once("id=\"data\">").unwrap();
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

fn rows(data: &Value) -> &[Value] {
    data["tree"]["rows"].as_array().unwrap()
}

/// Returns a string of a row. String 1 is the row's name, string 5 its value.
fn text<'d>(data: &'d Value, row: &Value, place: usize) -> &'d str {
    data["tree"]["strings"][row[place].as_u64().unwrap() as usize].as_str().unwrap()
}

/// Returns the row of the first field with a name.
fn row<'d>(data: &'d Value, name: &str) -> (usize, &'d Value) {
    let is_named = |row: &&Value| row[1].as_i64().unwrap() >= 0 && text(data, row, 1) == name;
    let place = rows(data).iter().position(|row| is_named(&row)).unwrap_or_else(|| panic!("{name}: {data}"));
    (place, &rows(data)[place])
}

#[test]
fn a_long_text_is_cut_with_a_mark_and_a_short_one_is_whole() {
    let shown = |title: &str| {
        let data = data(&file(title, 1));
        text(&data, row(&data, "title").1, 5).to_owned()
    };
    assert_eq!(shown("of the sea"), "\"of the sea\"");
    let long = "x".repeat(3000);
    let cut = shown(&long);
    assert!(cut.starts_with("\"xxx") && cut.ends_with("x\"…") && cut.len() < 1000, "{cut}");
    assert_eq!(shown(&long[..cut.len() - 5]), format!("\"{}\"", &long[..cut.len() - 5]), "the longest that is whole");
}

#[test]
fn a_number_is_linked_to_the_field_that_it_is_about() {
    let data = data(&file("of the sea", 1));
    let links: Vec<Vec<usize>> = serde_json::from_value(data["tree"]["links"].clone()).unwrap();
    let place = |name| row(&data, name).0;
    assert_eq!(links, [["length", "title"], ["size", "inside"], ["count", "parts"]].map(|pair| pair.map(place)));
}

#[test]
fn fields_that_have_no_room_are_counted() {
    let file = file("of the sea", 60);
    let data = data(&file);
    let rows = rows(&data);
    let left: Vec<u64> = rows.iter().filter(|row| row[1] == -1).map(|row| row[2].as_u64().unwrap()).collect();
    // The row of a field that opens a space precedes the row of the space.
    let is_above = |row: &Value, next: &Value| next[1] != -2 && next[0].as_u64() > row[0].as_u64();
    let is_leaf = |place: usize| {
        let row = &rows[place];
        row[1].as_i64() >= Some(0) && !rows.get(place + 1).is_some_and(|next| is_above(row, next))
    };
    let shown = (0..rows.len()).filter(|place| is_leaf(*place)).count();
    let all = spans(&explain::<Album>(&file).spaces).len();
    assert!(!left.is_empty() && left.iter().all(|fields| *fields > 0), "{left:?}");
    assert_eq!(shown as u64 + left.iter().sum::<u64>(), all as u64, "{left:?}");
}

#[test]
fn the_bytes_of_contents_are_there_as_their_fields_keep_them() {
    let data = data(&file("of the sea", 1));
    let of_content: Vec<&Value> = data["bytes"].as_array().unwrap().iter().filter(|run| run["space"] != 0).collect();
    assert_eq!(of_content.len(), 1, "{of_content:?}");
    assert_eq!((&of_content[0]["start"], &of_content[0]["bytes"]), (&Value::from(0), &Value::from("AAAABwECAwQ=")));
}

#[test]
fn a_file_of_megabytes_has_the_bytes_of_its_findings_and_the_ends_of_its_fields() {
    let mut file = file("of the sea", 0);
    file.extend(vec![9; 3_000_001]);
    let explained = explain::<Album>(&file);
    let found: Vec<(&Severity, &str)> =
        explained.findings.iter().map(|finding: &Finding| (&finding.severity, finding.rule.as_str())).collect();
    assert_eq!(found, [(&Severity::Error, "too-many")]);
    let html = page::page(&explained, &file, "a.album", "albums");
    assert!(html.len() < 2 << 20);
    let data = data(&file);
    let runs: Vec<(u64, usize)> = data["bytes"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|run| run["space"] == 0)
        .map(|run| (run["start"].as_u64().unwrap(), run["bytes"].as_str().unwrap().len() / 4 * 3))
        .collect();
    assert!(runs[0].0 == 0 && runs[0].1 >= 64, "{runs:?}");
    let last = explained.findings[0].bytes.end;
    assert!(
        runs.iter().any(|(start, length)| (*start..start + *length as u64).contains(&(last - 1))),
        "{runs:?} {last} {}",
        file.len()
    );
    assert!(runs.iter().map(|(_, length)| length).sum::<usize>() < 300_000, "{runs:?}");
}
