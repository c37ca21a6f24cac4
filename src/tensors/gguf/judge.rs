//! Checks the metadata and the entries of a header, and the positions of tensors.

use super::blocks::type_of;
use super::rules;
use crate::bytes::declared::DeclaredTensor;
use crate::bytes::input::Input;
use crate::error::Result;
use crate::findings::collect::Findings;
use crate::findings::finding::Finding;
use crate::findings::rule::{Reference, Rule};
use crate::findings::words::{bytes, counted, quoted};
use crate::format::Format;
use crate::tensors::directory::{Directory, Tensor};
use crate::types::tensor_type::{Reading, TensorType};
use everybyte::Endian;
use ndbytes_schemas::gguf::{Entry, Fact, Gguf, Header, Kind, Value};
use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

/// The key of the alignment. All offsets are multiples of its value.
const ALIGNMENT: &[u8] = b"general.alignment";

/// The maximum number of bytes of a key.
const LONGEST_KEY: usize = 65_535;

/// Checks a header that could be read.
pub(super) fn judge(header: &Header, (version, order): (u32, Endian), input: &Input<'_>) -> Result<Directory> {
    let mut judge = Judge { alignment: Gguf::ALIGNMENT, findings: Findings::default() };
    let (mut at, metadata) = judge.facts(&header.facts, input)?;
    let places: Vec<Range<u64>> = header
        .directory
        .iter()
        .map(|entry| {
            let start = at;
            at += 24 + entry.name.text.bytes().len() as u64 + 8 * entry.extents.len() as u64;
            start..at
        })
        .collect();
    let data = at.next_multiple_of(judge.alignment);
    let mut claims = Vec::new();
    let mut names = HashSet::new();
    for (entry, place) in header.directory.iter().zip(places) {
        input.ensure_time()?;
        claims.push(judge.entry(entry, (place, order, data), input.length(), &mut names));
    }
    claims.sort_by_key(|claim| (claim.offset, claim.tensor.length));
    let end = judge.places(&mut claims, data, input.length());
    let order = if order == Endian::Little { "little-endian" } else { "big-endian" };
    let facts = vec![
        ("version", version.to_string()),
        ("order", order.to_owned()),
        ("facts", counted(header.facts.len() as u64, "fact")),
    ];
    Ok(Directory {
        header: at,
        data: Some(data..end),
        alignment: judge.alignment,
        tensors: claims.into_iter().map(|claim| claim.tensor).collect(),
        metadata,
        facts,
        is_readable: true,
        findings: judge.findings.into_vec(),
    })
}

/// A tensor, and the offset that its entry claims.
struct Claim {
    offset: u64,
    /// The position of its entry in the header.
    entry: Range<u64>,
    tensor: Tensor,
}

struct Judge {
    alignment: u64,
    findings: Findings,
}

impl Judge {
    fn find(&mut self, rule: &'static Rule, place: Range<u64>, message: impl Into<String>) {
        self.findings.push(Finding::new(rule, "header", place, message));
    }

    /// Checks all metadata. Returns its end and its values.
    fn facts(&mut self, facts: &[Fact], input: &Input<'_>) -> Result<(u64, Vec<(String, String)>)> {
        let mut at = Gguf::PREFIX as u64;
        let mut keys = HashSet::new();
        let mut metadata = Vec::new();
        for fact in facts {
            input.ensure_time()?;
            let key = fact.key.text.bytes();
            let value = at + 12 + key.len() as u64;
            let end = value + size(fact.kind, &fact.value);
            self.key(key, at..value - 4);
            if !keys.insert(key) {
                let message = format!("the key {} is there twice", quoted(&String::from_utf8_lossy(key)));
                self.find(&rules::DUPLICATE_KEY, at..value - 4, message);
            }
            if key == ALIGNMENT {
                self.alignment(&fact.value, value - 4..end);
            }
            let flaws = flaws(&fact.value);
            let of_key = || quoted(&String::from_utf8_lossy(key));
            if flaws.text {
                self.find(&rules::TEXT_ENCODING, value..end, format!("a text of {} is not UTF-8", of_key()));
            }
            if flaws.boolean {
                self.find(&rules::BOOL_VALUE, value..end, format!("a boolean of {} is not 0 or 1", of_key()));
            }
            metadata.push((String::from_utf8_lossy(key).into_owned(), shown(&fact.value)));
            at = end;
        }
        Ok((at, metadata))
    }

    fn key(&mut self, key: &[u8], place: Range<u64>) {
        let is_usual = |&byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"._-".contains(&byte);
        let shown = || quoted(&String::from_utf8_lossy(key));
        if str::from_utf8(key).is_err() {
            self.find(&rules::KEY_ENCODING, place, format!("the key {} is not UTF-8", shown()));
        } else if key.is_empty() || key.len() > LONGEST_KEY || !key.iter().all(is_usual) {
            let message = format!("the key {} is not words in small letters with dots between them", shown());
            self.find(&rules::KEY_FORM, place, message);
        }
    }

    fn alignment(&mut self, value: &Value, place: Range<u64>) {
        match value {
            Value::U32 { value } if value.is_power_of_two() => self.alignment = u64::from(*value),
            Value::U32 { value } => {
                let finding = Finding::new(&rules::ALIGNMENT, "header", place, "the alignment is not a power of two");
                self.findings.push(finding.found(value));
            }
            _ => self.find(&rules::ALIGNMENT, place, "the type of the alignment is not u32"),
        }
    }

    /// Checks the entry of a tensor.
    fn entry<'e>(
        &mut self,
        entry: &'e Entry,
        (place, order, data): (Range<u64>, Endian, u64),
        length: u64,
        names: &mut HashSet<&'e [u8]>,
    ) -> Claim {
        let bytes = entry.name.text.bytes();
        let text = String::from_utf8_lossy(bytes);
        let name = quoted(&text);
        if bytes.len() > Gguf::LONGEST_NAME {
            let message = format!("the name of the tensor {name} has more than {} bytes", Gguf::LONGEST_NAME);
            self.find(&rules::NAME_LENGTH, place.clone(), message);
        }
        if entry.extents.len() > Gguf::MOST_AXES {
            let message = format!("the tensor {name} has more than {} axes", Gguf::MOST_AXES);
            self.findings.push(Finding::new(&rules::RANK, "header", place.clone(), message).found(entry.extents.len()));
        }
        if !entry.offset.is_multiple_of(self.alignment) {
            let message = format!("the tensor {name} does not begin at a multiple of {} bytes", self.alignment);
            self.findings.push(Finding::new(&rules::OFFSET, "header", place.clone(), message).found(entry.offset));
        }
        let refused = |rule, message: String| Finding::new(rule, "header", place.clone(), message);
        let mut flaws = Vec::new();
        if str::from_utf8(bytes).is_err() {
            flaws.push(refused(&rules::NAME_ENCODING, format!("the name of the tensor {name} is not UTF-8")));
        }
        if !names.insert(bytes) {
            flaws.push(refused(&rules::DUPLICATE_NAME, format!("the name {name} is there twice")));
        }
        let (declared, size) = match size_of(entry) {
            Ok((tensor_type, size)) => {
                let shape = entry.extents.iter().rev().copied().collect();
                (Some(Arc::new(DeclaredTensor { format: Format::Gguf, tensor_type, order, shape })), size)
            }
            Err((rule, what)) => {
                flaws.push(refused(rule, format!("the tensor {name} {what}")));
                (None, 0)
            }
        };
        self.findings.extend(flaws.iter().cloned());
        let at = |offset: u64| data.saturating_add(offset).min(length);
        let tensor = Tensor {
            name: Arc::from(&*text),
            format: Format::Gguf,
            declared,
            place: at(entry.offset)..at(entry.offset.saturating_add(size)),
            length: size,
            flaw: flaws.into_iter().next().map(Box::new),
            warnings: Vec::new(),
        };
        Claim { offset: entry.offset, entry: place, tensor }
    }

    /// Checks the positions of the sorted tensors and the bytes after them. Returns the end of the last tensor with its padding.
    fn places(&mut self, claims: &mut [Claim], data: u64, length: u64) -> u64 {
        let mut reached = data;
        let is_whole = claims.iter().all(|claim| claim.tensor.declared.is_some());
        for claim in claims {
            let name = quoted(&claim.tensor.name);
            let start = data.saturating_add(claim.offset);
            let end = start.saturating_add(claim.tensor.length);
            let missing =
                end.saturating_sub(length.max(start)).max(if start > length { claim.tensor.length } else { 0 });
            if missing > 0 && claim.tensor.flaw.is_none() {
                let place = claim.tensor.place.end..claim.tensor.place.end;
                let message = format!("the tensor {name} is missing {}", bytes(missing));
                let finding = Finding::new(&rules::TRUNCATED_PAYLOAD, "tensors", place, message);
                let finding = finding.expected(bytes(claim.tensor.length)).found(bytes(claim.tensor.length - missing));
                // The reference reader adds offsets modulo 2^64.
                let wrapped = data.checked_add(claim.offset).is_none().then(|| data.wrapping_add(claim.offset));
                let is_taken = wrapped.is_some_and(|start| start.saturating_add(claim.tensor.length) <= length);
                let reference = if is_taken { Reference::Accepts } else { finding.reference };
                let finding = finding.with_reference(reference);
                self.findings.push(finding.clone());
                claim.tensor.flaw = Some(finding.into());
            } else if claim.tensor.length > 0 && start < reached {
                let message = format!("the tensor {name} begins before the one before it ends");
                self.find(&rules::OVERLAP, claim.entry.clone(), message);
            } else if is_whole
                && claim.tensor.length > 0
                && missing == 0
                && start.is_multiple_of(self.alignment)
                && start > reached.next_multiple_of(self.alignment)
            {
                let message = format!("{} before the tensor {name} belong to no tensor", bytes(start - reached));
                self.findings.push(Finding::new(&rules::GAP, "tensors", reached..start.min(length), message));
            }
            reached = reached.max(end);
        }
        let padded = reached.checked_next_multiple_of(self.alignment).unwrap_or(reached);
        let end = padded.min(length).max(reached);
        if end < length && is_whole {
            let message = format!("{} after the last tensor", bytes(length - end));
            self.findings.push(Finding::new(&rules::TRAILING_BYTES, "trailing", end..length, message));
        }
        end
    }
}

/// Returns the type of the elements of a tensor and their length in bytes, or the rule that is broken and a message.
fn size_of(entry: &Entry) -> Result<(&'static TensorType, u64), (&'static Rule, String)> {
    let Some(tensor_type) = type_of(entry.element) else {
        return Err((
            &rules::ELEMENT_TYPE,
            format!("has elements of the type {}, which readers do not know", entry.element.0),
        ));
    };
    let (name, block) = (tensor_type.name, tensor_type.block());
    let is_in_rows = matches!(tensor_type.reading, Reading::Blocks(_)) || name == "BF16";
    match entry.extents.first() {
        None if is_in_rows => return Err((&rules::BLOCK, format!("has no row of elements of {name}"))),
        Some(row) if !row.is_multiple_of(block) => {
            return Err((&rules::BLOCK, format!("has rows of {row} elements, which are not whole blocks of {name}")));
        }
        _ => {}
    }
    let product = entry.extents.iter().filter(|&&axis| axis > 0).try_fold(1_u64, |all, &axis| all.checked_mul(axis));
    let size = product.and_then(|elements| (elements / block).checked_mul(tensor_type.bits / 8));
    match size.filter(|&size| size <= i64::MAX as u64) {
        Some(_) if entry.extents.contains(&0) => Ok((tensor_type, 0)),
        Some(size) => Ok((tensor_type, size)),
        None => Err((&rules::SIZE_OVERFLOW, "has more elements than any file can hold".to_owned())),
    }
}

/// Returns the length in bytes of a value of this type.
fn size(kind: Kind, value: &Value) -> u64 {
    match value {
        Value::String { value } => 8 + value.text.bytes().len() as u64,
        Value::Array { item_kind, items } => {
            let sum = || items.iter().map(|item| size(*item_kind, item)).sum();
            12 + item_kind.width().map_or_else(sum, |width| width * items.len() as u64)
        }
        _ => kind.width().unwrap_or_default(),
    }
}

/// The flaws of a readable value.
#[derive(Default)]
struct Flaws {
    text: bool,
    boolean: bool,
}

fn flaws(value: &Value) -> Flaws {
    match value {
        Value::Bool { value } => Flaws { boolean: *value > 1, ..Flaws::default() },
        Value::String { value } => Flaws { text: str::from_utf8(value.text.bytes()).is_err(), ..Flaws::default() },
        Value::Array { items, .. } => items.iter().map(flaws).fold(Flaws::default(), |all, one| Flaws {
            text: all.text || one.text,
            boolean: all.boolean || one.boolean,
        }),
        _ => Flaws::default(),
    }
}

/// Formats a value.
fn shown(value: &Value) -> String {
    match value {
        Value::U8 { value } => value.to_string(),
        Value::I8 { value } => value.to_string(),
        Value::U16 { value } => value.to_string(),
        Value::I16 { value } => value.to_string(),
        Value::U32 { value } => value.to_string(),
        Value::I32 { value } => value.to_string(),
        Value::U64 { value } => value.to_string(),
        Value::I64 { value } => value.to_string(),
        Value::F32 { value } => value.to_string(),
        Value::F64 { value } => value.to_string(),
        Value::Bool { value } => (*value != 0).to_string(),
        Value::String { value } => String::from_utf8_lossy(value.text.bytes()).into_owned(),
        Value::Array { items, .. } => counted(items.len() as u64, "value"),
    }
}
