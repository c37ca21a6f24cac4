//! Checks the entries of a header and the positions of tensors.
//!
//! The entries are sorted by their offsets. Then one pass finds gaps, overlaps and tensors beyond the end, because safetensors
//! requires every byte after the header to belong to exactly one tensor. A tensor with a flaw stays in the directory along with the
//! finding, so the others can be read by name.

use super::directory::{Directory, Tensor};
use super::header::{Description, Entry, Header, METADATA};
use super::rules;
use crate::bytes::declared::DeclaredTensor;
use crate::bytes::input::Input;
use crate::error::Result;
use crate::findings::collect::Findings;
use crate::findings::finding::Finding;
use crate::findings::rule::{Reference, Rule};
use crate::findings::words::{abridged, bytes, quoted};
use crate::format::Format;
use crate::types::tensor_type::TensorType;
use everybyte::Endian;
use ndbytes_schemas::safetensors::SafeTensors;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

/// Checks the header of a file.
pub(super) fn judge(mut layout: SafeTensors, input: &Input<'_>) -> Result<Directory> {
    let start = layout.tensors.offset;
    let header = start - layout.header.0.len() as u64..start;
    let judge = Judge { header, data: start, present: layout.tensors.present, findings: Findings::default() };
    // The text is taken out of the layout, because the entries borrow from it while the end of the tensors is set in the layout.
    let text = std::mem::take(&mut layout.header.0);
    let judged = judge_text(&text, &mut layout, judge, input);
    let data = start..start.saturating_add(layout.tensors.length);
    Ok(Directory { header: text.len() as u64, data: Some(data), ..judged? })
}

fn judge_text(text: &[u8], layout: &mut SafeTensors, mut judge: Judge, input: &Input<'_>) -> Result<Directory> {
    let unreadable = |judge: Judge| Ok(Directory { findings: judge.findings.into_vec(), ..Directory::default() });
    let Some(text) = judge.text(text) else {
        return unreadable(judge);
    };
    let Header(entries) = match Header::parse(text) {
        Ok(header) => header,
        Err(error) => {
            let message = format!("the header is not a JSON object: {}", abridged(error));
            judge.find(&rules::SYNTAX, 0..text.len() as u64, message);
            return unreadable(judge);
        }
    };
    let mut directory = Directory { is_readable: true, ..Directory::default() };
    let mut claims = Vec::new();
    let mut is_whole = true;
    for entry in last_of_each(&entries, text, &mut judge) {
        input.ensure_time()?;
        if entry.name == METADATA {
            directory.metadata = judge.metadata(entry, text);
            continue;
        }
        match judge.entry(entry, text) {
            Some(claim) => claims.push(claim),
            None => is_whole = false,
        }
    }
    claims.sort_by_key(|claim| claim.offsets);
    let end = judge.places(&mut claims, is_whole);
    directory.tensors = claims.into_iter().map(|claim| claim.tensor).collect();
    layout.tensors.set_length(end, &mut layout.trailing);
    judge.end(layout, is_whole);
    Ok(Directory { findings: judge.findings.into_vec(), ..directory })
}

/// Returns the entries that the reference reader keeps, in the order of the header: the last entry with each name.
fn last_of_each<'e, 'h>(entries: &'e [Entry<'h>], text: &str, judge: &mut Judge) -> Vec<&'e Entry<'h>> {
    let mut last: HashMap<&str, usize> = HashMap::new();
    for (number, entry) in entries.iter().enumerate() {
        let Some(before) = last.insert(&entry.name, number) else { continue };
        match &*entry.name {
            METADATA => judge.find(&rules::METADATA, entry.place_in(text), "`__metadata__` is there twice"),
            name => {
                let message = format!("the name {} is there twice: the last entry counts", quoted(name));
                judge.find(&rules::DUPLICATE_NAME, entry.place_in(text), message);
                judge.superseded(&entries[before], text);
            }
        }
    }
    entries.iter().enumerate().filter(|(number, entry)| last[&*entry.name] == *number).map(|(_, entry)| entry).collect()
}

/// A tensor, and the offsets that its entry claims.
struct Claim {
    offsets: [u64; 2],
    /// The position of its entry in the header.
    entry: Range<u64>,
    tensor: Tensor,
}

struct Judge {
    /// The position of the header.
    header: Range<u64>,
    /// The offset of the first byte after the header, and the number of bytes from there on.
    data: u64,
    present: u64,
    findings: Findings,
}

impl Judge {
    /// A finding about a part of the header.
    fn finding(&self, rule: &'static Rule, place: Range<u64>, message: impl Into<String>) -> Finding {
        let place = self.header.start + place.start..self.header.start + place.end;
        Finding::new(rule, "header", place, message)
    }

    fn find(&mut self, rule: &'static Rule, place: Range<u64>, message: impl Into<String>) {
        let finding = self.finding(rule, place, message);
        self.findings.push(finding);
    }

    /// The text of the header, if it is valid UTF-8.
    fn text<'l>(&mut self, text: &'l [u8]) -> Option<&'l str> {
        match str::from_utf8(text) {
            Ok(text) => {
                if text.starts_with(|letter: char| letter.is_ascii_whitespace()) {
                    self.find(&rules::STYLE, 0..1, "the header does not begin with {");
                }
                Some(text)
            }
            Err(error) => {
                let at = error.valid_up_to() as u64;
                self.find(&rules::SYNTAX, at..at + 1, "the header is not UTF-8");
                None
            }
        }
    }

    fn metadata(&mut self, entry: &Entry<'_>, text: &str) -> Vec<(String, String)> {
        match entry.metadata() {
            Ok(Some(metadata)) => metadata.into_iter().collect(),
            Ok(None) => {
                self.find(&rules::STYLE, entry.place_in(text), "`__metadata__` is null");
                Vec::new()
            }
            Err(error) => {
                let message = format!("`__metadata__` is not an object of texts: {}", abridged(error));
                self.find(&rules::METADATA, entry.place_in(text), message);
                Vec::new()
            }
        }
    }

    /// Checks an entry that another one with the same name supersedes. Readers still parse it.
    fn superseded(&mut self, entry: &Entry<'_>, text: &str) {
        match entry.description() {
            Ok(description) if TensorType::named(&description.dtype).is_some() => {}
            Ok(description) => {
                let message = format!("elements of {} are not a type of safetensors", quoted(&description.dtype));
                self.find(&rules::DTYPE, entry.place_in(text), message);
            }
            Err(error) => {
                let message =
                    format!("an entry of the tensor {} cannot be read: {}", quoted(&entry.name), abridged(error));
                self.find(&rules::ENTRY, entry.place_in(text), message);
            }
        }
    }

    /// Checks the entry of a tensor; `None` if it has no offsets.
    fn entry(&mut self, entry: &Entry<'_>, text: &str) -> Option<Claim> {
        let (name, place) = (quoted(&entry.name), entry.place_in(text));
        let description = match entry.description() {
            Ok(description) => description,
            Err(error) => {
                let message = format!("the entry of the tensor {name} cannot be read: {}", abridged(error));
                self.find(&rules::ENTRY, place, message);
                return None;
            }
        };
        if !entry.is_object() {
            self.find(&rules::STYLE, place.clone(), format!("the entry of the tensor {name} is a list, not an object"));
        } else if let Some(key) = entry.other_key() {
            let message = format!("the entry of the tensor {name} has the key {}, which readers ignore", quoted(&key));
            self.find(&rules::UNKNOWN_KEY, place.clone(), message);
        }
        let declared = self.declared(&description, &name, place.clone());
        let (declared, flaw) = match declared {
            Ok(declared) => (Some(Arc::new(declared)), None),
            Err(finding) => (None, Some(finding)),
        };
        self.findings.extend(flaw.iter().map(|finding| (**finding).clone()));
        let [from, to] = description.data_offsets;
        let at = |offset: u64| self.data.saturating_add(offset.min(self.present));
        let place_of_bytes = at(from)..at(to).max(at(from));
        let tensor = Tensor {
            name: Arc::from(&*entry.name),
            format: Format::Safetensors,
            declared,
            place: place_of_bytes,
            length: to.saturating_sub(from),
            flaw,
            warnings: Vec::new(),
        };
        Some(Claim { offsets: [from, to], entry: place, tensor })
    }

    /// The type and the shape of a tensor, if its offsets match them.
    fn declared(
        &self,
        description: &Description<'_>,
        name: &str,
        place: Range<u64>,
    ) -> Result<DeclaredTensor, Box<Finding>> {
        let Description { dtype, shape, data_offsets: [from, to] } = description;
        let refused = |rule, message: String| self.finding(rule, place.clone(), message);
        let Some(tensor_type) = TensorType::named(dtype) else {
            let message =
                format!("the tensor {name} has elements of {}, which is not a type of safetensors", quoted(dtype));
            return Err(refused(&rules::DTYPE, message).into());
        };
        let Some(bits) = bits_of(tensor_type, shape) else {
            let message = format!("the shape of the tensor {name} has more elements than any file can hold");
            // The reference reader multiplies from the first axis on, and stops at a zero.
            let product = shape.iter().try_fold(1_u64, |product, &axis| product.checked_mul(axis));
            let finding = refused(&rules::SIZE_OVERFLOW, message);
            let is_accepted = product == Some(0) && from == to;
            let reference = if is_accepted { Reference::Accepts } else { finding.reference };
            return Err(finding.with_reference(reference).into());
        };
        if bits % 8 != 0 {
            let message =
                format!("the {} elements of the tensor {name} do not end with a whole byte", tensor_type.name);
            return Err(refused(&rules::PARTIAL_BYTE, message).into());
        }
        if to.checked_sub(*from) != Some(bits / 8) {
            let message = format!("the offsets of the tensor {name} do not fit its shape and its type");
            let finding = refused(&rules::SIZE_MISMATCH, message).expected(bytes(bits / 8));
            return Err(finding.found(format!("from {from} to {to}")).into());
        }
        let shape = shape.clone();
        Ok(DeclaredTensor { format: Format::Safetensors, tensor_type, order: Endian::Little, shape })
    }

    /// Checks the positions of the sorted tensors. Returns the end of the last tensor.
    fn places(&mut self, claims: &mut [Claim], is_whole: bool) -> u64 {
        let mut reached = 0;
        for claim in claims {
            let [from, to] = claim.offsets;
            let name = quoted(&claim.tensor.name);
            // Bytes between tensors may belong to a tensor whose entry could not be read.
            if from > reached && is_whole {
                let gap = self.data.saturating_add(reached)..self.data.saturating_add(from);
                let message = format!("{} before the tensor {name} belong to no tensor", bytes(from - reached));
                self.findings.push(Finding::new(&rules::GAP, "tensors", gap, message));
            } else if from < reached {
                let message = format!("the tensor {name} begins before the one before it ends");
                let finding = self.finding(&rules::OVERLAP, claim.entry.clone(), message);
                self.findings.push(finding.expected(format!("an offset from {reached} on")).found(from));
            }
            reached = reached.max(to);
            if to > self.present && claim.tensor.flaw.is_none() {
                let missing = to - self.present.max(from);
                let place = claim.tensor.place.end..claim.tensor.place.end;
                let message = format!("the tensor {name} is missing {}", bytes(missing));
                let finding = Finding::new(&rules::TRUNCATED_PAYLOAD, "tensors", place, message);
                let finding = finding.expected(bytes(claim.tensor.length)).found(bytes(claim.tensor.length - missing));
                self.findings.push(finding.clone());
                claim.tensor.flaw = Some(finding.into());
            }
            self.alignment(&claim.tensor, &name);
        }
        reached
    }

    fn alignment(&mut self, tensor: &Tensor, name: &str) {
        let Some(declared) = &tensor.declared else { return };
        let element = (declared.tensor_type.bits / 8).max(1);
        if tensor.flaw.is_none() && !tensor.place.is_empty() && !tensor.place.start.is_multiple_of(element) {
            let message =
                format!("the tensor {name} does not begin at a multiple of the {element} bytes of an element");
            let place = tensor.place.start..tensor.place.start + element;
            self.findings.push(Finding::new(&rules::ALIGNMENT, "tensors", place, message));
        }
    }

    /// Checks the bytes after the last tensor.
    fn end(&mut self, layout: &SafeTensors, is_whole: bool) {
        let trailing = &layout.trailing;
        if trailing.length > 0 && is_whole {
            let place = trailing.offset..trailing.offset + trailing.length;
            let message = format!("{} after the last tensor", bytes(trailing.length));
            self.findings.push(Finding::new(&rules::TRAILING_BYTES, "trailing", place, message));
        }
    }
}

/// Returns the number of bits in all elements. `None` if the product of all nonzero axis lengths does not fit in 63 bits.
fn bits_of(tensor_type: &TensorType, shape: &[u64]) -> Option<u64> {
    let product =
        shape.iter().filter(|&&axis| axis > 0).try_fold(tensor_type.bits, |bits, &axis| bits.checked_mul(axis))?;
    let bits = if shape.contains(&0) { 0 } else { product };
    (product <= i64::MAX as u64).then_some(bits)
}
