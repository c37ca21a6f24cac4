//! The positions of findings: the key of a field, and its bytes in the file.
//!
//! Checks report a path such as `chunks[17].header.cbytes`, and bytes in some space. Baselines need the key of the
//! field, and SARIF the bytes of the file. Both need a map of the file, which costs as much as the check, so it is
//! built only for the first finding.

use ndbytes::{ByteMap, Checker, Depth, Finding, Input, Limits, Part, Scope};
use std::cell::OnceCell;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::path::Path;

/// Returns the first byte that a finding is about, such as `byte 0x1b`. `None` if it is about the complete file.
pub fn byte(finding: &Finding) -> Option<String> {
    let space = finding.space_name().map_or_else(String::new, |name| format!(" of {name}"));
    (finding.offset > 0 || finding.length > 0).then(|| format!("byte {:#x}{space}", finding.offset))
}

/// Files up to this length are decompressed a second time to show the fields inside them.
const SMALL: u64 = 64 << 20;

/// The positions of the findings in one file. The file is mapped when the first position is requested.
pub struct Places<'c> {
    address: &'c Path,
    part: &'c Part<'c>,
    limits: Limits,
    fields: OnceCell<Fields>,
}

/// The fields of a file.
#[derive(Default)]
struct Fields {
    /// The key of each field, by its space and its path.
    keys: BTreeMap<(u32, String), String>,
    /// The field that opens each space: its own space, and its bytes.
    openers: HashMap<u32, (u32, Range<u64>)>,
}

impl<'c> Places<'c> {
    /// Creates the positions of a part's findings. The map is built when the first key is requested.
    pub fn new(address: &'c Path, part: &'c Part<'c>, limits: Limits) -> Self {
        Places { address, part, limits, fields: OnceCell::new() }
    }

    /// Returns the key of the field that violates a rule, which is its path with names instead of indices. It does not
    /// change when elements are added, removed or moved.
    pub fn key(&self, finding: &Finding) -> String {
        let field = &finding.field;
        if !field.contains('[') {
            return field.clone();
        }
        let keys = &self.fields().keys;
        let found = [finding.space, 0].into_iter().find_map(|space| key_in(keys, space, field));
        found.unwrap_or_else(|| field.clone())
    }

    /// Returns the bytes of the file that a finding is about. If it is about decompressed bytes, these are the
    /// corresponding compressed bytes. `None` if they are unknown.
    pub fn bytes(&self, finding: &Finding) -> Option<Range<u64>> {
        let is_of_archive = finding.rule.scope == Scope::Zip;
        if self.part.member.is_some() && !is_of_archive {
            return None;
        }
        let size = if self.part.member.is_some() { u64::MAX } else { self.part.size };
        let mut range = finding.offset..finding.offset.saturating_add(finding.length);
        let mut space = finding.space;
        if space != 0 {
            let openers = &self.fields().openers;
            for _ in 0..openers.len() {
                if space != 0 {
                    (space, range) = openers.get(&space)?.clone();
                }
            }
        }
        (space == 0).then(|| range.start.min(size)..range.end.min(size))
    }

    /// Returns the fields of the part. In large files, compressed content is not mapped.
    fn fields(&self) -> &Fields {
        self.fields.get_or_init(|| {
            let has_spaces = self.part.findings.iter().any(|finding| finding.space != 0);
            let depth = if has_spaces && self.part.size <= SMALL { Depth::Payload } else { Depth::Structure };
            let input = Input::open(self.address, self.limits);
            let map = input.and_then(|input| Checker::new().depth(depth).limits(self.limits).byte_map(input));
            // A pipe cannot be read twice.
            map.map_or_else(|_| Fields::default(), |map| Fields::of(&map))
        })
    }
}

impl Fields {
    /// Collects the keyed fields, and the field that opens each space.
    fn of(map: &ByteMap) -> Self {
        let mut fields = Fields::default();
        for span in map.keyed_spans() {
            if let Some(opened) = span.node.opens() {
                fields.openers.entry(opened).or_insert((span.space, span.node.start()..span.node.end()));
            }
            if let Some(key) = span.key {
                fields.keys.insert((span.space, span.path), key);
            }
        }
        fields
    }
}

/// Returns the key of a field, or of a structure: the key of its first field, without the rest.
fn key_in(keys: &BTreeMap<(u32, String), String>, space: u32, path: &str) -> Option<String> {
    if let Some(key) = keys.get(&(space, path.to_owned())) {
        return Some(key.clone());
    }
    [".", "["].into_iter().find_map(|step| {
        let first = (space, format!("{path}{step}"));
        let ((_, found), key) =
            keys.range(first.clone()..).next().filter(|((_, found), _)| found.starts_with(&first.1))?;
        key.strip_suffix(&found[path.len()..]).map(str::to_owned)
    })
}
