//! Fields set to other values: consequences and refusals.

use crate::declared::elf::Elf;
use crate::declared::png::Png;
use crate::declared::wav::Wav;
use crate::examples::{all, frozen};
use everybyte::forge::Repair;
use everybyte::sums::crc32;
use everybyte::{check, explain, forge::edit, map::Value};

/// Returns the frozen picture with a text chunk before its last chunk.
fn picture() -> Vec<u8> {
    let mut file = frozen("png");
    let chunk = b"tEXtTitle\0Rose";
    let mut text = 10_u32.to_be_bytes().to_vec();
    text.extend(chunk);
    text.extend(crc32(chunk).to_be_bytes());
    let end = file.len() - 12;
    file.splice(end..end, text);
    assert_eq!(check::<Png>(&file), []);
    file
}

fn refused(path: &str, value: &str) -> String {
    let editor = edit::<Png>(picture());
    editor.set(path, value).and_then(everybyte::forge::Editor::write).unwrap_err().to_string()
}

/// Returns the path of the text of the picture.
fn text() -> String {
    let spans = explain::<Png>(&picture());
    let found =
        everybyte::map::spans(&spans.spaces).into_iter().find(|span| span.node.value().to_string() == "\"Rose\"");
    found.expect("the picture has a text").path
}

#[test]
fn the_length_and_the_sum_of_a_picture_follow_a_longer_text() {
    let made = edit::<Png>(picture()).set(&text(), "A rose is a rose").unwrap().write().unwrap();
    assert_eq!(made.len(), picture().len() + 12);
    assert!(made.windows(28).any(|bytes| bytes == b"\0\0\0\x16tEXtTitle\0A rose is a ro"));
    assert_eq!(check::<Png>(&made), []);
}

#[test]
fn a_choice_is_set_by_the_name_of_its_constant_or_of_its_meaning() {
    let file = frozen("elf");
    for name in ["AARCH64", "aarch64", "183"] {
        let made = edit::<Elf>(&file[..]).set("machine", name).unwrap().write().unwrap();
        assert_eq!((&made[18..20], made.len()), (&[183, 0][..], file.len()), "{name}");
    }
    let message = refused("header.body.colour", "mauve");
    assert!(
        message.starts_with("`header.body.colour` takes a number, such as 12 or 0xff, or one of GREY, RGB"),
        "{message}"
    );
}

#[test]
fn values_that_a_field_does_not_take_are_refused_by_name_and_range() {
    let range = ": it takes 0 to 4294967295";
    assert_eq!(
        refused("header.body.width", "4294967296"),
        format!("`header.body.width` has no room for 4294967296{range}")
    );
    assert_eq!(refused("header.body.width", "-1"), format!("`header.body.width` has no room for -1{range}"));
    assert_eq!(refused("header.body.width", "1.5"), "`header.body.width` has no room for 1.5: it takes whole numbers");
    assert_eq!(
        refused("header.body.width", "wide"),
        "`header.body.width` takes a number, such as 12 or 0xff; `wide` is not one"
    );
    for value in ["x\"00\"", "\"1\"", "", "340282366920938463463374607431768211456"] {
        assert!(refused("header.body.width", value).contains("`header.body.width`"), "{value}");
    }
    assert_eq!(refused("header.wide", "1"), "the file has no field `header.wide`; `explain` lists its fields");
    assert_eq!(
        refused("header.body", "1"),
        "`header.body` is a structure: set its fields, such as `header.body.width`"
    );
    let snow = refused(&text(), "\u{2603}");
    assert!(snow.contains("another encoding takes bytes"), "{snow}");
    let made = edit::<Png>(picture()).set(&text(), "x\"52e9\"").unwrap().write().unwrap();
    assert!(made.windows(8).any(|bytes| bytes == b"Title\0R\xE9"));
}

#[test]
fn what_breaks_a_rule_or_does_not_stay_is_refused_as_a_whole() {
    for (path, value, message) in [
        ("header.body.width", "0", "the file would be broken: png/size: header.body.width: "),
        ("header.crc", "1", "the file would be broken: checksum: header.crc: "),
        ("header.kind.magic", "IHDX", "the file would be broken: wrong-magic"),
    ] {
        let refused = refused(path, value);
        assert!(refused.starts_with(message), "{refused}");
    }
}

#[test]
fn a_file_that_was_broken_is_edited_and_fixed() {
    let mut broken = picture();
    let last = broken.len() - 1;
    broken[last] ^= 1;
    assert_eq!(check::<Png>(&broken).len(), 1);
    let edited = edit::<Png>(&broken[..]).set(&text(), "Tulip").unwrap().write().unwrap();
    assert!(check::<Png>(&edited).len() <= 1);
    assert_eq!(edit::<Png>(broken).fix().write().unwrap(), picture());
}

#[test]
fn bytes_that_are_no_file_of_the_format_are_refused() {
    for file in [&b""[..], b"\x89PNG", &[0xFF; 99]] {
        assert!(edit::<Png>(file).set("header.body.width", "1").is_err());
        assert!(
            edit::<Wav>(file).fix().write().is_ok_and(|made| check::<Wav>(&made).len() <= check::<Wav>(file).len())
        );
    }
}

#[test]
fn a_broken_file_that_is_edited_has_no_more_findings_and_panics_nowhere() {
    let mut edits = 0;
    for format in all() {
        let file = frozen(format.name);
        for seed in 1..=6 {
            let mutant = (format.mutant)(&file, Repair::Nothing, seed);
            let mut values: Vec<_> = (format.values)(&mutant).into_iter().collect();
            values.sort_by(|one, other| one.0.cmp(&other.0));
            let step = values.len().div_ceil(6).max(1);
            for (place, (path, _)) in values.iter().enumerate().skip(seed as usize % step).step_by(step) {
                let value = ["1", "-1", "x\"ffff\"", ""][place % 4];
                let Some(made) = (format.edited)(&mutant, path, value) else { continue };
                let [before, after] = [&mutant, &made].map(|file| (format.findings)(file));
                assert!(after <= before, "{} {seed} {path}={value}: {before} {after}", format.name);
                edits += 1;
            }
            let fixed = (format.fixed)(&mutant).map_or(0, |fixed| (format.findings)(&fixed));
            assert!(fixed <= (format.findings)(&mutant), "{} {seed}", format.name);
        }
    }
    assert!(edits > 20, "{edits}");
}

fn number(value: &Value) -> Option<i128> {
    match value {
        Value::Uint(number) => i128::try_from(*number).ok(),
        Value::Int(number) => Some(*number),
        _ => None,
    }
}

#[test]
fn each_number_of_the_examples_set_to_another_value_leaves_a_clean_file_or_is_refused() {
    let (mut set, mut refused) = (0, 0);
    for format in all() {
        let file = frozen(format.name);
        let mut values: Vec<_> = (format.values)(&file).into_iter().collect();
        values.sort_by(|one, other| one.0.cmp(&other.0));
        let (mut clean, mut numbers) = (0, 0);
        for (path, value) in values {
            let Some(number) = number(&value) else { continue };
            numbers += 1;
            let mut others = [number + 1, number - 1].into_iter();
            let made = others.find_map(|other| Some(((format.edited)(&file, &path, &other.to_string())?, other)));
            let Some((made, other)) = made else { continue };
            assert_eq!((format.broken)(&made), None, "{} {path}", format.name);
            assert_eq!((format.values)(&made).get(&path).and_then(self::number), Some(other), "{} {path}", format.name);
            clean += 1;
        }
        println!("{}: {clean} of {numbers} numbers set, the others refused", format.name);
        set += clean;
        refused += numbers - clean;
    }
    println!("{set} numbers set, {refused} refused");
    assert!(set > refused && refused > 0, "{set} {refused}");
}
