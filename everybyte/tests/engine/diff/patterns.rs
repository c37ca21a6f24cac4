//! Patterns of keys.

use super::formats::{Album, New, TWO, album};
use super::with;
use crate::compared::diff_with;
use everybyte::diff::{Options, Pattern};

#[test]
fn fields_that_a_pattern_names_are_not_compared() {
    let file = album("Blue", &TWO);
    let tracks: Vec<New> = TWO.iter().map(|&(name, speed, _, sound)| (name, speed, 1, sound)).collect();
    let other = with(&album("Blue", &tracks), 0, 1);
    let ignoring = |patterns: &[&str]| {
        let ignore = patterns.iter().map(|pattern| Pattern::new(pattern).unwrap()).collect();
        let options = Options { ignore, ..Options::default() };
        diff_with::<Album>(&file, &other, &options).lines(false).collect::<Vec<_>>()
    };
    let marks = "marks: both sides are full: no → yes   (at 0x0)";
    assert_eq!(ignoring(&["tracks[*].codec"]), [marks, "not shown: 2 ignored changes"]);
    assert_eq!(ignoring(&["tracks", "marks.full"]), ["not shown: 3 ignored changes"]);
    assert_eq!(ignoring(&["tracks[9]"])[1], "tracks[7].codec: plain → rice   (at 0xc)");
}

#[test]
fn a_pattern_says_what_is_wrong_with_it() {
    let wrong = |pattern: &str| Pattern::new(pattern).unwrap_err().to_string();
    assert_eq!(wrong(""), "the pattern is empty, at character 1 of the pattern");
    assert_eq!(wrong("é[1"), "the bracket is not closed, at character 2 of the pattern");
    assert_eq!(wrong("a[\"x]"), "the quote is not closed, at character 2 of the pattern");
    assert_eq!(wrong("a..b"), "a name is missing here, at character 3 of the pattern");
    assert_eq!(wrong("a[1]b"), "a point is missing here, at character 5 of the pattern");
    assert_eq!(wrong("a]"), "the bracket was not opened, at character 2 of the pattern");
}

#[test]
fn a_pattern_matches_keys_step_by_step() {
    let matches = |pattern: &str, key: &str| Pattern::new(pattern).unwrap().matches(key);
    assert!(matches("a[*].b", "a[\"x].b\"].b"));
    assert!(!matches("a[*].b", "a[\"x].b\"].c"));
    assert!(matches("a[x*y*]", "a[x123yz]") && !matches("a[x*y]", "a[x123yz]"));
    assert!(matches("a", "a!b.c") && matches("a!b", "a!b.c") && !matches("a!b", "a.b.c"));
    assert!(matches("**.c", "a[3]!b.c") && matches("**", "a") && !matches("**.c", "a.d"));
    assert!(!matches("a.b", "a") && !matches("a.b", "ab"));
}
