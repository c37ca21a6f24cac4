//! JUnit XML.

use super::{folder, printed, put};
use roxmltree::{Document, Node};

fn tests<'d>(document: &'d Document<'_>) -> Vec<Node<'d, 'd>> {
    document.descendants().filter(|node| node.has_tag_name("testcase")).collect()
}

#[test]
fn junit_is_well_formed_with_hostile_names() {
    let name = "a&b<c>\"d\u{1}\u{202e}\u{fffe}]]>.idx";
    let folder = folder(&[(name, "idx/bad/trailing-one.idx")]);
    put(folder.path(), "table.idv", &super::hostile_table());
    let text = printed(folder.path(), &["check", "--format", "junit", "."]);
    let document = Document::parse(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
    let tests = tests(&document);
    assert_eq!(tests[0].attribute("name"), Some("a&b<c>\"d\\u{1}\\u{202e}\\u{fffe}]]>.idx"));
    let failure = tests[0].children().find(|node| node.has_tag_name("failure")).unwrap();
    assert_eq!(failure.attribute("type"), Some("idx/trailing-bytes"));
    let output = tests[1].children().find(|node| node.has_tag_name("system-out")).expect("a warning is no failure");
    assert!(output.text().unwrap().contains("</code><img onerror=x>"), "{output:?}");
}

#[test]
fn suites_count_their_tests() {
    let folder = folder(&[("one/bad.idx", "idx/bad/trailing-one.idx"), ("one/good.idx", "idx/ok/u8-2d.idx")]);
    // A directory with more tests than fit into one suite.
    for number in 0..1005 {
        put(folder.path(), &format!("two/{number:04}.idx"), &[0, 0, 8, 1, 0, 0, 0, 1, 1]);
    }
    let text = printed(folder.path(), &["check", "--format", "junit", ".", "lost"]);
    let document = Document::parse(&text).unwrap();
    let suites = document.descendants().filter(|node| node.has_tag_name("testsuite"));
    let told: Vec<[&str; 4]> = suites
        .map(|suite| {
            let count = suite.children().filter(|node| node.has_tag_name("testcase")).count();
            assert_eq!(suite.attribute("tests"), Some(&*count.to_string()));
            ["name", "tests", "failures", "errors"].map(|name| suite.attribute(name).unwrap())
        })
        .collect();
    assert_eq!(told, [["one", "2", "1", "0"], ["two", "1000", "0", "0"], ["two", "5", "0", "0"], [".", "1", "0", "1"]]);
}
