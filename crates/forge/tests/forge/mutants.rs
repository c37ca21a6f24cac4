//! Mutants: their bounds, and their recipes.

use ndbytes::everybyte::{diff::Pattern, forge::Choices};
use ndbytes_forge::{Forge, Kind, Mutation, Recipe, Repair};
use std::fs;

#[test]
fn mutants_of_any_bytes_are_bounded_and_repeated_by_their_recipes() {
    for kind in Kind::ALL {
        let mut forge = Forge::new(kind as u64);
        for number in 0..300 {
            let file = forge.valid(kind).bytes;
            let file = &file[..file.len() * (number % 4 + 1) / 4];
            let how = Mutation { max_len: file.len() + number % 64, count: 1..=3, ..Mutation::default() };
            let mutant = forge.mutate(file, &how);
            assert!(
                mutant.bytes.len() <= how.max_len && (mutant.bytes.is_empty() == file.is_empty() || how.max_len == 0)
            );
            let text = mutant.recipe.to_string();
            let recipe: Recipe = text.parse().unwrap_or_else(|error| panic!("{error}: {text}"));
            assert_eq!(recipe, mutant.recipe, "{text}");
            let again = recipe.replay(Some(file)).unwrap_or_else(|error| panic!("{error}: {text}"));
            assert!(again.bytes == mutant.bytes, "{kind} {number}: another file\n{text}");
        }
    }
}

#[test]
fn mutants_of_a_hundred_thousand_byte_strings_are_bounded() {
    let mut choices = Choices::seeded(11);
    let mut forge = Forge::new(12);
    let beginnings: Vec<Vec<u8>> = Kind::ALL.map(|kind| forge.valid(kind).bytes).to_vec();
    for _ in 0..100_000 {
        // Any bytes, or the beginning of a file followed by any bytes.
        let beginning = choices.pick(&beginnings);
        let kept = if choices.one_in(2) { choices.index(beginning.len().min(64)) } else { 0 };
        let length = choices.index(48);
        let file = [&beginning[..kept], &choices.bytes(length)].concat();
        let how = Mutation { max_len: 1 + choices.index(96), ..Mutation::default() };
        let mutant = forge.mutate(&file, &how).bytes;
        assert!(mutant.len() <= how.max_len && mutant.is_empty() <= file.is_empty(), "{file:02x?}");
    }
}

/// The numbers in the header are as large as possible, but mutants remain bounded.
#[test]
fn mutants_of_files_of_the_largest_numbers_are_bounded() {
    for kind in [Kind::Idx, Kind::RawArray, Kind::Npy, Kind::Idv, Kind::B2nd] {
        let mut forge = Forge::new(21);
        for number in 0..200 {
            let valid = forge.valid(kind).bytes;
            let field = number * 4 % valid.len().min(96);
            let mut file = valid.clone();
            file.iter_mut().skip(field).take(8).for_each(|byte| *byte = 0xff);
            let how = Mutation { repair: Repair::Everything, max_len: 1 << 16, count: 1..=2, ..Mutation::default() };
            for _ in 0..20 {
                assert!(forge.mutate(&file, &how).bytes.len() <= 1 << 16);
            }
        }
    }
}

#[test]
fn mutants_of_broken_files_of_the_corpus_are_repeated_by_their_recipes() {
    let mut forge = Forge::new(9);
    for kind in ["idx", "rawarray", "idv", "b2nd", "npy", "zip"] {
        for entry in fs::read_dir(ndbytes_testkit::corpus::root().join(kind).join("bad")).unwrap() {
            let path = entry.unwrap().path();
            if !path.is_file() || path.extension().is_some_and(|end| end == "recipe") {
                continue;
            }
            let file = fs::read(&path).unwrap();
            let mutant = forge.mutate(&file, &Mutation::default());
            let again = mutant.recipe.replay(Some(&file)).unwrap_or_else(|error| panic!("{error}: {}", mutant.recipe));
            assert!(again.bytes == mutant.bytes, "{}: another file\n{}", path.display(), mutant.recipe);
        }
    }
}

#[test]
fn mutation_is_confined_to_the_fields_that_are_asked_for() {
    let file = Forge::new(3).valid(Kind::Idx).bytes;
    let only: Pattern = "element_type".parse().unwrap();
    let how = Mutation { only: Some(only), repair: Repair::Nothing, count: 1..=1, ..Mutation::default() };
    let mut forge = Forge::new(4);
    for _ in 0..200 {
        let mutant = forge.mutate(&file, &how);
        // Bytes may be inserted before the field, or removed from it.
        let is_confined = mutant.bytes.starts_with(&file[..2]) && mutant.bytes.ends_with(&file[3..]);
        assert!(is_confined, "{}", mutant.recipe);
    }
}

#[test]
fn recipe_of_a_renamed_rule_or_another_file_is_refused_by_name() {
    let made = Forge::new(1).broken(ndbytes::rules().find(|rule| rule.id == "idx/trailing-bytes").unwrap()).unwrap();
    let text = made.recipe.to_string();
    let renamed = text.replace("idx/trailing-bytes", "idx/bytes-after");
    assert!(renamed.parse::<Recipe>().unwrap_err().to_string().contains("\"idx/bytes-after\""));
    let mutant = Forge::new(1).mutate(&made.bytes, &Mutation::default());
    let refused = mutant.recipe.replay(Some(b"another file")).unwrap_err().to_string();
    assert!(refused.contains("is not the original of the recipe"), "{refused}");
    let refused = mutant.recipe.replay(None).unwrap_err().to_string();
    assert!(refused.contains("name it with `--from`"), "{refused}");
}
