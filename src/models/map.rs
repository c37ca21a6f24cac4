//! The byte maps of a file and of a tensor.

use super::open::shape_text;
use crate::arrays::elements::{Elements, Stored};
use crate::arrays::extremes::extremes;
use crate::bytes::declared::DeclaredTensor;
use crate::bytes::input::Input;
use crate::bytes::map::MapBudget;
use crate::error::Result;
use crate::findings::rule::Depth;
use crate::findings::words::quoted;
use crate::tensors::directory::{Directory, Tensor};
use crate::tensors::kind_or_first;
use crate::types::dtype::{Dtype, ElementKind};
use crate::types::tensor_type::Reading;
use everybyte::map::{Id, Nodes, Space};
use everybyte::{
    Endian,
    map::{Index, Node},
    role::Role,
};
use std::ops::Range;
use std::sync::Arc;

/// The name of the list of tensors.
const TENSORS: &str = "tensors";

/// Maps the header of a file and, as far as there is room, its tensors.
pub(super) fn of_file(input: Input<'_>, directory: &Directory, depth: Depth) -> Result<Vec<Space>> {
    let mut nodes = (kind_or_first(&input).fields)(&input, directory)?;
    let whole = nodes.iter().find(|node| node.name() == TENSORS).map(Node::id);
    let Some(whole) = whole.filter(|_| directory.is_readable) else {
        return Ok(vec![input.space(0, "file", nodes)?]);
    };
    let doc = nodes.node(whole).doc().to_owned();
    let mut elements = no_elements(input);
    let mut reaches = Vec::new();
    for tensor in &directory.tensors {
        reaches.push(if depth == Depth::Payload { reach(&mut elements, tensor)? } else { None });
    }
    let input = elements.input;
    let mut level: Vec<Id> = nodes.iter().map(Node::id).filter(|&id| id != whole).collect();
    let mut budget = MapBudget::new(input.budget());
    let mut reached = nodes.node(whole).start();
    for (number, (tensor, reach)) in directory.tensors.iter().zip(reaches).enumerate() {
        input.ensure_time()?;
        // If a tensor overlaps earlier ones, only its bytes after them are mapped.
        let place = tensor.place.start.max(reached)..tensor.place.end.max(reached);
        pad(&mut nodes, &mut level, reached..place.start, directory.alignment);
        if place.is_empty() && tensor.length > 0 {
            continue;
        }
        reached = place.end;
        let name = quoted(&tensor.name);
        let meaning = reach.map_or_else(|| name.clone(), |reach| format!("{name}: {reach}"));
        let missing = tensor.length.saturating_sub(tensor.place.end - tensor.place.start);
        let node = nodes.leaf(TENSORS, place).index(Index::One(number as u64)).key(name).role(Role::Payload);
        let id = node.type_name(type_of(tensor)).doc(doc.clone()).meaning(meaning).missing(missing).id();
        if !budget.admit(nodes.node(id)) {
            break;
        }
        level.push(id);
    }
    let end = directory.data.as_ref().map_or(reached, |data| data.end.min(input.length()));
    pad(&mut nodes, &mut level, reached..end, directory.alignment);
    level.sort_by_key(|&id| (nodes.node(id).start(), nodes.node(id).end()));
    nodes.set_level(level);
    Ok(vec![input.space(0, "file", nodes)?])
}

/// Adds the padding before a tensor or after the last one.
fn pad(nodes: &mut Nodes, level: &mut Vec<Id>, place: Range<u64>, alignment: u64) {
    if !place.is_empty() && place.end - place.start < alignment {
        let node = nodes.leaf("padding", place);
        level.push(node.doc("Fills up to the alignment.").id());
    }
}

fn no_elements(input: Input<'_>) -> Elements<'_> {
    Elements { input, dtype: Dtype::new(ElementKind::U8, Endian::Little), count: 0, stored: Stored::Plain(0..0) }
}

/// Describes the smallest and the largest element of a tensor.
fn reach(elements: &mut Elements<'_>, tensor: &Tensor) -> Result<Option<String>> {
    match &tensor.declared {
        Some(declared) if tensor.flaw.is_none() => reach_of(elements, declared, tensor.place.clone()),
        _ => Ok(None),
    }
}

fn reach_of(elements: &mut Elements<'_>, declared: &DeclaredTensor, place: Range<u64>) -> Result<Option<String>> {
    let Reading::As(kind) = declared.tensor_type.reading else { return Ok(None) };
    elements.dtype = declared.dtype();
    elements.count = (place.end - place.start) / kind.size();
    elements.stored = Stored::Plain(place);
    extremes(elements)
}

/// Describes the type and the shape of a tensor.
fn type_of(tensor: &Tensor) -> String {
    tensor.declared.as_deref().map_or_else(|| "bytes".to_owned(), shape_text)
}

/// Maps a tensor that was opened by its address.
pub(super) fn of_tensor(input: Input<'_>, declared: Arc<DeclaredTensor>, depth: Depth) -> Result<Vec<Space>> {
    let place = 0..input.length();
    let mut elements = no_elements(input);
    let reach = if depth == Depth::Payload { reach_of(&mut elements, &declared, place.clone())? } else { None };
    let mut nodes = Nodes::new();
    let doc = "The elements, one after another.";
    let node = nodes.leaf("elements", place).role(Role::Payload).type_name(shape_text(&declared)).doc(doc);
    node.meaning(reach.unwrap_or_default()).add();
    Ok(vec![elements.input.space(0, "tensor", nodes)?])
}
