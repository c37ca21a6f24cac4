//! Mutants: how many are accepted and have another structure, their bounds, and their recipes.

use crate::support::{findings_of_errors, project};
use ndbytes::everybyte::{Role, Value, diff::Pattern};
use ndbytes::forge::{Forge, Kind, Mutation, Recipe, Repair};
use ndbytes::{Checker, Input, Limits};
use std::collections::BTreeSet;
use std::fs;

/// The mutants of each kind that are measured.
const MEASURED: u64 = 1_000;

/// The good files of a kind in the corpus.
fn good(kind: Kind) -> Vec<Vec<u8>> {
    let folder = project().join("tests/corpus").join(if kind == Kind::Gzip { "idx" } else { kind.name() }).join("ok");
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> =
        files.filter(|path| path.is_file() && path.extension().is_none_or(|end| end != "recipe")).collect();
    files.sort();
    let bytes = files.iter().map(|path| fs::read(path).unwrap());
    bytes.filter(|bytes| Kind::of(bytes) == Some(kind) && findings_of_errors(bytes).is_empty()).collect()
}

/// The fields of a file with their values, without values of the array or the table, and without bytes that mean nothing.
fn structure(file: &[u8]) -> BTreeSet<String> {
    let input = Input::from_slice(file, Limits::default());
    let map = Checker::new().byte_map(input).unwrap();
    let spans = map.spans().into_iter().filter(|span| span.space == 0);
    let is_structure = |value: &Value| !matches!(value, Value::None | Value::Bytes(..));
    spans
        .filter(|span| is_structure(&span.node.value) && span.node.role != Some(Role::Payload))
        .map(|span| format!("{} {}", span.path, span.node.value))
        .collect()
}

/// The percentage of mutants that are accepted and have another structure than their seed.
fn share(kind: Kind) -> u64 {
    let seeds = good(kind);
    assert!(!seeds.is_empty(), "the corpus has no good file of {kind}");
    let structures: Vec<_> = seeds.iter().map(|seed| structure(seed)).collect();
    let how = Mutation { repair: Repair::Everything, ..Mutation::default() };
    let mut forge = Forge::new(1);
    let mut counted = 0;
    for number in 0..MEASURED {
        let place = number as usize % seeds.len();
        let mutant = forge.mutate(&seeds[place], &how).bytes;
        let is_accepted = findings_of_errors(&mutant).is_empty();
        counted += u64::from(is_accepted && structure(&mutant) != structures[place]);
    }
    counted * 100 / MEASURED
}

fn assert_share(kind: Kind, least: u64) {
    let share = share(kind);
    println!("{kind}: {share} % of {MEASURED} mutants are accepted and have another structure");
    assert!(share >= least, "{kind}: {share} %, and not {least} %");
}

#[test]
fn mutants_of_idx_are_accepted_with_another_structure() {
    assert_share(Kind::Idx, 60);
}

#[test]
fn mutants_of_rawarray_are_accepted_with_another_structure() {
    assert_share(Kind::RawArray, 60);
}

#[test]
fn mutants_of_idv_are_accepted_with_another_structure() {
    assert_share(Kind::Idv, 50);
}

#[test]
fn mutants_of_b2nd_are_accepted_with_another_structure() {
    assert_share(Kind::B2nd, 65);
}

#[test]
fn mutants_of_npy_are_accepted_with_another_structure() {
    assert_share(Kind::Npy, 45);
}

#[test]
fn mutants_of_gzip_are_accepted_with_another_structure() {
    assert_share(Kind::Gzip, 45);
}

#[test]
fn mutants_of_zip_are_accepted_with_another_structure() {
    assert_share(Kind::Zip, 45);
}

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
fn mutants_of_broken_files_of_the_corpus_are_repeated_by_their_recipes() {
    let mut forge = Forge::new(9);
    for kind in ["idx", "rawarray", "idv", "b2nd", "npy", "zip"] {
        for entry in fs::read_dir(project().join("tests/corpus").join(kind).join("bad")).unwrap() {
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
        let mutant = forge.mutate(&file, &how).bytes;
        assert_eq!((&mutant[..2], &mutant[3..]), (&file[..2], &file[3..]));
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
    assert!(refused.contains("is not the one that the recipe begins with"), "{refused}");
    let refused = mutant.recipe.replay(None).unwrap_err().to_string();
    assert!(refused.contains("was not given"), "{refused}");
}
