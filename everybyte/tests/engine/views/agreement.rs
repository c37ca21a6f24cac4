//! Views and readers agree on valid files, on every truncation and on every changed byte.

use super::layouts::{Archive, Flagged, Frames, Names, Pack, Point, Shelf, Tables, Tree};
use binrw::BinRead;
use everybyte::view::agreement;
use everybyte::{Endian, Source, read, view::Viewed};

pub const POINT: &[u8] = b"\x01\0\x02\0\0\0\x80\x3f\x03\x04\x05\x01\x09";

/// A shelf, in parts.
pub const SHELF: &[&[u8]] =
    &[b"SHLF\x03\x02\0\0", POINT, POINT, b"\x04Zoll\0\0\0\x09\x02\x03redA\0", b"\x00Bo\0\x01\xa4\x7f"];

/// Compares the view of a file with its reader in both byte orders.
fn agree<T>(file: &[u8])
where
    T: Viewed<Args = ()> + for<'a> BinRead<Args<'a> = ()>,
{
    agree_within::<T>(file, &[Endian::Little, Endian::Big], 12);
}

/// Compares the view of a file with its reader: for the file, for each truncation of it, and for this many other values of each
/// byte.
pub fn agree_within<T>(file: &[u8], orders: &[Endian], values: usize)
where
    T: Viewed<Args = ()> + for<'a> BinRead<Args<'a> = ()>,
{
    let read = |bytes: &[u8], endian| read::<T>(Source::new(bytes), endian, ());
    assert_eq!(read(file, orders[0]).err(), None);
    let mut failed = 0;
    let mut check = |bytes: &[u8]| {
        for &endian in orders {
            agreement::<T>(bytes, endian).unwrap_or_else(|error| panic!("{error}\n{bytes:x?}"));
            failed += usize::from(read(bytes, endian).is_err());
        }
    };
    check(file);
    (0..file.len()).for_each(|length| check(&file[..length]));
    for place in 0..file.len() {
        let bits = (0..8).rev().map(|bit| file[place] ^ (1 << bit));
        for other in [0xff, 0].into_iter().chain(bits).chain([0x7f, 0x80]).take(values) {
            let mut bytes = file.to_vec();
            bytes[place] = other;
            check(&bytes);
            check(&bytes[..bytes.len() - 1]);
        }
    }
    assert!(failed > 0, "all files can be read");
}

#[test]
fn views_agree_with_readers_on_fixed_structures() {
    agree::<Point>(POINT);
}

#[test]
fn views_agree_with_readers_on_counted_lists_and_texts() {
    agree::<Shelf>(&SHELF.concat());
}

#[test]
fn views_agree_with_readers_on_conditional_fields() {
    for flags in [0_u8, 1, 2, 3, 4, 5, 6, 7] {
        let mut file = vec![flags | 0x20];
        file.extend(vec![1; usize::from(flags & 1) * 4 + usize::from(flags & 2) * 2]);
        file.extend(if flags & 4 == 4 { POINT } else { &[] });
        file.push(9);
        agree::<Flagged>(&file);
    }
}

#[test]
fn views_agree_with_readers_on_fields_of_any_names() {
    agree::<Names>(b"\0\x01\0\x01\0\x01abcdef");
}

#[test]
fn views_agree_with_readers_on_kinds_of_bytes() {
    agree::<Archive>(b"  5helloCH  a\0bcfile\0\0\0no!\x01\0\x02\0\x03\0\x04\0tailand more");
}

#[test]
fn views_agree_with_readers_on_choices_of_stated_sizes() {
    agree::<Frames>(b"FR\0\0\0\x01\0\x06\0\x01\0\x02ab\x02\0\x08\0\x01\0\x02\0\x03\0\x04\xff\0\x02hi\x09\0\x0c\x0a\x02abc\0\0\x01rA\0z");
}

#[test]
fn views_agree_with_readers_on_structures_at_offsets() {
    let file = [&b"\x06\x02\x20\x21\x06\0"[..], POINT, POINT, b"\x02abA\0\0end\0"].concat();
    agree::<Tables>(&file);
}

#[test]
fn views_agree_with_readers_on_structures_in_themselves() {
    agree::<Tree>(&[3, 1, 0, 2, 3, 0, 0]);
    // Around the maximum depth of a reader, and far beyond it.
    for levels in [63, 64, 65, 66, 100_000] {
        let mut bytes = vec![1; levels];
        bytes.push(0);
        agreement_of_deep::<Tree>(&bytes);
    }
}

#[test]
fn views_agree_with_readers_on_offsets_that_lead_back() {
    agree::<Pack>(&[1, 2, 3, 0]);
    agreement_of_deep::<Pack>(&[0]);
}

fn agreement_of_deep<T>(bytes: &[u8])
where
    T: Viewed<Args = ()> + for<'a> BinRead<Args<'a> = ()>,
{
    agreement::<T>(bytes, Endian::Little).unwrap_or_else(|error| panic!("{error}"));
}
