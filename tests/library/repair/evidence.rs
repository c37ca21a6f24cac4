//! Repairs that the bytes of a file prove to be correct, and repairs that they do not.

use super::limits;
use ndbytes::repair::{Options, Repair, repair};
use ndbytes::{Checker, Verdict};

fn attempt(bytes: &[u8]) -> Repair<'_> {
    repair(bytes, &Options::new().limits(limits())).unwrap()
}

/// Returns the reason why nothing is repaired without an option.
fn reason(bytes: &[u8]) -> String {
    let repair = attempt(bytes);
    assert!(repair.steps.is_empty() && !repair.is_sound(), "{:?}", repair.steps);
    repair.refused.map(|refused| refused.reason).unwrap_or_default()
}

fn help(bytes: &[u8]) -> String {
    let report = Checker::new().check_slice(bytes).unwrap();
    assert_eq!(report.verdict(), Verdict::Error);
    report.findings().iter().find_map(|finding| finding.help.clone()).unwrap_or_default()
}

/// Images of 4 × 3 bytes with every kind of byte that text programs change.
fn images() -> Vec<u8> {
    let pixels = (0..36_u8).map(|place| [7, 10, 200, 13, 10, 26][usize::from(place) % 6].max(place));
    [&[0, 0, 8, 3, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0, 3][..], &pixels.collect::<Vec<u8>>()].concat()
}

fn npy(header: &str, payload: &[u8]) -> Vec<u8> {
    let mut text = header.to_owned();
    text += &" ".repeat(63 - (10 + text.len()) % 64);
    text.push('\n');
    [&b"\x93NUMPY\x01\0"[..], &(text.len() as u16).to_le_bytes(), text.as_bytes(), payload].concat()
}

fn array(shape: &str, values: std::ops::Range<i32>) -> Vec<u8> {
    let payload: Vec<u8> = values.flat_map(i32::to_le_bytes).collect();
    npy(&format!("{{'descr': '<i4', 'fortran_order': False, 'shape': {shape}, }}"), &payload)
}

fn with_line_ends(bytes: &[u8]) -> Vec<u8> {
    bytes.iter().flat_map(|&byte| if byte == b'\n' { vec![b'\r', b'\n'] } else { vec![byte] }).collect()
}

fn as_text(bytes: &[u8]) -> Vec<u8> {
    bytes.iter().map(|&byte| char::from(byte)).collect::<String>().into_bytes()
}

#[test]
fn line_ends_that_were_translated_are_put_back_exactly() {
    for whole in [images(), array("(4, 3)", 0..12)] {
        let damaged = with_line_ends(&whole);
        assert!(damaged.len() > whole.len());
        assert!(help(&damaged).starts_with("every byte 0a follows a 0d"), "{}", help(&damaged));
        let repair = attempt(&damaged);
        assert_eq!((repair.bytes(), repair.steps.len()), (&whole[..], 1));
        assert!(repair.steps[0].done.starts_with("every 0d 0a becomes 0a again"), "{}", repair.steps[0].done);
        assert_eq!(repair.steps[0].given_up, None);
    }
}

#[test]
fn line_ends_that_were_translated_in_a_file_that_is_cut_are_refused() {
    let damaged = with_line_ends(&images());
    assert!(reason(&damaged[..damaged.len() - 2]).starts_with("every byte 0a follows a 0d"));
    // There is one byte more than line ends, so the lengths prove nothing.
    assert!(reason(&[&damaged[..], b"\r\n"].concat()).starts_with("every byte 0a follows a 0d"));
}

#[test]
fn line_ends_that_were_lost_are_refused() {
    let whole = array("(3, 4)", 2570..2582);
    let at = whole.windows(2).position(|pair| pair == b"\r\n").unwrap();
    let lost = [&whole[..at], &whole[at + 1..]].concat();
    assert!(reason(&lost).starts_with("no byte 0a stands after a 0d"), "{}", reason(&lost));
    let mut idx = images();
    let places: Vec<usize> = (1..idx.len()).filter(|&at| idx[at - 1..=at] == *b"\r\n").collect();
    assert!(!places.is_empty());
    for at in places.into_iter().rev() {
        idx.remove(at - 1);
    }
    assert!(reason(&idx).starts_with("no byte 0a stands after a 0d"), "{}", reason(&idx));
}

#[test]
fn content_that_was_saved_as_text_is_restored_where_no_letter_was_lost() {
    for whole in [images(), array("(4, 3)", 120..132)] {
        for damaged in [as_text(&whole), with_line_ends(&as_text(&whole)), as_text(&with_line_ends(&whole))] {
            assert!(help(&damaged).contains("saved as text"), "{}", help(&damaged));
            assert!(!help(&damaged).contains("lossy"), "{}", help(&damaged));
            assert_eq!(attempt(&damaged).bytes(), whole);
        }
        let lossy = String::from_utf8_lossy(&whole).into_owned().into_bytes();
        assert!(help(&lossy).contains("which is lossy"), "{}", help(&lossy));
        let repair = attempt(&lossy);
        assert!(repair.steps.is_empty() && !repair.is_sound());
    }
}

#[test]
fn base64_and_byte_order_mark_around_a_file_are_taken_away() {
    let marked = [b"\xef\xbb\xbf", &array("(4, 3)", 0..12)[..]].concat();
    assert!(help(&marked).starts_with("the file begins with a byte order mark"), "{}", help(&marked));
    assert_eq!(attempt(&marked).bytes(), array("(4, 3)", 0..12));
    let encoded = b"k05VTVBZAQB2AHsnZGVzY3InOiAnfHUxJywgJ2ZvcnRyYW5fb3JkZXInOiBGYWxzZSwgJ3NoYXBl\r\n\
                    JzogKDIsKSwgfSAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAg\r\n\
                    ICAgICAgICAgICAgIAoHCA==\r\n";
    let whole = npy("{'descr': '|u1', 'fortran_order': False, 'shape': (2,), }", &[7, 8]);
    assert!(help(encoded).starts_with("the content is base64"), "{}", help(encoded));
    assert_eq!(attempt(encoded).bytes(), whole);
}

#[test]
fn what_mail_servers_and_text_programs_put_around_a_file_is_taken_away() {
    let whole = npy("{'descr': '|u1', 'fortran_order': False, 'shape': (3,), }", &[7, 10, 0xE9]);
    let escaped = |byte: &u8| match byte {
        b'=' | 0..=b' ' | 0x7F.. => format!("={byte:02X}"),
        letter => char::from(*letter).to_string(),
    };
    let lines: Vec<String> = whole.chunks(20).map(|line| line.iter().map(escaped).collect()).collect();
    let quoted = lines.join("=\r\n").into_bytes();
    assert!(help(&quoted).starts_with("the content is quoted-printable"), "{}", help(&quoted));
    assert_eq!(attempt(&quoted).bytes(), whole);
    let answer = [&b"HTTP/1.1 200 OK\r\ncontent-type: application/octet-stream\r\n\r\n"[..], &whole].concat();
    assert!(help(&answer).starts_with("an HTTP header precedes the content"), "{}", help(&answer));
    assert_eq!(attempt(&answer).bytes(), whole);
    for damaged in [[&whole[..], b"\x1a"].concat(), [&with_line_ends(&whole)[..], b"\x1a"].concat()] {
        assert_eq!(attempt(&damaged).bytes(), whole);
    }
}

#[test]
fn file_that_ends_before_its_first_1a_may_have_been_read_as_text() {
    let payload: Vec<u8> = (0..=255_u8).filter(|&byte| byte != 0x1A).chain([13, 10, 10]).collect();
    let cut = npy("{'descr': '|u1', 'fortran_order': False, 'shape': (999,), }", &payload);
    assert!(help(&cut).starts_with("every byte but 1a occurs"), "{}", help(&cut));
    assert!(reason(&cut).starts_with("every byte but 1a occurs"));
}

#[test]
fn rows_that_were_appended_are_counted() {
    let appended = array("(2, 3)", 0..12);
    assert_eq!(help(&appended), "as (4, 3) the file fits exactly");
    let repair = attempt(&appended);
    assert_eq!(repair.steps[0].done, "the length of axis 0 is 4 instead of 2: as (4, 3) the file fits exactly");
    assert_eq!(repair.bytes(), array("(4, 3)", 0..12));
}

#[test]
fn count_that_was_never_written_is_written() {
    let header = |rows| format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({rows}, 4), }}");
    let payload: Vec<u8> = (0..40_u8).flat_map(|value| f32::from(value).to_le_bytes()).collect();
    assert_eq!(attempt(&npy(&header(0), &payload)).bytes(), npy(&header(10), &payload));
    let labels = |count| [&[0, 0, 8, 1, 0, 0, 0, count][..], &[5, 6, 7]].concat();
    assert_eq!(attempt(&labels(0)).bytes(), labels(3));
}

#[test]
fn type_by_which_the_file_fits_exactly_is_named_and_nothing_is_changed() {
    let mut images = images();
    images[2] = 0x0D;
    let fits = "as ubyte the file fits exactly as 3 × 4 × 3, and so it does as byte";
    assert!(help(&images).starts_with(fits), "{}", help(&images));
    assert_eq!(reason(&images), fits);
    let floats: Vec<u8> = (0..6_u8).flat_map(|value| f64::from(value).to_le_bytes()).collect();
    let text = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";
    let fits = "with items of 8 bytes the file fits exactly as (2, 3): the type or the shape is wrong";
    assert_eq!(reason(&npy(text, &floats)), fits);
}

#[test]
fn bytes_after_the_last_item_are_dropped_on_request_alone() {
    let one = array("(2, 3)", 0..6);
    let two = [&one[..], &one].concat();
    assert!(help(&two).starts_with("2 arrays were saved to this file"), "{}", help(&two));
    let cut =
        "what follows the first array, whose successor has the address `FILE!1`, is removed, which drops 152 bytes";
    assert_eq!(reason(&two), cut);
    let options = Options::new().limits(limits()).dropping(true);
    assert_eq!(repair(&two, &options).unwrap().bytes(), one);
    // If there is less than a row, it is the beginning of a row.
    assert_eq!(attempt(&[&one[..], b"\0\0\0"].concat()).bytes(), one);
}

#[test]
fn size_and_dimensions_that_contradict_each_other_are_judged_by_the_end_of_the_file() {
    let ra = |size: u64, elbyte: u64, dims: [u64; 2], bytes: u8| {
        let numbers = [0, 2, elbyte, size, 2, dims[0], dims[1]].map(u64::to_le_bytes).concat();
        [&b"rawarray"[..], &numbers, &(0..bytes).collect::<Vec<u8>>()].concat()
    };
    let whole = ra(10, 1, [5, 2], 10);
    assert_eq!(attempt(&ra(11, 1, [5, 2], 10)).bytes(), whole);
    assert_eq!(attempt(&ra(10, 1, [5, 3], 10)).bytes(), whole);
    // Bytes after the elements may be garbage or the author's.
    for contradictory in [ra(9, 1, [5, 2], 10), ra(11, 1, [5, 2], 11), ra(9, 1, [5, 2], 11)] {
        assert!(reason(&contradictory).starts_with("the end of the file does not show"));
    }
    let wide = reason(&ra(10, 2, [5, 2], 10));
    assert!(wide.starts_with("with elements of 1 byte the file fits exactly"), "{wide}");
}
