//! Texts and numbers of fields, made of texts and numbers.

use everybyte::{
    Ascii, Decimal, Encoding, Hex, I24, I48, Latin1, Leb128, Padded, Padding, Text, TextError, U24, U48, Utf16Be,
};

/// The maximum number of letters of a text that is made.
const LETTERS: usize = 40;

/// A field that is made of a text or a number says the same, or is refused by a sentence.
pub fn examine(bytes: &[u8]) {
    let text: String = String::from_utf8_lossy(bytes).chars().take(LETTERS).collect();
    says(Ok(Text::from(&*text)), &text);
    says(Text::<Ascii>::try_from(&*text), &text);
    says(Text::<Latin1>::try_from(&*text), &text);
    says(Text::<Utf16Be>::new(&text), &text);
    says(Text::<Latin1, Padded<8, b' '>>::try_from(&*text), text.trim_end_matches(' '));
    let number = bytes.first_chunk().copied().map_or(bytes.len() as u64, u64::from_le_bytes);
    // Numbers of any length.
    examine_number(number >> (bytes.len() % 64));
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
    assert_eq!(Leb128::from(number).value(), number);
    assert!(Decimal::<6>::try_from(signed).map_or(signed.to_string().len() > 6, |made| made.value() == signed));
    assert!(Hex::<4>::try_from(number).map_or(number > 0xFFFF, |made| i64::from(made) == number as i64));
    if let Ok(made) = Hex::<4>::try_from(number) {
        assert!(made.text().is_ascii() && !format!("{made:?}").is_empty());
    }
}
