//! Custom formats: the examples of everybyte, some formats with declarations that no example has, and formats of
//! ndbytes as whole files.

#![allow(dead_code, reason = "each example has a `main`")]

use crate::layout::{assert_explained, assert_linked};
use crate::random::Random;
use crate::sampler::{
    self, Entry, Ledger, Outline, Packed, Pages, Parts, Picture, Results, Sampler, Shapes, Shelf, Shelves, Terms,
};
use crate::share::ask_one_of;
use everybyte::arbitrary::{Arbitrary, Unstructured};
use everybyte::{
    Format, Source, check, explain,
    format::{explain_within, rewrite},
    fuzzing, read,
};
use ndbytes_forge::{Forge, Kind};
use ndbytes_schemas::blosc2::Frame;
use ndbytes_schemas::idv::Idv;
use ndbytes_schemas::idx::Idx;
use std::fmt::Debug;

#[path = "../../everybyte/examples/bmp.rs"]
mod bmp;
#[path = "../../everybyte/examples/elf.rs"]
mod elf;
#[path = "../../everybyte/examples/fits.rs"]
mod fits;
#[path = "../../everybyte/examples/flac.rs"]
mod flac;
#[path = "../../everybyte/examples/gguf.rs"]
mod gguf;
#[path = "../../everybyte/examples/ico.rs"]
mod ico;
#[path = "../../everybyte/examples/msgpack.rs"]
mod msgpack;
#[path = "../../everybyte/examples/nifti.rs"]
mod nifti;
#[path = "../../everybyte/examples/pcap.rs"]
mod pcap;
#[path = "../../everybyte/examples/png.rs"]
mod png;
#[path = "../../everybyte/examples/safetensors.rs"]
mod safetensors;
#[path = "../../everybyte/examples/sqlite.rs"]
mod sqlite;
#[path = "../../everybyte/examples/truetype.rs"]
mod truetype;
#[path = "../../everybyte/examples/wav.rs"]
mod wav;

/// The questions about a format, which are asked about arbitrary bytes, about a value made from them, and about a generated file.
struct Asked {
    any: fn(&[u8]),
    /// About arbitrary bytes, in more detail.
    close: fn(&[u8]),
    value: fn(&[u8]),
    /// About a generated file, both intact and damaged.
    made_up: fn(u64),
}

const fn of<F: Format + Clone + Debug + PartialEq + for<'a> Arbitrary<'a>>() -> Asked {
    let made_up = |seed| {
        if let Some(file) = fuzzing::file::<F>(seed) {
            whole_and_damaged::<F>(file, seed);
        }
    };
    Asked { any: any::<F>, close: close::<F>, value: value::<F>, made_up }
}

/// The forge covers more of the conditions for such a file to be valid.
const IDV: Asked = Asked {
    any: any::<Idv>,
    close: fuzzing::bytes::<Idv>,
    value: |_| {},
    made_up: |seed| whole_and_damaged::<Idv>(forged(Kind::Idv, seed), seed),
};

const FRAME: Asked = Asked {
    any: any::<Frame>,
    close: fuzzing::bytes::<Frame>,
    value: |_| {},
    made_up: |seed| whole_and_damaged::<Frame>(forged(Kind::B2nd, seed), seed),
};

fn forged(kind: Kind, seed: u64) -> Vec<u8> {
    Forge::new(seed).valid(kind).bytes
}

fn whole_and_damaged<F: Format>(mut file: Vec<u8>, seed: u64) {
    any::<F>(&file);
    damage(&mut file, &mut Random::new(seed));
    any::<F>(&file);
    describe::<F>(&file);
}

/// Asserts that the map as text ends with the number of findings or, without any, states that all bytes have a field.
fn describe<F: Format>(file: &[u8]) {
    let explained = explain::<F>(file);
    let is_whole = explained.to_string().ends_with("every byte accounted for\n");
    assert!(!is_whole || explained.findings.is_empty(), "{explained}");
}

const FORMATS: [Asked; 30] = [
    of::<bmp::Bmp>(),
    of::<elf::Elf>(),
    of::<fits::Fits>(),
    of::<flac::Flac>(),
    of::<gguf::Gguf>(),
    of::<ico::Icons>(),
    of::<msgpack::MessagePack>(),
    of::<nifti::Nifti>(),
    of::<pcap::Pcap>(),
    of::<png::Png>(),
    of::<safetensors::SafeTensors>(),
    of::<sqlite::Sqlite>(),
    of::<truetype::Font>(),
    of::<wav::Wav>(),
    of::<Sampler>(),
    of::<Entry>(),
    of::<Ledger>(),
    of::<Outline>(),
    of::<Packed>(),
    of::<Pages>(),
    of::<Parts>(),
    of::<Picture>(),
    of::<Results>(),
    of::<Shapes>(),
    of::<Shelf>(),
    of::<Shelves>(),
    of::<Terms>(),
    of::<Idx>(),
    IDV,
    FRAME,
];

/// Asserts that each format explains every byte of arbitrary input, and that structures of input without findings are
/// written back unchanged.
pub fn examine(bytes: &[u8]) {
    let mut random = Random::of(bytes);
    FORMATS.iter().for_each(|format| (format.any)(bytes));
    sampler::values::examine(bytes);
    sampler::sources::examine(bytes);
    ask_one_of(FORMATS, &mut random, |format, _| {
        (format.close)(bytes);
        (format.value)(bytes);
    });
    let chosen = &FORMATS[random.below(FORMATS.len() as u64) as usize];
    (chosen.made_up)(random.next());
}

/// Changes a few bytes of a file, and truncates it in one case out of four.
fn damage(file: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..=random.below(3) {
        let place = random.below(file.len() as u64) as usize;
        if let Some(byte) = file.get_mut(place) {
            *byte = random.next() as u8;
        }
    }
    if random.one_in(4) {
        file.truncate(random.below(file.len() as u64) as usize);
    }
}

/// Asserts that the map and the check of a written value agree, that it is written back unchanged, and that a clone is equal.
fn value<F: Format + Clone + Debug + PartialEq + for<'a> Arbitrary<'a>>(bytes: &[u8]) {
    let Ok(value) = F::arbitrary(&mut Unstructured::new(bytes)) else { return };
    fuzzing::value(&value);
    let clone = value.clone();
    // NaN is not equal to anything.
    assert!(clone == value || format!("{value:?}").contains("NaN"), "{value:?}");
    assert!(clone.heap() <= value.heap(), "a clone takes no more than its value");
}

/// Asserts that a check and explanations with all or few fields have the same findings, and that a value read from only
/// the beginning of a file equals the value from the whole file.
fn close<F: Format + Debug + PartialEq>(file: &[u8]) {
    fuzzing::bytes::<F>(file);
    from_the_beginning::<F>(file);
    let whole = explain::<F>(file);
    let little = explain_within::<F>(file, F::limits().nodes(file.len() as u64 % 16));
    assert_explained(&little, file);
    assert_linked(&little);
    let is_limited = little.findings.iter().any(|finding| finding.rule == "limit");
    let is_same = little.findings.is_empty() == whole.findings.is_empty();
    assert!(is_limited || is_same, "{} fields: {little} but {whole}", file.len() % 16);
}

/// Asserts that a value read from only the beginning of its file equals the value from the whole file.
fn from_the_beginning<F: Format + Debug + PartialEq>(file: &[u8]) {
    let endian = F::BYTE_ORDER.of(file);
    let whole = read::<F>(Source::new(file), endian, ());
    for at_hand in [file.len() / 2, file.len().saturating_sub(1)] {
        let source = Source::prefix(&file[..at_hand], file.len() as u64);
        let Ok(value) = read::<F>(source, endian, ()) else { continue };
        let is_same = whole.as_ref().is_ok_and(|whole| *whole == value || format!("{whole:?}") == format!("{value:?}"));
        assert!(is_same, "{value:?} of {at_hand} bytes at hand, but {whole:?}");
    }
}

fn any<F: Format>(file: &[u8]) {
    let explained = explain::<F>(file);
    assert_explained(&explained, file);
    assert_linked(&explained);
    if !explained.findings.is_empty() {
        return;
    }
    let found = check::<F>(file);
    assert!(found.is_empty(), "only `check` finds {found:?}");
    let written = rewrite::<F>(file).expect("it has no findings");
    assert!(written == file, "{}: {} bytes are written of {}", F::NAME, written.len(), file.len());
}
