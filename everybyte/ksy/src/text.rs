//! Encodings of text.

use std::sync::Arc;

/// The upper half of code page 437.
const CP437: &str = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}";

/// The names that Kaitai Struct requires; others are accepted with a warning.
const NAMES: &[&str] = &[
    "ASCII",
    "UTF-8",
    "UTF-16BE",
    "UTF-16LE",
    "UTF-32BE",
    "UTF-32LE",
    "ISO-8859-1",
    "ISO-8859-2",
    "ISO-8859-3",
    "ISO-8859-4",
    "ISO-8859-5",
    "ISO-8859-6",
    "ISO-8859-7",
    "ISO-8859-8",
    "ISO-8859-10",
    "ISO-8859-13",
    "ISO-8859-14",
    "ISO-8859-15",
    "ISO-8859-16",
    "windows-1250",
    "windows-1251",
    "windows-1252",
    "windows-1253",
    "windows-1254",
    "windows-1255",
    "windows-1256",
    "windows-1257",
    "windows-1258",
    "IBM437",
    "IBM866",
    "Shift_JIS",
    "Big5",
    "EUC-JP",
    "EUC-KR",
    "GB18030",
    "GBK",
    "KOI8-R",
    "KOI8-U",
];

/// Further names, from Python's codecs and IANA's list, that are not labels in the web's encoding standard. Only their letters and
/// digits are listed.
const ALIASES: &[(&str, &str)] = &[
    ("USASCII", "ASCII"),
    ("ANSIX341968", "ASCII"),
    ("ISO646US", "ASCII"),
    ("ISOIR6", "ASCII"),
    ("646", "ASCII"),
    ("CP367", "ASCII"),
    ("IBM367", "ASCII"),
    ("LATIN1", "ISO-8859-1"),
    ("L1", "ISO-8859-1"),
    ("8859", "ISO-8859-1"),
    ("CP819", "ISO-8859-1"),
    ("IBM819", "ISO-8859-1"),
    ("ISO885911987", "ISO-8859-1"),
    ("ISOIR100", "ISO-8859-1"),
    ("U8", "UTF-8"),
    ("UTF", "UTF-8"),
    ("CP65001", "UTF-8"),
    ("UNICODELITTLEUNMARKED", "UTF-16LE"),
    ("UNICODEBIGUNMARKED", "UTF-16BE"),
    ("CP437", "IBM437"),
    ("437", "IBM437"),
    ("PC8CODEPAGE437", "IBM437"),
    ("CP866", "IBM866"),
    ("866", "IBM866"),
    ("CP932", "Shift_JIS"),
    ("932", "Shift_JIS"),
    ("MSKANJI", "Shift_JIS"),
    ("WINDOWS31J", "Shift_JIS"),
    ("SJIS", "Shift_JIS"),
    ("UJIS", "EUC-JP"),
    ("CP949", "EUC-KR"),
    ("949", "EUC-KR"),
    ("UHC", "EUC-KR"),
    ("MS949", "EUC-KR"),
    ("CP936", "GBK"),
    ("936", "GBK"),
    ("MS936", "GBK"),
    ("EUCCN", "GBK"),
    ("EUCGB2312CN", "GBK"),
    ("CP950", "Big5"),
    ("950", "Big5"),
    ("MS950", "Big5"),
];

/// An encoding of text.
#[derive(Debug, Clone, PartialEq)]
pub enum Encoding {
    Ascii,
    Latin1,
    CodePage437,
    /// UTF-16 or UTF-32: the bytes in a unit and whether it is little-endian.
    Wide {
        size: usize,
        is_little: bool,
    },
    Other(&'static encoding_rs::Encoding),
    /// An unknown encoding, by its name.
    Unknown(Arc<str>),
}

impl Encoding {
    /// Returns the encoding with this name. Only letters and digits matter, as in Python: `utf-16-le` is `UTF-16LE`.
    pub fn named(name: &str) -> Self {
        let key = key(name);
        let alias = || ALIASES.iter().find(|(alias, _)| *alias == key).map(|(_, name)| *name);
        let page =
            || key.strip_prefix("CP").unwrap_or(&key).strip_prefix("125").map(|page| format!("windows-125{page}"));
        match NAMES.iter().copied().find(|name| self::key(name) == key).or_else(alias) {
            Some("ASCII") => Encoding::Ascii,
            Some("ISO-8859-1") => Encoding::Latin1,
            Some("IBM437") => Encoding::CodePage437,
            Some("UTF-16LE") => Encoding::Wide { size: 2, is_little: true },
            Some("UTF-16BE") => Encoding::Wide { size: 2, is_little: false },
            Some("UTF-32LE") => Encoding::Wide { size: 4, is_little: true },
            Some("UTF-32BE") => Encoding::Wide { size: 4, is_little: false },
            known => {
                let label = known.map(str::to_owned).or_else(page).unwrap_or_else(|| name.to_owned());
                let found = encoding_rs::Encoding::for_label(label.as_bytes());
                found.map_or_else(|| Encoding::Unknown(name.into()), Encoding::Other)
            }
        }
    }

    /// Returns whether it is UTF-8.
    pub fn is_utf8(&self) -> bool {
        matches!(self, Encoding::Other(encoding) if encoding.name() == "UTF-8")
    }

    /// Returns a suggestion for a name; `None` if it is the spelling that Kaitai Struct requires.
    pub fn advice(name: &str) -> Option<String> {
        if NAMES.contains(&name) {
            return None;
        }
        let known = Encoding::named(name);
        let canonical = NAMES.iter().find(|other| Encoding::named(other) == known);
        Some(match (known, canonical) {
            (Encoding::Unknown(_), _) => format!("the encoding `{name}` is not known"),
            (_, Some(canonical)) => format!("the encoding `{name}` is called `{canonical}`"),
            (_, None) => format!("the encoding `{name}` is not one that Kaitai Struct names"),
        })
    }

    /// Returns the number of bytes in a unit, and thus in a terminating zero.
    pub fn unit(&self) -> usize {
        if let Encoding::Wide { size, .. } = self { *size } else { 1 }
    }

    /// Decodes bytes as text.
    ///
    /// # Errors
    /// Returns a message if the bytes are not valid text.
    pub fn decode(&self, bytes: &[u8]) -> Result<String, String> {
        let text = match self {
            Encoding::Ascii => bytes.is_ascii().then(|| bytes.iter().map(|&byte| char::from(byte)).collect()),
            Encoding::Latin1 => Some(bytes.iter().map(|&byte| char::from(byte)).collect()),
            Encoding::CodePage437 => Some(bytes.iter().map(|&byte| code_page_437(byte)).collect()),
            Encoding::Wide { size: 2, is_little } => {
                let units = bytes.chunks(2).map(|unit| number(unit, 2, *is_little).map_or(0xD800, |unit| unit as u16));
                char::decode_utf16(units).collect::<Result<_, _>>().ok()
            }
            Encoding::Wide { size, is_little } => {
                bytes.chunks(*size).map(|unit| number(unit, *size, *is_little).and_then(char::from_u32)).collect()
            }
            Encoding::Other(encoding) => {
                encoding.decode_without_bom_handling_and_without_replacement(bytes).map(|text| text.into_owned())
            }
            Encoding::Unknown(name) => return Err(format!("the encoding `{name}` is not known")),
        };
        text.ok_or_else(|| format!("the bytes are not valid {}", self.name()))
    }

    fn name(&self) -> &str {
        match self {
            Encoding::Ascii => "ASCII",
            Encoding::Latin1 => "ISO-8859-1",
            Encoding::CodePage437 => "IBM437",
            Encoding::Wide { size: 2, is_little: true } => "UTF-16LE",
            Encoding::Wide { size: 2, is_little: false } => "UTF-16BE",
            Encoding::Wide { is_little: true, .. } => "UTF-32LE",
            Encoding::Wide { is_little: false, .. } => "UTF-32BE",
            Encoding::Other(encoding) => encoding.name(),
            Encoding::Unknown(name) => name,
        }
    }
}

/// Returns the letters and digits of a name, in capitals.
fn key(name: &str) -> String {
    let counts = |letter: &char| letter.is_ascii_alphanumeric();
    name.chars().filter(counts).map(|letter| letter.to_ascii_uppercase()).collect()
}

/// Returns the number of a unit; `None` if bytes are missing.
fn number(unit: &[u8], size: usize, is_little: bool) -> Option<u32> {
    let next = |number: u32, &byte: &u8| number << 8 | u32::from(byte);
    let number = if is_little { unit.iter().rev().fold(0, next) } else { unit.iter().fold(0, next) };
    (unit.len() == size).then_some(number)
}

fn code_page_437(byte: u8) -> char {
    let upper = usize::from(byte).checked_sub(0x80).and_then(|place| CP437.chars().nth(place));
    upper.unwrap_or(char::from(byte))
}
