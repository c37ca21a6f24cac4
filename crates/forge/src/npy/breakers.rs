//! Breakers of the rules of `.npy`.

use super::super::forged_file::ForgedFile;
use super::super::grid::Grid;
use super::super::kind_driver::Breaker;
use super::file_parts::{FileParts, Spelling, dictionary, padded, put_together, with_text};
use everybyte::forge::Choices;

/// The item type of arrays whose header text is changed, since its bytes have no meaning.
const BYTES: &str = "'|u1'";

/// The breakers.
pub(crate) static BREAKERS: &[Breaker] = &[
    Breaker::new("npy/bad-magic", array, "splice magic[5..6] = \"y\""),
    Breaker::new("npy/truncated-header", array, "repair nothing\ncut header.text + 20"),
    Breaker::new("npy/version", array, "repair nothing\nset minor = 1"),
    Breaker::new("npy/encoding", no_utf8, ""),
    Breaker::new("npy/long-header", long, ""),
    Breaker::new("npy/syntax", call, ""),
    Breaker::new("npy/long-integer", long_integer, ""),
    Breaker::new("npy/keys", more_keys, ""),
    Breaker::new("npy/duplicate-key", twice, ""),
    Breaker::new("npy/fortran-order", no_order, ""),
    Breaker::new("npy/shape", negative, ""),
    Breaker::new("npy/size-overflow", overflowing, ""),
    Breaker::new("npy/descr", no_type, ""),
    Breaker::new("npy/objects", objects, ""),
    Breaker::new("npy/subarray", subarray, ""),
    Breaker::new("npy/type-name", type_name, ""),
    Breaker::new("npy/style", style, ""),
    Breaker::new("npy/padding", tabs, ""),
    Breaker::new("npy/alignment", unaligned, ""),
    Breaker::new("npy/truncated-payload", array, "repair nothing\ncut end - 1"),
    Breaker::new("npy/trailing-bytes", array, "repair nothing\nappend x\"00\""),
    Breaker::new("npy/bool-value", untrue, ""),
    // The same, but for existing files. The text grows by 64 letters, so the items stay aligned.
    Breaker::new(
        "npy/duplicate-key",
        array,
        "splice header.text[1..1] = \"'descr': '|u1', 'descr': '|u1', 'descr': '|u1', 'descr': '|u1', \"",
    ),
    Breaker::new("npy/type-name", array, "splice header.text[11..12] = \"=\""),
    Breaker::new("npy/objects", array, "splice header.text[11..14] = \"|O8\""),
];

/// Creates a one-dimensional array of bytes.
fn draft(choices: &mut Choices<'_>) -> FileParts {
    let extent = choices.from_to(1, 40);
    FileParts {
        major: choices.from_to(1, 3) as u8,
        descr: BYTES.to_owned(),
        is_fortran: choices.one_in(2),
        grid: Grid { dims: vec![extent], item: 1, payload: choices.bytes(extent as usize) },
        spelling: Spelling::NUMPY,
        trailing: Vec::new(),
    }
}

fn array(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    put_together(&draft(choices)).map(ForgedFile::unknown)
}

/// Creates the draft with another text in its header, which is padded.
fn spelled(draft: &FileParts, text: &str) -> Option<ForgedFile> {
    with_text(draft, &padded(text, draft)).map(ForgedFile::unknown)
}

/// Creates a file in whose header text a part is replaced.
fn replaced(choices: &mut Choices<'_>, part: &str, other: &str) -> Option<ForgedFile> {
    let draft = draft(choices);
    spelled(&draft, &dictionary(&draft).replace(part, other))
}

/// Creates the draft with a type other than bytes.
fn of_type(choices: &mut Choices<'_>, descr: &str, item: u64) -> Option<ForgedFile> {
    let mut draft = draft(choices);
    draft.descr = descr.to_owned();
    let length = draft.grid.dims.iter().product::<u64>() * item;
    draft.grid.payload = choices.bytes(length as usize);
    put_together(&draft).map(ForgedFile::unknown)
}

fn no_utf8(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let draft = FileParts { major: 3, ..draft(choices) };
    let mut text = padded(&dictionary(&draft), &draft);
    let end = text.len();
    let at = end - 2 - choices.index(4);
    *text.get_mut(at)? = 0xFF;
    with_text(&draft, &text).map(ForgedFile::unknown)
}

/// Creates a header of more than 10,000 characters.
fn long(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let mut draft = draft(choices);
    draft.spelling.spare = choices.from_to(157, 170) as usize;
    put_together(&draft).map(ForgedFile::unknown)
}

fn call(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let value = *choices.pick(&["abs(0)", "0 if 1 else 2", "f''", "(0 for x in ())"]);
    replaced(choices, BYTES, value)
}

fn long_integer(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let mut draft = draft(choices);
    draft.major = choices.from_to(1, 2) as u8;
    spelled(&draft, &dictionary(&draft).replace(",)", "L,)"))
}

fn more_keys(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let other = *choices.pick(&["), 'unit': 'K', }", "), 'a': (), }", "), 1: 2, }"]);
    replaced(choices, "), }", other)
}

fn twice(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    replaced(choices, "{'descr'", &format!("{{'descr': {BYTES}, 'descr'"))
}

fn no_order(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let value = *choices.pick(&["'fortran_order': 0", "'fortran_order': None", "'fortran_order': 'C'"]);
    let draft = FileParts { is_fortran: false, ..draft(choices) };
    spelled(&draft, &dictionary(&draft).replace("'fortran_order': False", value))
}

/// Creates a file with another shape in its header text.
fn shaped(choices: &mut Choices<'_>, shape: &str) -> Option<ForgedFile> {
    let draft = draft(choices);
    let mut text = dictionary(&draft);
    text.truncate(text.find("'shape'")?);
    spelled(&draft, &format!("{text}'shape': {shape}, }}"))
}

fn negative(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let shape = *choices.pick(&["(-1,)", "(None, 2)", "('a', 3)", "(2, -3)", "[4]", "5"]);
    shaped(choices, shape)
}

fn overflowing(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let shape = *choices.pick(&["(4294967296, 4294967296)", "(0, 9223372036854775807, 2)", "(3, 9223372036854775807)"]);
    shaped(choices, shape)
}

fn no_type(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let value = *choices.pick(&["'<q9'", "[('a',)]", "17", "'<f3'"]);
    replaced(choices, BYTES, value)
}

fn objects(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let value = *choices.pick(&["'|O'", "[('a', '|O')]"]);
    replaced(choices, BYTES, value)
}

fn subarray(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    of_type(choices, "('|u1', (2,))", 2)
}

fn type_name(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let (name, item) = *choices.pick(&[("'u1'", 1), ("'uint8'", 1), ("'B'", 1), ("'float64'", 8), ("'=i4'", 4)]);
    of_type(choices, name, item)
}

fn style(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let (part, other) = *choices.pick(&[
        ("'shape'", "\"shape\""),
        ("'shape'", "'sh' 'ape'"),
        (",)", ",) # axes\n"),
        ("'|u1'", "('|u1')"),
    ]);
    replaced(choices, part, other)
}

/// Replaces a space with a tab.
fn tabs(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let draft = draft(choices);
    let mut text = padded(&dictionary(&draft), &draft);
    let at = text.len().checked_sub(2 + choices.index(3))?;
    *text.get_mut(at)? = b'\t';
    with_text(&draft, &text).map(ForgedFile::unknown)
}

fn unaligned(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let draft = draft(choices);
    let mut text = padded(&dictionary(&draft), &draft);
    text.pop();
    text.extend(vec![b' '; choices.from_to(1, 15) as usize]);
    text.push(b'\n');
    with_text(&draft, &text).map(ForgedFile::unknown)
}

fn untrue(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let mut draft = draft(choices);
    draft.descr = "'|b1'".to_owned();
    let at = choices.index(draft.grid.payload.len());
    *draft.grid.payload.get_mut(at)? = choices.from_to(2, 255) as u8;
    put_together(&draft).map(ForgedFile::unknown)
}
