//! Examines a file according to its format: reads structures at offsets, applies rules, and builds the map.
//!
//! Three modes share this code: explaining (with a map), checking (only findings), and rewriting (each structure is
//! written back into a copy). A check falls back to explaining as soon as anything is in doubt.
//!
//! A format requests structures at any offsets, in any order, and may request the same bytes repeatedly. Each request
//! draws from a budget of structures and bytes. Once it is spent, requests return `None`, and the file gets the finding
//! `limit` once.

mod contents;
pub mod group;
mod names;
mod padding;
mod sums;

pub use names::PartName;
pub(crate) use sums::wrong_sums;

use crate::budget::Budget;
use crate::claimed_ranges::ClaimedRanges;
use crate::elsewhere;
use crate::error::{ParseError, Problem, amount};
use crate::fields::Region;
use crate::finding::{Finding, MOST_FINDINGS, Severity};
use crate::limits::Limits;
use crate::map::Space;
use crate::name::Name;
use crate::nodes::{Facts, FactsId, Id, Node, NodeMut, Nodes};
use crate::peek;
use crate::reference::Layout;
use crate::source::Source;
use crate::trace::write_over;
use crate::violation::{self, Violations};
use binrw::io::Cursor;
use binrw::{BinRead, BinResult, BinWrite, Endian};
use std::collections::HashMap;
use std::convert::Infallible;
use std::ops::Range;

/// The examination of a file by [`Format::examine`](crate::Format::examine), which reads structures at offsets and
/// reports violations that the layout cannot express.
///
/// ```
/// use everybyte::{Format, check, examination::Examination, layout};
///
/// #[layout]
/// struct Header {
///     offset: u8,
/// }
///
/// #[layout]
/// struct Table {
///     rows: u8,
/// }
///
/// impl Format for Header {
///     const NAME: &'static str = "tables";
///
///     fn examine(&self, file: &mut Examination<'_>) {
///         let Some(table) = file.at::<Table>("table", self.offset, ()) else { return };
///         if table.rows == 0 {
///             file.finding("tables/empty", "table.rows", "a table has at least one row");
///         }
///     }
/// }
///
/// assert_eq!(check::<Header>(b"\x01\x05"), []);
/// assert_eq!(check::<Header>(b"\x01\0")[0].to_string(), "tables/empty: table.rows, at byte 1: a table has at least one row");
/// ```
///
/// A structure that cannot be read is reported as a finding, and `None` is returned, so you can just skip it. The
/// same code runs for a check (without a map), for an explanation and for [`rewrite`](crate::format::rewrite).
pub struct Examination<'f> {
    file: &'f [u8],
    endian: Endian,
    limits: Limits,
    budget: Budget,
    /// The fields of the file. Without a map, only the field that is being described.
    nodes: Nodes,
    /// The parts of its first structure, followed by the structures at offsets.
    parts: Vec<Id>,
    /// The spaces of packed contents.
    spaces: Vec<Space>,
    findings: Vec<Finding>,
    /// The indices of findings whose bytes are not known yet.
    unplaced: Vec<usize>,
    /// The number of findings that were not kept.
    further: usize,
    is_limited: bool,
    has_asides: bool,
    /// The bytes that were read, if no map is built.
    claims: Option<ClaimedRanges>,
    /// The facts for a field that is not in a map.
    blank: Option<FactsId>,
    /// The filler byte between structures at offsets.
    padding: Option<u8>,
    /// The copy that the structures are written to.
    copy: Option<BinResult<Cursor<Vec<u8>>>>,
}

fn path_of(node: Node<'_>) -> String {
    innermost(node).0
}

/// Returns a top-level field and its path.
fn innermost(mut node: Node<'_>) -> (String, Node<'_>) {
    let mut path = String::new();
    node.step(&mut path);
    while let Some(inner) = node.children().next().filter(|_| node.is_around()) {
        node = inner;
        node.step(&mut path);
    }
    (path, node)
}

impl<'f> Examination<'f> {
    /// Creates an examination that builds a map.
    pub(crate) fn new(file: &'f [u8], endian: Endian, limits: Limits) -> Self {
        Examination {
            file,
            endian,
            limits,
            budget: limits.budget(file.len() as u64),
            nodes: Nodes::within(limits.nodes),
            parts: Vec::new(),
            spaces: Vec::new(),
            findings: Vec::new(),
            unplaced: Vec::new(),
            further: 0,
            is_limited: false,
            has_asides: false,
            claims: None,
            blank: None,
            padding: None,
            copy: None,
        }
    }

    /// Creates an examination without a map.
    pub(crate) fn glancing(file: &'f [u8], endian: Endian, limits: Limits) -> Self {
        Examination { claims: Some(ClaimedRanges::default()), ..Examination::new(file, endian, limits) }
    }

    /// Creates an examination that writes each structure back into a copy of the file, to prove that nothing is lost.
    pub(crate) fn rewriting(file: &'f [u8], endian: Endian, limits: Limits) -> Self {
        Examination { copy: Some(Ok(Cursor::new(file.to_vec()))), ..Examination::glancing(file, endian, limits) }
    }

    /// The bytes of the file.
    pub fn bytes(&self) -> &'f [u8] {
        self.file
    }

    /// The length of the file in bytes.
    pub fn length(&self) -> u64 {
        self.file.len() as u64
    }

    /// Reads and maps the structure at an offset. Returns `None` and adds a finding if it cannot be read.
    pub fn at<'a, T>(
        &mut self,
        name: impl Into<PartName>,
        offset: impl Into<u64>,
        args: <T as BinRead>::Args<'a>,
    ) -> Option<T>
    where
        T: Layout + BinRead + for<'w> BinWrite<Args<'w> = ()>,
    {
        self.within(name, offset, u64::MAX, args)
    }

    /// Like [`at`](Self::at), but for a structure that must end within `length` bytes. Bytes that the structure does
    /// not use become a gap.
    pub fn within<'a, T>(
        &mut self,
        name: impl Into<PartName>,
        offset: impl Into<u64>,
        length: impl Into<u64>,
        args: <T as BinRead>::Args<'a>,
    ) -> Option<T>
    where
        T: Layout + BinRead + for<'w> BinWrite<Args<'w> = ()>,
    {
        let (name, offset) = (name.into(), offset.into());
        if !self.is_inside(&name, offset) || !self.may_go_on() {
            return None;
        }
        let source = Source::new(self.file).until(offset.saturating_add(length.into())).at(offset);
        let read = match &mut self.claims {
            Some(claims) => {
                let glanced = peek::at(source, |reader| T::read_options(reader, self.endian, args));
                let end = glanced.end.min(source.length());
                claims.add(offset..end);
                Self::claim_asides(claims);
                claims.are_in_doubt |= glanced.is_in_doubt;
                self.budget.debit(end.saturating_sub(offset));
                glanced.read.ok()
            }
            None => self.mapped(name, source, args),
        }?;
        self.write(&read, offset);
        Some(read)
    }

    /// Reads a structure and adds it to the map.
    fn mapped<'a, T>(&mut self, name: PartName, source: Source<'_>, args: <T as BinRead>::Args<'a>) -> Option<T>
    where
        T: Layout + BinRead,
    {
        let ((read, node), flaws) = violation::gathered(|| self.nodes.trace::<T>(source, self.endian, args));
        let path = name.path();
        self.add(flaws, 0, &path);
        self.budget.debit(self.nodes.node(node).length());
        let part = name.put_on(&mut self.nodes, node);
        self.parts.push(part);
        for aside in std::mem::take(&mut self.nodes.asides) {
            let place = self.nodes.node(aside).place();
            let around = self.nodes.leaf("", place).around().push(aside).id();
            let part = name.put_on(&mut self.nodes, around);
            self.parts.push(part);
        }
        self.note_limits();
        self.open_contents();
        read.map_err(|error| self.push(Finding::unread(&error, 0, &path))).ok()
    }

    /// Maps bytes without a structure. The caller can set the meaning of the node. Returns `None` if the region is empty.
    pub fn region(
        &mut self,
        name: impl Into<PartName>,
        offset: impl Into<u64>,
        length: impl Into<u64>,
    ) -> Option<NodeMut<'_>> {
        let (name, offset, length) = (name.into(), offset.into(), length.into());
        if length == 0 || !self.is_inside(&name, offset) || !self.may_go_on() {
            return None;
        }
        let present = length.min(self.length() - offset);
        self.budget.debit(0);
        if let Some(claims) = &mut self.claims {
            claims.add(offset..offset + present);
            claims.are_in_doubt |= present < length;
            // The caller may describe the region.
            self.nodes.clear();
            let blank = *self.blank.get_or_insert_with(|| self.nodes.facts(Facts::default()));
            return Some(self.nodes.leaf_of(blank, offset..offset + present));
        }
        let whole = Region { offset, length, present };
        let node = self.nodes.leaf("", offset..offset + present).type_name(Region::type_name());
        let node = node.meaning(whole.meaning()).missing(whole.missing()).id();
        let part = name.put_on(&mut self.nodes, node);
        self.parts.push(part);
        Some(self.nodes.edit(node))
    }

    /// Maps decompressed or otherwise unpacked content as a separate space that begins with a `T`. The caller limits
    /// the length of the content.
    pub fn space<'a, T>(&mut self, title: &str, content: &[u8], args: <T as BinRead>::Args<'a>) -> Option<T>
    where
        T: Layout + BinRead,
    {
        if !self.may_go_on() || !self.has_space() {
            return None;
        }
        self.budget.debit_space();
        let (source, length) = (Source::new(content), content.len() as u64);
        if let Some(claims) = &mut self.claims {
            let glanced = peek::at(source, |reader| T::read_options(reader, self.endian, args));
            let end = glanced.end.min(length);
            claims.are_in_doubt |= glanced.is_in_doubt || end < length || !elsewhere::take_claims().is_empty();
            self.budget.debit(end);
            return glanced.read.ok();
        }
        let mut nodes = Nodes::within(self.limits.nodes.saturating_sub(self.made()));
        let ((read, root), flaws) = violation::gathered(|| nodes.trace::<T>(source, self.endian, args));
        self.budget.debit(nodes.node(root).length());
        let id = self.reserved();
        self.add(flaws, id, "");
        if let Err(error) = &read {
            self.push(Finding::unread(error, id, ""));
        }
        self.put_space(id, title, content, (nodes, root));
        read.ok()
    }

    /// Reports a violation of one of the format's rules. The path names a field, such as `header.length`; an empty path means the whole
    /// file.
    pub fn finding(&mut self, rule: impl Into<Name>, path: impl Into<String>, message: impl Into<String>) {
        if self.findings.len() < MOST_FINDINGS {
            self.unplaced.push(self.findings.len());
        }
        let bytes = 0..self.length();
        self.push(Finding::new(rule, Severity::Error, path.into(), 0, bytes, message.into()));
    }

    /// Adds a finding and marks the file as in doubt.
    pub(crate) fn push(&mut self, finding: Finding) {
        if let Some(claims) = &mut self.claims {
            claims.are_in_doubt = true;
        }
        match self.findings.len() < MOST_FINDINGS {
            true => self.findings.push(finding),
            false => self.further += 1,
        }
    }

    /// Adds the errors of a structure in a space; `around` is the path of the part.
    pub(crate) fn add(&mut self, flaws: Violations, space: u32, around: &str) {
        self.further += flaws.further;
        for flaw in flaws.kept {
            self.push(flaw.finding(space, around));
        }
    }

    /// Returns whether an offset is in the file; if not, adds a finding.
    fn is_inside(&mut self, name: &PartName, offset: u64) -> bool {
        let length = self.length();
        if offset < length {
            return true;
        }
        let message = format!("its offset is {offset}, but the file has {}", amount(length));
        self.push(Finding::new("outside", Severity::Error, name.path(), 0, offset..offset, message));
        false
    }

    /// Returns whether there is room for another structure. The first one without room is reported as a finding. If anything is in doubt,
    /// the file will be explained, so there is no need to continue without a map.
    fn may_go_on(&mut self) -> bool {
        if self.copy.is_none() && self.claims.as_ref().is_some_and(|claims| claims.are_in_doubt) {
            return false;
        }
        if self.budget.has_room() {
            return true;
        }
        self.limit(&Problem::TooOften.to_string());
        false
    }

    /// Returns whether there is room for more packed content. The first content without room is reported as a finding.
    fn has_space(&mut self) -> bool {
        if self.budget.has_space() {
            return true;
        }
        self.limit("the file has too much packed content: the rest is not read");
        false
    }

    /// Reports a limit, but only once.
    fn limit(&mut self, message: &str) {
        if !self.is_limited {
            self.is_limited = true;
            self.finding("limit", "", message);
        }
    }

    /// The number of nodes that the spaces have so far.
    fn made(&self) -> u64 {
        (self.nodes.made() + self.spaces.iter().map(|space| space.nodes.made()).sum::<usize>()) as u64
    }

    /// Returns whether a limit has ended the examination early.
    pub(crate) fn is_limited(&self) -> bool {
        self.is_limited || elsewhere::is_cut()
    }

    /// Returns whether the first structure states the offsets of other structures.
    pub(crate) fn has_asides(&self) -> bool {
        self.has_asides
    }

    /// Writes a structure into the copy, if there is one.
    pub(crate) fn write<T: for<'w> BinWrite<Args<'w> = ()>>(&mut self, value: &T, offset: u64) {
        if let Some(Ok(copy)) = &mut self.copy
            && let Err(error) = write_over(value, copy, offset, self.endian, false)
        {
            self.copy = Some(Err(error));
        }
    }

    /// Returns the finished copy.
    pub(crate) fn written(self) -> BinResult<Vec<u8>> {
        self.copy.map_or_else(|| Ok(Vec::new()), |copy| copy.map(Cursor::into_inner))
    }

    /// Reads the structure at the beginning of the file.
    pub(crate) fn root<T>(&mut self, name: &'static str) -> Result<T, Box<ParseError>>
    where
        T: Layout + for<'a> BinRead<Args<'a> = ()>,
    {
        let (root, node) = self.nodes.trace::<T>(Source::new(self.file), self.endian, ());
        self.budget.debit(self.nodes.node(node).length());
        let fields: Vec<Id> = self.nodes.node(node).children().map(Node::id).collect();
        // A code or a bit field is a field itself, and so is a structure whose parts do not fit into the map.
        if fields.is_empty() && (T::MIN_SIZE > 0 || self.nodes.node(node).is_cut()) {
            self.parts.push(self.nodes.edit(node).name(name).id());
        }
        self.parts.extend(fields);
        self.has_asides = !self.nodes.asides.is_empty();
        self.parts.append(&mut self.nodes.asides);
        self.note_limits();
        self.open_contents();
        root
    }

    /// Reads the structure at the beginning of the file, without a map. Returns `None` if anything may be wrong.
    pub(crate) fn peek_at_root<T>(&mut self) -> Option<T>
    where
        T: Layout + for<'a> BinRead<Args<'a> = ()>,
    {
        let source = Source::new(self.file);
        let glanced = peek::at(source, |reader| T::read_options(reader, self.endian, ()));
        let claims = self.claims.get_or_insert_default();
        let end = glanced.end.min(source.length());
        claims.are_in_doubt |= glanced.is_in_doubt;
        // As in the map, a structure without parts is not part of the file.
        if glanced.has_fields || T::MIN_SIZE > 0 {
            claims.add(0..end);
        }
        Self::claim_asides(claims);
        self.budget.debit(end);
        glanced.read.ok().filter(|_| !glanced.is_in_doubt)
    }

    /// Returns whether the file was only glanced at and a full examination would find nothing else.
    pub(crate) fn is_sound(&mut self) -> bool {
        let length = self.length();
        let claims = self.claims.take();
        claims.is_some_and(|claims| claims.tile(length, |gap| self.is_padding(gap)))
    }

    /// Returns the map of the file, the findings with their bytes, and the number of findings that were not kept.
    pub(crate) fn assembled(mut self) -> (Vec<Space>, Vec<Finding>, usize) {
        let mut nodes = std::mem::take(&mut self.nodes);
        nodes.set_level(std::mem::take(&mut self.parts));
        if !self.unplaced.is_empty() {
            let mut parts: HashMap<String, Node<'_>> = HashMap::new();
            // If parts share a name, the first one gets it.
            for node in &nodes {
                let (path, node) = innermost(node);
                parts.entry(path).or_insert(node);
            }
            for &place in &self.unplaced {
                let finding = &mut self.findings[place];
                if let Some(bytes) = located(&parts, &finding.path) {
                    finding.bytes = bytes;
                }
            }
        }
        let (nodes, overlapping) = self.tiled(0, self.length(), nodes);
        let nodes = self.with_padding(nodes);
        let mut spaces = vec![space(0, "file", self.file, nodes)];
        self.add_overlapping(self.file, overlapping);
        spaces.append(&mut self.spaces);
        (spaces, self.findings, self.further)
    }

    /// Keeps the fields that cover a space without overlapping. Returns each of the others separately, with its
    /// offset.
    ///
    /// Each byte appears once in a map: if two fields share bytes, the one that begins first gets them. The other one
    /// becomes a separate space, since its content could not be shown otherwise. Any of its bytes beyond the first
    /// field stay in this space, without parts.
    fn tiled(&mut self, space: u32, length: u64, mut nodes: Nodes) -> (Nodes, Vec<(u64, Nodes)>) {
        let (mut tiles, mut overlapping) = (Vec::new(), Vec::new());
        // The end of the last field, and the field itself.
        let (mut reached, mut last) = (0, None);
        for id in nodes.straightened(length) {
            let node = nodes.node(id);
            let Range { start, end } = node.place();
            if start >= reached {
                tiles.push(id);
            } else if start < end || !node.is_complete() {
                let shared = start..reached.min(end);
                let (path, other) = (path_of(node), last.map_or_else(String::new, |last| path_of(nodes.node(last))));
                let message = format!("{} of it also belong to {other}", amount(shared.end - shared.start));
                self.push(Finding::new("overlap", Severity::Error, path, space, shared, message));
                // Findings beyond the limit are only counted.
                if self.spaces.len() + overlapping.len() < self.limits.spaces as usize {
                    overlapping.push((start, nodes.apart(id, start)));
                }
                if end > reached {
                    let rest = nodes.edit(id).alone(reached..end);
                    tiles.push(rest.meaning(format!("the rest of it, which overlaps {other}")).id());
                }
            }
            if end > reached {
                (reached, last) = (end, Some(id));
            }
        }
        nodes.set_level(tiles);
        (nodes, overlapping)
    }

    /// Adds a separate space for each of these structures, given with their offsets.
    fn add_overlapping(&mut self, content: &[u8], structures: Vec<(u64, Nodes)>) {
        for (start, nodes) in structures {
            let id = self.spaces.len() as u32 + 1;
            let root = nodes.root();
            let content = &content[start as usize..][..root.length() as usize];
            let title = format!("{}, which begins at byte {start}", path_of(root));
            self.spaces.push(space(id, &title, content, nodes));
        }
    }
}

fn space(id: u32, title: &str, content: &[u8], nodes: Nodes) -> Space {
    let read_at = |buffer: &mut [u8], offset: u64| {
        buffer.copy_from_slice(&content[offset as usize..][..buffer.len()]);
        Ok::<(), Infallible>(())
    };
    let Ok(space) = Space::new(id, title, content.len() as u64, nodes, read_at);
    space
}

/// Returns the bytes of a field by its path within the file: `header.length` or `table[3].length`. The innermost part
/// that contains the field is used.
fn located(parts: &HashMap<String, Node<'_>>, path: &str) -> Option<Range<u64>> {
    let within = |end: usize| parts.get(&path[..end])?.locate(&path[end..]);
    let ends = path.char_indices().filter(|(_, letter)| matches!(letter, '.' | '[')).map(|(end, _)| end);
    within(path.len()).or_else(|| ends.rev().find_map(within))
}
