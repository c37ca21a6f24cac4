//! Properties of every mutant, whatever the bytes.

use super::formats::{Shelf, Shelves, Zone, shelf, zone};
use crate::declared::bmp::Bmp;
use crate::declared::truetype::Font;
use crate::declared::wav::Wav;
use everybyte::diff::Pattern;
use everybyte::forge::{Choices, Grammar, Mutation, Of, Recipe, Repair, Session, Trimming, replay};
use everybyte::{Format, check, fuzzing};

const REPAIRS: [Repair; 4] = [Repair::Everything, Repair::Nothing, Repair::AllBut(2), Repair::AllBut(16)];

/// Returns a file for a grammar: a valid file or random bytes.
fn files(good: &[Vec<u8>], choices: &mut Choices<'_>) -> Vec<u8> {
    let mut file = good[choices.index(good.len())].clone();
    match choices.below(4) {
        0 => file.truncate(choices.index(file.len() + 1)),
        1 => {
            let at = choices.index(file.len());
            file[at] = choices.below(256) as u8;
        }
        2 => {
            let head = choices.index(20);
            file.truncate(head);
            let more = choices.index(80);
            file.extend(choices.bytes(more));
        }
        _ => {}
    }
    file
}

/// Mutants of many files keep the promises: they replay, they are not too long, and they are not empty.
pub fn keep_the_promises<G: Grammar>(grammar: &G, good: &[Vec<u8>], rounds: u64) {
    let mut session = Session::new(grammar);
    for seed in 0..rounds {
        let mut choices = Choices::seeded(seed);
        let file = files(good, &mut choices);
        let max_len = if choices.one_in(8) { 1 + choices.index(60) } else { 4096 };
        let only = choices.one_in(8).then(|| Pattern::new("**.length").unwrap());
        let plain = (seed % 5 == 0).then_some(reversed as everybyte::forge::Plain);
        let how = Mutation { count: 1..=3, repair: *choices.pick(&REPAIRS), max_len, only, plain };
        let mutant = match choices.one_in(4) {
            true => {
                let other = files(good, &mut choices);
                session.cross([&file, &other], &how, &mut choices)
            }
            false => session.mutate(&file, &how, &mut choices),
        };
        assert!(mutant.bytes.len() <= max_len, "seed {seed}");
        assert!(!mutant.bytes.is_empty() || file.is_empty(), "seed {seed}");
        let text = mutant.recipe.to_string();
        let recipe: Recipe = text.parse().unwrap_or_else(|error| panic!("seed {seed}: {error}\n{text}"));
        assert_eq!(recipe.to_string(), text, "seed {seed}");
        match replay(grammar, &file, &recipe) {
            Ok(bytes) => assert_eq!(bytes, mutant.bytes, "seed {seed}\n{text}"),
            Err(error) => panic!("seed {seed}: {error}\n{text}"),
        }
    }
}

fn reversed(buffer: &mut [u8], used: usize, most: usize) -> usize {
    buffer[..used].reverse();
    (used + 1).min(most)
}

fn sound() -> Vec<u8> {
    let mut file = b"RIFF\x36\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x80\x3e\0\0\x02\0\x10\0".to_vec();
    file.extend(b"data\x08\0\0\0\0\0\x10\0\x20\0\x10\0note\x01\0\0\0a\0");
    file
}

fn picture() -> Vec<u8> {
    let mut file = b"BM\x4e\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0\x03\0\0\0\x02\0\0\0\x01\0\x18\0".to_vec();
    file.extend([0; 24]);
    file.extend([0xFF; 24]);
    file
}

fn font() -> Vec<u8> {
    let mut file = b"OTTO\0\x02\0\x20\0\x01\0\0".to_vec();
    file.extend(b"maxp\0\x05\x50\0\0\0\0\x2c\0\0\0\x06test\x01\x02\x03\0\0\0\0\x34\0\0\0\x03");
    file.extend(b"\0\0\x50\0\0\x05\0\0\x01\x02\x03\0");
    file
}

#[test]
fn mutants_of_shelves_keep_the_promises() {
    keep_the_promises(&Shelves::new(), &[shelf()], 3000);
}

#[test]
fn mutants_of_known_formats_keep_the_promises() {
    keep_the_promises(&Of::<Wav>::new(), &[sound()], 1500);
    keep_the_promises(&Of::<Bmp>::new(), &[picture()], 1500);
    keep_the_promises(&Of::<Font>::new(), &[font()], 1500);
    assert_eq!(check::<Zone>(&zone()), []);
    keep_the_promises(&Of::<Zone>::new(), &[zone()], 1500);
}

/// For mutants of a file, checks report the findings of explanations, and maps cover every byte.
fn are_checked_as_they_are_explained<F: Format>(good: &[u8], rounds: u64) {
    let grammar = Of::<F>::new();
    let mut session = Session::new(&grammar);
    for seed in 0..rounds {
        let how = Mutation { repair: REPAIRS[seed as usize % REPAIRS.len()], ..Mutation::default() };
        let mutant = session.mutate(good, &how, &mut Choices::seeded(seed));
        fuzzing::bytes::<F>(&mutant.bytes);
    }
}

#[test]
fn mutants_are_checked_as_they_are_explained() {
    are_checked_as_they_are_explained::<Shelf>(&shelf(), 1000);
    are_checked_as_they_are_explained::<Wav>(&sound(), 1000);
    are_checked_as_they_are_explained::<Bmp>(&picture(), 1000);
    are_checked_as_they_are_explained::<Font>(&font(), 1000);
    are_checked_as_they_are_explained::<Zone>(&zone(), 1000);
}

#[test]
fn nothing_has_mutants_of_plain_bytes() {
    let mutant = Session::new(&Shelves::new()).mutate(&[], &Mutation::default(), &mut Choices::seeded(1));
    assert_eq!(replay(&Shelves::new(), &[], &mutant.recipe), Ok(mutant.bytes));
}

#[test]
fn most_mutants_are_whole_where_everything_is_mended() {
    let grammar = Shelves::new();
    let mut session = Session::new(&grammar);
    let how = Mutation { repair: Repair::Everything, ..Mutation::default() };
    let is_whole = |seed: &u64| {
        let mutant = session.mutate(&shelf(), &how, &mut Choices::seeded(*seed));
        mutant.bytes != shelf() && check::<Shelf>(&mutant.bytes).is_empty()
    };
    let whole = (0..1000).filter(is_whole).count();
    assert!(whole >= 800, "{whole} of 1000");
}

#[test]
fn named_fields_alone_are_changed() {
    let grammar = Of::<Shelf>::new();
    let only = Some(Pattern::new("books[*].pages").unwrap());
    let how = Mutation { only, repair: Repair::Nothing, ..Mutation::default() };
    for seed in 0..200 {
        let mutant = Session::new(&grammar).mutate(&shelf(), &how, &mut Choices::seeded(seed));
        let steps = mutant.recipe.to_string();
        assert!(steps.lines().skip(1).all(|step| step.contains(".pages")), "{steps}");
    }
}

#[test]
fn a_file_is_trimmed_to_what_matters() {
    let grammar = Shelves::new();
    let mut session = Session::new(&grammar);
    let mut trimming = Trimming::new(&shelf());
    while let Some(candidate) = trimming.candidate(&mut session) {
        assert_eq!(check::<Shelf>(&candidate), []);
        if candidate.windows(4).any(|window| window == b"Emma") {
            trimming.keep(candidate);
        }
    }
    let least = trimming.file();
    assert_eq!((least[13], least.len()), (1, shelf().len() - 10 - 8));
    assert_eq!(trimming.left(&mut session), 0);
}

#[test]
fn mutants_of_ended_choices_keep_the_promises() {
    let grammar = Shelves::new();
    for length in 0..64 {
        let bytes = Choices::seeded(length).bytes(length as usize);
        let mutant = Session::new(&grammar).mutate(&shelf(), &Mutation::default(), &mut Choices::of_bytes(&bytes));
        assert_eq!(replay(&grammar, &shelf(), &mutant.recipe), Ok(mutant.bytes));
    }
}
