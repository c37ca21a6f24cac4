//! The breakers of the rules of GGUF.

use super::super::forged_file::ForgedFile;
use super::super::kind_driver::Breaker;
use super::file_parts::{ALIGNMENT, Order, Tensor};
use everybyte::Endian;
use everybyte::forge::Choices;
use ndbytes_schemas::gguf::{Element, Kind};

/// The breakers.
pub(super) static BREAKERS: &[Breaker] = &[
    Breaker::new("gguf/magic", other_magic, ""),
    Breaker::new("gguf/version", other_version, ""),
    Breaker::new("gguf/truncated-header", short, ""),
    Breaker::new("gguf/value-type", no_kind, ""),
    Breaker::new("gguf/key-encoding", no_key, ""),
    Breaker::new("gguf/key-form", odd_key, ""),
    Breaker::new("gguf/duplicate-key", twice, ""),
    Breaker::new("gguf/text-encoding", no_text, ""),
    Breaker::new("gguf/bool-value", untrue, ""),
    Breaker::new("gguf/alignment", unaligned, ""),
    Breaker::new("gguf/name-encoding", no_name, ""),
    Breaker::new("gguf/name-length", long_name, ""),
    Breaker::new("gguf/duplicate-name", same_name, ""),
    Breaker::new("gguf/rank", many_axes, ""),
    Breaker::new("gguf/element-type", no_type, ""),
    Breaker::new("gguf/block", part_of_a_block, ""),
    Breaker::new("gguf/size-overflow", overflowing, ""),
    Breaker::new("gguf/offset", between, ""),
    Breaker::new("gguf/overlap", shared, ""),
    Breaker::new("gguf/gap", apart, ""),
    Breaker::new("gguf/truncated-payload", cut, ""),
    Breaker::new("gguf/trailing-bytes", longer, ""),
];

/// A file in the usual byte order.
const LITTLE: Order = Order(Endian::Little);

/// Creates a tensor of bytes, with one axis.
fn tensor(choices: &mut Choices<'_>, name: &str) -> Tensor {
    let length = choices.from_to(2, 40);
    Tensor { name: name.into(), element: Element::I8, axes: vec![length], bytes: choices.bytes(length as usize) }
}

fn of_tensor(tensor: Tensor) -> Option<ForgedFile> {
    Some(ForgedFile::unknown(LITTLE.file(&[], &[tensor])))
}

/// Creates a file of one tensor with this metadata.
fn of_facts(choices: &mut Choices<'_>, facts: &[Vec<u8>]) -> Option<ForgedFile> {
    Some(ForgedFile::unknown(LITTLE.file(facts, &[tensor(choices, "a")])))
}

fn other_magic(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let mut whole = of_facts(choices, &[])?;
    whole.bytes[choices.index(4)] ^= 0x20;
    Some(whole)
}

fn other_version(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let mut whole = of_facts(choices, &[])?;
    let version = *choices.pick(&[0_u32, 1, 4, 5, 255]);
    whole.bytes[4..8].copy_from_slice(&version.to_le_bytes());
    Some(whole)
}

fn short(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let mut whole = of_facts(choices, &[])?;
    // The entry of the tensor ends at byte 57.
    whole.bytes.truncate(choices.from_to(9, 56) as usize);
    Some(whole)
}

fn no_kind(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let kind = *choices.pick(&[13, 14, 255, u32::MAX]);
    of_facts(choices, &[LITTLE.fact_of(b"a.b", kind, &[0; 8])])
}

fn no_key(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let key = *choices.pick(&[&b"a\xFF"[..], b"\x80", b"a.\xC3"]);
    of_facts(choices, &[LITTLE.fact(key, Kind::U8, &[1])])
}

fn odd_key(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let key = *choices.pick(&[&b""[..], b"General.Name", b"a b", "\u{e9}".as_bytes()]);
    of_facts(choices, &[LITTLE.fact(key, Kind::U8, &[1])])
}

fn twice(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let values = [choices.any() as u8, choices.any() as u8];
    of_facts(choices, &values.map(|value| LITTLE.fact(b"a.b", Kind::U8, &[value])))
}

fn no_text(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let text = *choices.pick(&[&b"a\xFF"[..], b"\x80", b"\xE2\x82"]);
    of_facts(choices, &[LITTLE.fact(b"a.b", Kind::String, &LITTLE.text(text))])
}

fn untrue(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let value = choices.from_to(2, 255) as u8;
    of_facts(choices, &[LITTLE.fact(b"a.b", Kind::Bool, &[value])])
}

fn unaligned(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let (kind, value) = match choices.below(3) {
        0 => (Kind::U64, LITTLE.u64(64)),
        1 => (Kind::U32, LITTLE.u32(0)),
        _ => (Kind::U32, LITTLE.u32(*choices.pick(&[3, 24, 33, 100]))),
    };
    of_facts(choices, &[LITTLE.fact(b"general.alignment", kind, &value)])
}

fn no_name(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let name = choices.pick(&[&b"a\xFF"[..], b"\x80"]).to_vec();
    of_tensor(Tensor { name, ..tensor(choices, "") })
}

fn long_name(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let name = vec![b'a'; choices.from_to(65, 200) as usize];
    of_tensor(Tensor { name, ..tensor(choices, "") })
}

fn same_name(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let tensors = ["a", "a"].map(|name| tensor(choices, name));
    Some(ForgedFile::unknown(LITTLE.file(&[], &tensors)))
}

fn many_axes(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let mut tensor = tensor(choices, "a");
    tensor.axes.extend(vec![1; choices.from_to(4, 9) as usize]);
    of_tensor(tensor)
}

fn no_type(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let code = *choices.pick(&[4, 5, 31, 36, 42, 1000, u32::MAX]);
    of_tensor(Tensor { element: Element(code), ..tensor(choices, "a") })
}

fn part_of_a_block(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let axes = vec![32 * choices.from_to(1, 9) + choices.from_to(1, 31)];
    of_tensor(Tensor { element: Element::Q8_0, axes, ..tensor(choices, "a") })
}

fn overflowing(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let axes = choices.pick(&[vec![1 << 32, 1 << 32], vec![3, i64::MAX as u64], vec![u64::MAX, 2]]).clone();
    of_tensor(Tensor { axes, ..tensor(choices, "a") })
}

/// Creates tensors at these offsets.
fn placed(choices: &mut Choices<'_>, offsets: &[u64]) -> Option<ForgedFile> {
    let tensors: Vec<Tensor> = ["a", "b"].iter().take(offsets.len()).map(|name| tensor(choices, name)).collect();
    Some(ForgedFile::unknown(LITTLE.file_at(&[], &tensors, offsets)))
}

fn between(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let offset = choices.from_to(1, ALIGNMENT as u64 - 1);
    placed(choices, &[offset])
}

fn shared(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    placed(choices, &[0, 0])
}

fn apart(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let offset = ALIGNMENT as u64 * choices.from_to(3, 9);
    placed(choices, &[0, offset])
}

fn cut(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let tensor = tensor(choices, "a");
    let missing = choices.from_to(1, tensor.bytes.len() as u64) as usize;
    let length = 2 * ALIGNMENT + tensor.bytes.len() - missing;
    let mut whole = of_tensor(tensor)?;
    whole.bytes.truncate(length);
    Some(whole)
}

fn longer(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let mut whole = of_facts(choices, &[])?;
    let more = choices.from_to(1, 40) as usize;
    whole.bytes.extend(choices.bytes(more));
    Some(whole)
}
