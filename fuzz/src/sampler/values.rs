//! Text and number fields that are made from texts and numbers.

use super::Pages;
use super::sums::Sealed;
use crate::layout::read_in_every_way;
use binrw::{BinWrite, VecArgs, args};
use everybyte::{
    Endian, Source,
    bytes::{Align, Bytes, Region, Rest},
    list::{Elements, Numbers},
    number::{Decimal, Hex, I24, I48, Number, U24, U48},
    read,
    text::{Ascii, Encoding, Json, Latin1, NulString, Padded, Padding, Text, TextError, Utf16Be},
    varint::Leb128,
    write,
};
use std::io::Cursor;

/// The maximum number of characters in a generated text.
const LETTERS: usize = 40;

/// Asserts that a field made from a text or a number has the same value, or is refused with a sentence.
pub fn examine(bytes: &[u8]) {
    let text: String = String::from_utf8_lossy(bytes).chars().take(LETTERS).collect();
    says(Ok(Text::from(&*text)), &text);
    says(Text::<Ascii>::try_from(&*text), &text);
    says(Text::<Latin1>::try_from(&*text), &text);
    says(Text::<Utf16Be>::new(&text), &text);
    says(Text::<Json>::new(&text), &text);
    says(Text::<Latin1, Padded<8, b' '>>::try_from(&*text), text.trim_end_matches(' '));
    let number = bytes.first_chunk().copied().map_or(bytes.len() as u64, u64::from_le_bytes);
    // This covers numbers of any length.
    examine_number(number >> (bytes.len() % 64));
    examine_alone(bytes);
    examine_refused(bytes);
}

/// Asserts that a type of everybyte, read on its own, is displayed as documented, and is the same however it is read.
fn examine_alone(bytes: &[u8]) {
    let Some((&first, bytes)) = bytes.split_first() else { return };
    let (source, length) = (Source::new(bytes), u64::from(first));
    let order = if first % 2 == 0 { Endian::Little } else { Endian::Big };
    let counted = VecArgs { count: usize::from(first), inner: () };
    let _ = read_in_every_way::<Text>(source, order, counted.clone());
    let _ = read_in_every_way::<Text<Json>>(source, order, counted);
    let _ = read_in_every_way::<Bytes>(source, order, args! { length });
    let _ = read_in_every_way::<Region>(source, order, args! { length });
    let _ = read_in_every_way::<Rest>(source, order, ());
    let _ = read_in_every_way::<Rest>(source.at(bytes.len() as u64), order, ());
    let _ = read_in_every_way::<NulString>(source, order, ());
    let _ = read_in_every_way::<Elements<U24>>(source, order, args! { count: length });
    let _ = read_in_every_way::<Numbers>(source, order, args! { number: Number::I32, count: length });
    let _ = read_in_every_way::<U48>(source, order, ());
    let place = source.at(length % 8);
    if let Ok(padding) = read_in_every_way::<Align<8, b' '>>(place, order, args! {}) {
        let needed = padding_bytes(bytes, place.position());
        assert_eq!(padding.other_bytes(), Some(needed).filter(|bytes| bytes.iter().any(|&byte| byte != b' ')));
    }
}

/// The bytes from an offset up to the next multiple of eight.
fn padding_bytes(bytes: &[u8], place: u64) -> &[u8] {
    &bytes[place as usize..place.next_multiple_of(8) as usize]
}

/// Asserts that a value without the bytes of a checksum, or without the position of a structure, is refused with a sentence.
fn examine_refused(bytes: &[u8]) {
    if let Ok(sealed) = read::<Sealed>(Source::new(bytes), Endian::Little, ()) {
        let refused = write(&sealed, Endian::Little).err().map(|error| error.to_string());
        let is_refused = refused.as_ref().is_some_and(|words| words.contains("the bytes of a checksum"));
        assert_eq!(is_refused, sealed.bytes.length > 0, "{refused:?}");
    }
    if let Ok(pages) = read::<Pages>(Source::new(bytes), Endian::Big, ()) {
        let alone = pages.write_options(&mut Cursor::new(Vec::new()), Endian::Big, ());
        let refused = alone.err().map(|error| error.to_string());
        assert_eq!(refused.is_some(), pages.has_computed_places(), "{refused:?}");
    }
}

fn says<E: Encoding, P: Padding>(made: Result<Text<E, P>, TextError>, text: &str) {
    match made {
        Ok(made) => {
            assert_eq!(made.text().as_deref(), Some(text));
            assert!(made.clone() == made && !format!("{made:?}").is_empty());
        }
        Err(error) => assert!(error.to_string().contains(&format!("{text:?}")[..1]), "{error}"),
    }
}

fn examine_number(number: u64) {
    let signed = number as i64;
    let (low, low_signed) = (number as u32, signed as i32);
    assert!(
        U24::try_from(low).map_or(low >= 1 << 24, |made| u32::from(made) == low && u64::from(made) == u64::from(low))
    );
    assert!(U48::try_from(number).map_or(number >= 1 << 48, |made| u64::from(made) == number));
    assert!(
        I24::try_from(low_signed).map_or(low_signed >> 23 != low_signed >> 31, |made| i32::from(made) == low_signed)
    );
    assert!(I48::try_from(signed).map_or(signed >> 47 != signed >> 63, |made| i64::from(made) == signed));
    let index = |made: U24| usize::try_from(made).expect("an index has room for three bytes");
    assert!(U24::try_from(low).is_ok_and(|made| index(made) == low as usize) == (low < 1 << 24));
    assert!(
        U48::try_from(number).is_ok_and(|made| usize::try_from(made) == usize::try_from(number)) == (number < 1 << 48)
    );
    let refused = U24::try_from(number).err().map(|error| error.to_string());
    assert_eq!(refused.is_some(), number >= 1 << 24);
    assert!(refused.is_none_or(|words| words.ends_with("U24")), "the sentence names the type");
    assert_eq!(Leb128::from(number).value(), number);
    assert!(Decimal::<6>::try_from(signed).map_or(signed.to_string().len() > 6, |made| made.value() == signed));
    assert!(Hex::<4>::try_from(number).map_or(number > 0xFFFF, |made| i64::from(made) == number as i64));
    if let Ok(made) = Hex::<4>::try_from(number) {
        assert!(made.text().is_ascii() && !format!("{made:?}").is_empty());
    }
}
