//! Breakers of the rules of safetensors.

use super::super::forged_file::ForgedFile;
use super::super::kind_driver::Breaker;
use super::file_parts::{Tensor, header, laid_out, with_header};
use everybyte::forge::Choices;

/// The breakers.
pub(super) static BREAKERS: &[Breaker] = &[
    Breaker::new("safetensors/header-length", too_long, ""),
    Breaker::new("safetensors/truncated-header", file, "repair nothing\ncut header + 20"),
    Breaker::new("safetensors/syntax", no_json, ""),
    Breaker::new("safetensors/style", with_space, ""),
    Breaker::new("safetensors/metadata", numbers, ""),
    Breaker::new("safetensors/entry", no_shape, ""),
    Breaker::new("safetensors/unknown-key", more_keys, ""),
    Breaker::new("safetensors/duplicate-name", twice, ""),
    Breaker::new("safetensors/dtype", no_type, ""),
    Breaker::new("safetensors/size-overflow", overflowing, ""),
    Breaker::new("safetensors/partial-byte", half_a_byte, ""),
    Breaker::new("safetensors/size-mismatch", longer, ""),
    Breaker::new("safetensors/gap", apart, ""),
    Breaker::new("safetensors/overlap", shared, ""),
    Breaker::new("safetensors/truncated-payload", file, "repair nothing\ncut end - 1"),
    Breaker::new("safetensors/trailing-bytes", file, "repair nothing\nappend x\"00\""),
    Breaker::new("safetensors/alignment", unaligned, ""),
    Breaker::new("safetensors/bool-value", untrue, ""),
];

/// Creates a tensor of bytes, with one axis.
fn tensor(choices: &mut Choices<'_>, name: &str) -> Tensor {
    let length = choices.from_to(2, 40);
    Tensor { name: name.to_owned(), dtype: "U8", shape: vec![length], bytes: choices.bytes(length as usize) }
}

fn put_together(tensors: &[Tensor]) -> Option<ForgedFile> {
    let (entries, data) = laid_out(tensors);
    Some(ForgedFile::unknown(with_header(&header(&entries), &data)))
}

fn file(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    put_together(&[tensor(choices, "a")])
}

/// Creates a file with a changed header text.
fn changed(choices: &mut Choices<'_>, change: impl FnOnce(&str) -> String) -> Option<ForgedFile> {
    let (entries, data) = laid_out(&[tensor(choices, "a")]);
    Some(ForgedFile::unknown(with_header(&change(&header(&entries)), &data)))
}

fn too_long(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let mut whole = file(choices)?;
    let length = choices.from_to(100_000_001, u64::MAX);
    whole.bytes.get_mut(..8)?.copy_from_slice(&length.to_le_bytes());
    Some(whole)
}

fn no_json(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let end = *choices.pick(&["}", "\0", "{}", ","]);
    changed(choices, |header| format!("{}{end}", header.trim_end()))
}

fn with_space(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let space = *choices.pick(&[" ", "\n", "\t"]);
    changed(choices, |header| format!("{space}{header}"))
}

fn numbers(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let value = *choices.pick(&["{\"a\":1}", "[]", "\"pt\"", "{\"a\":null}"]);
    changed(choices, |header| header.replacen('{', &format!("{{\"__metadata__\":{value},"), 1))
}

fn no_shape(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let key = *choices.pick(&["\"shape\"", "\"dtype\"", "\"data_offsets\""]);
    changed(choices, |header| header.replace(key, "\"other\""))
}

fn more_keys(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let key = *choices.pick(&["\"unit\":\"K\",", "\"order\":\"F\",", "\"\":[],"]);
    changed(choices, |header| header.replace("\"dtype\"", &format!("{key}\"dtype\"")))
}

fn twice(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let tensor = tensor(choices, "a");
    let entries = [tensor.entry(0), tensor.entry(0)];
    Some(ForgedFile::unknown(with_header(&header(&entries), &tensor.bytes)))
}

fn no_type(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let name = *choices.pick(&["Q4_0", "u8", "FLOAT8", ""]);
    changed(choices, |header| header.replace("U8", name))
}

/// Creates a file with another shape in its header.
fn shaped(choices: &mut Choices<'_>, shape: &str) -> Option<ForgedFile> {
    let tensor = tensor(choices, "a");
    let entry = tensor.entry(0).replace(&format!("[{}]", tensor.bytes.len()), &format!("[{shape}]"));
    Some(ForgedFile::unknown(with_header(&header(&[entry]), &tensor.bytes)))
}

fn overflowing(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let shape = *choices.pick(&["4294967296,4294967296", "3,9223372036854775807", "18446744073709551615,2"]);
    shaped(choices, shape)
}

fn half_a_byte(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let count = 2 * choices.from_to(1, 20) + 1;
    let bytes = choices.bytes(count as usize / 2 + 1);
    put_together(&[Tensor { name: "a".to_owned(), dtype: "F4", shape: vec![count], bytes }])
}

fn longer(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let mut tensor = tensor(choices, "a");
    let more = choices.from_to(1, 9);
    tensor.shape[0] += more;
    put_together(&[tensor])
}

fn apart(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let [first, second] = ["a", "b"].map(|name| tensor(choices, name));
    let gap = choices.from_to(1, 9) as usize;
    let data = [first.bytes.clone(), vec![0; gap], second.bytes.clone()].concat();
    let entries = [first.entry(0), second.entry(first.bytes.len() + gap)];
    Some(ForgedFile::unknown(with_header(&header(&entries), &data)))
}

fn shared(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let [first, second] = ["a", "b"].map(|name| tensor(choices, name));
    let start = first.bytes.len() - 1;
    let data = [&first.bytes, &second.bytes[1..]].concat();
    let entries = [first.entry(0), second.entry(start)];
    Some(ForgedFile::unknown(with_header(&header(&entries), &data)))
}

fn unaligned(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let count = choices.from_to(1, 9);
    let bytes = choices.bytes(4 * count as usize);
    let (entries, data) = laid_out(&[Tensor { name: "a".to_owned(), dtype: "F32", shape: vec![count], bytes }]);
    let more = choices.from_to(1, 3) as usize;
    Some(ForgedFile::unknown(with_header(&format!("{}{}", header(&entries), &"   "[..more]), &data)))
}

fn untrue(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let mut tensor = Tensor { dtype: "BOOL", ..tensor(choices, "a") };
    tensor.bytes.iter_mut().for_each(|byte| *byte &= 1);
    let at = choices.index(tensor.bytes.len());
    *tensor.bytes.get_mut(at)? = choices.from_to(2, 255) as u8;
    put_together(&[tensor])
}
