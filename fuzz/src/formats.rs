//! Formats of one's own: the examples of everybyte, one with the declarations that no example has, and own formats as whole files.

#![allow(dead_code, reason = "each example has a `main`")]

use crate::layout::assert_explained;
use crate::random::Random;
use crate::sampler::Sampler;
use everybyte::arbitrary::Arbitrary;
use everybyte::{Format, check, explain, fuzzing, rewrite};
use ndbytes_forge::{Forge, Kind};
use ndbytes_schemas::blosc2::Frame;
use ndbytes_schemas::idv::Idv;
use ndbytes_schemas::idx::Idx;

#[path = "../../crates/everybyte/examples/bmp.rs"]
mod bmp;
#[path = "../../crates/everybyte/examples/elf.rs"]
mod elf;
#[path = "../../crates/everybyte/examples/fits.rs"]
mod fits;
#[path = "../../crates/everybyte/examples/flac.rs"]
mod flac;
#[path = "../../crates/everybyte/examples/gguf.rs"]
mod gguf;
#[path = "../../crates/everybyte/examples/ico.rs"]
mod ico;
#[path = "../../crates/everybyte/examples/msgpack.rs"]
mod msgpack;
#[path = "../../crates/everybyte/examples/nifti.rs"]
mod nifti;
#[path = "../../crates/everybyte/examples/pcap.rs"]
mod pcap;
#[path = "../../crates/everybyte/examples/png.rs"]
mod png;
#[path = "../../crates/everybyte/examples/safetensors.rs"]
mod safetensors;
#[path = "../../crates/everybyte/examples/sqlite.rs"]
mod sqlite;
#[path = "../../crates/everybyte/examples/truetype.rs"]
mod truetype;
#[path = "../../crates/everybyte/examples/wav.rs"]
mod wav;

/// The questions to a format: about any bytes, and about a file that is made up.
struct Asked {
    any: fn(&[u8]),
    /// As it is, and damaged.
    made_up: fn(u64),
}

const fn of<F: Format + for<'a> Arbitrary<'a>>() -> Asked {
    let made_up = |seed| {
        if let Some(file) = fuzzing::file::<F>(seed) {
            whole_and_damaged::<F>(file, seed);
        }
    };
    Asked { any: any::<F>, made_up }
}

/// The forge knows more of what makes such a file valid.
const IDV: Asked = Asked { any: any::<Idv>, made_up: |seed| whole_and_damaged::<Idv>(forged(Kind::Idv, seed), seed) };

const FRAME: Asked =
    Asked { any: any::<Frame>, made_up: |seed| whole_and_damaged::<Frame>(forged(Kind::B2nd, seed), seed) };

fn forged(kind: Kind, seed: u64) -> Vec<u8> {
    Forge::new(seed).valid(kind).bytes
}

fn whole_and_damaged<F: Format>(mut file: Vec<u8>, seed: u64) {
    any::<F>(&file);
    damage(&mut file, &mut Random::new(seed));
    any::<F>(&file);
}

const FORMATS: [Asked; 18] = [
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
    of::<Idx>(),
    IDV,
    FRAME,
];

/// Any bytes are explained by each format, to the byte. Whatever has no finding is what its structures are written
/// to.
pub fn examine(bytes: &[u8]) {
    let mut random = Random::of(bytes);
    FORMATS.iter().for_each(|format| (format.any)(bytes));
    (FORMATS[random.below(FORMATS.len() as u64) as usize].made_up)(random.next());
}

/// Changes a few bytes of a file, and cuts off its end once in four times.
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

fn any<F: Format>(file: &[u8]) {
    let explained = explain::<F>(file);
    assert_explained(&explained, file);
    if !explained.findings.is_empty() {
        return;
    }
    let found = check::<F>(file);
    assert!(found.is_empty(), "only `check` finds {found:?}");
    let written = rewrite::<F>(file).expect("it has no findings");
    assert!(written == file, "{}: {} bytes are written of {}", F::NAME, written.len(), file.len());
}
