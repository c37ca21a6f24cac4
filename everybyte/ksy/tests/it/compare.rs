//! Compares maps of a compiled layout with maps of the specification that it was generated from.

use everybyte::map::{GAP, spans};
use everybyte::{
    Explained, Finding, Format, explain,
    map::{Index, Value},
};
use everybyte_ksy::Spec;

/// A field without parts: its path, its bytes and its value.
type Leaf = (String, u64, u64, String);

/// Returns the differences between the two maps of a file; none if they agree.
pub fn differences<F: Format>(spec: &Spec, file: &[u8]) -> Vec<String> {
    let (compiled, read) = (explain::<F>(file), spec.explain(file));
    let mut found = Vec::new();
    let [first, other] = [&compiled, &read].map(|it| it.findings.first());
    if first.is_some() != other.is_some() {
        let said = |finding: Option<&Finding>| finding.map_or_else(|| "nothing".to_owned(), ToString::to_string);
        found.push(format!("the layout finds {}; the specification finds {}", said(first), said(other)));
    }
    // After the first fault, readers may or may not continue.
    let faults = [&compiled, &read].into_iter().flat_map(|it| &it.findings);
    let end = faults.map(|finding| finding.bytes.start).min().unwrap_or(u64::MAX);
    let (compiled, read) = (leaves(&compiled, end), leaves(&read, end));
    let mut read = read.into_iter().peekable();
    for (leaf, is_range) in compiled {
        if is_range {
            // The elements after the first 64 share a node.
            while read.peek().is_some_and(|((_, start, stop, _), _)| *start >= leaf.1 && *stop <= leaf.2) {
                read.next();
            }
            continue;
        }
        match read.next() {
            Some((other, _)) if other == leaf => {}
            other => {
                found.push(format!("the layout has {leaf:?}; the specification has {:?}", other.map(|it| it.0)));
                return found;
            }
        }
    }
    if let Some((other, _)) = read.next() {
        found.push(format!("the layout has no more; the specification has {other:?}"));
    }
    found
}

/// Returns the fields of a map that end before an offset, and whether each represents several.
fn leaves(explained: &Explained, end: u64) -> Vec<(Leaf, bool)> {
    let all = spans(&explained.spaces[..1]).into_iter().filter(|span| {
        let node = span.node;
        let is_range = matches!(node.index(), Some(Index::Range(..)));
        let is_before = if is_range { node.start() < end } else { node.end() <= end };
        node.name() != GAP && node.name() != "surplus" && node.start() < node.end() && is_before
    });
    all.map(|span| {
        let is_range = matches!(span.node.index(), Some(Index::Range(..)));
        // A number is the same whether or not its type is signed.
        let value = match &span.node.value() {
            Value::Int(number) if *number >= 0 => format!("{:?}", Value::Uint(number.unsigned_abs())),
            value => format!("{value:?}"),
        };
        ((span.path, span.node.start(), span.node.end(), value), is_range)
    })
    .collect()
}

/// Returns copies of the file, with one byte changed at each of several positions, or cut there.
pub fn mutants(file: &[u8]) -> Vec<Vec<u8>> {
    let step = (file.len() / 40).max(1);
    let mut all = Vec::new();
    for place in (0..file.len()).step_by(step) {
        all.push(file[..place].to_vec());
        for bits in [0x01, 0x80, 0xFF] {
            let mut other = file.to_vec();
            other[place] ^= bits;
            all.push(other);
        }
    }
    all
}
