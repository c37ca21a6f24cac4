//! The text of recipes and the errors in it.

use super::after;
use super::formats::{Shelves, shelf};
use everybyte::forge::{Choices, Recipe, minimise, replay_with};

/// A line of each form.
const ALL: &str = r#"# forge 1 shelf seed=77
repair everything
repair nothing
repair all-but 16
repair place extent counts copy_of check_of agree
leave sum
set count = -3
set books["The # \"Shelf\""].title = "a \"b\"\n\u{202e}"
set books[0].weight = 1.5
set note!words[0] = x"00ff"
splice note[0..end] = x""
splice books[0].title[1..2] = x"61"
remove books[0]
duplicate books[0]
swap books[0] books[1]
copy books[0].pages to books[1].pages
cut note + 3
cut end - 1
cut note
append x"00ff"
do paint seed=18446744073709551615
plain seed=9
"#;

#[test]
fn recipes_are_written_as_they_are_read() {
    assert_eq!(ALL.parse::<Recipe>().unwrap().to_string(), ALL);
}

#[test]
fn bytes_may_be_stated_as_a_text() {
    let recipe: Recipe = "append \"ab\"".parse().unwrap();
    assert_eq!(recipe.to_string(), "append x\"6162\"\n");
}

#[test]
fn mistakes_are_named_by_line() {
    let wrong = |text: &str| text.parse::<Recipe>().unwrap_err().to_string();
    assert_eq!(wrong("remove a\n\nset a 1"), "line 3 of the recipe: expected `set KEY = VALUE`");
    assert_eq!(wrong("dance"), "line 1 of the recipe: `dance` is not a step");
    assert_eq!(
        wrong("set a = x\"0\""),
        "line 1 of the recipe: `x\"0\"` is not a value: expected 12, -3, 0xff, 1.5, \"text\" or x\"00ff\""
    );
    assert_eq!(
        wrong("repair luck"),
        "line 1 of the recipe: `luck` is not a role: place, extent, counts, copy_of, check_of, agree"
    );
    for text in
        ["set a = 0x", "set a = 0x+1", "set a = \"b", "plain seed=-1", "repair", "repair all-but 0", "cut a * 2"]
    {
        assert!(text.parse::<Recipe>().is_err(), "{text}");
    }
}

#[test]
fn steps_that_do_not_suit_a_file_are_named() {
    let wrong = |recipe: &str| after(&Shelves::new(), &shelf(), recipe).unwrap_err();
    assert_eq!(
        wrong("remove books[0]\nset lamp = 1"),
        "step 2 of the recipe, `set lamp = 1`: the file has no field `lamp`"
    );
    assert_eq!(
        wrong("set wood = 256"),
        "step 1 of the recipe, `set wood = 256`: `wood` has no room for 256: it takes 0 to 255"
    );
    let smallest = wrong("set wood = -170141183460469231731687303715884105728");
    assert!(smallest.ends_with("`wood` has no room for -170141183460469231731687303715884105728: it takes 0 to 255"));
    assert_eq!(wrong("do sing seed=1"), "step 1 of the recipe, `do sing seed=1`: shelf has no operation `sing`");
    assert!(wrong("splice note[1..99] = x\"\"").ends_with("`note` has 12 bytes"));
    assert!(wrong("swap books books[0]").ends_with("one of the fields is a part of the other"));
    assert!(wrong("cut end + 1").ends_with("the cut is outside of the file"));
}

#[test]
fn an_open_index_is_chosen_and_noted() {
    let recipe: Recipe = "set books[?].pages = 7\nset note!words[?] = 7".parse().unwrap();
    let mut seen = std::collections::BTreeSet::new();
    for seed in 0..64 {
        let (bytes, made) = replay_with(&Shelves::new(), &shelf(), &recipe, &mut Choices::seeded(seed)).unwrap();
        assert_eq!(after(&Shelves::new(), &shelf(), &made.to_string()), Ok(bytes));
        seen.insert(made.to_string());
    }
    assert_eq!(seen.len(), 4);
}

#[test]
fn a_recipe_is_minimised_to_the_lines_that_matter() {
    let recipe: Recipe = ALL.parse().unwrap();
    let keeps = |recipe: &Recipe| ["leave sum", "plain seed=9"].iter().all(|line| recipe.to_string().contains(line));
    let least = minimise(&recipe, keeps);
    assert_eq!(least.to_string(), "# forge 1 shelf seed=77\nleave sum\nplain seed=9\n");
}
