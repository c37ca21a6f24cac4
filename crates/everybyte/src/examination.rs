//! The examination of a file by its format: structures at offsets, and the rules of the format.

use crate::error::amount;
use crate::fields::Region;
use crate::finding::{Finding, MOST_FINDINGS, Severity};
use crate::flaw::{self, Flaws};
use crate::map::Space;
use crate::name::Name;
use crate::node::{Index, Node};
use crate::reference::Layout;
use crate::source::Source;
use crate::trace::trace;
use binrw::io::{Cursor, Seek, SeekFrom};
use binrw::{BinRead, BinResult, BinWrite, Endian};
use std::collections::HashMap;
use std::convert::Infallible;
use std::ops::Range;

/// The maximum number of nodes that structures at offsets may have together.
const MOST_NODES: usize = 1 << 17;

/// Structures at offsets are read for so many times the bytes of the file, since offsets may lead to the same bytes.
const MOST_READ: u64 = 4;

/// Bytes that may be read of even the smallest file.
const LEAST_READ: u64 = 64 << 10;

/// The file that [`Format::examine`](crate::Format::examine) looks at.
pub struct Examination<'f> {
    file: &'f [u8],
    endian: Endian,
    parts: Vec<Node>,
    /// Contents that do not stand in the file as they are.
    spaces: Vec<Space>,
    findings: Vec<Finding>,
    /// The findings whose bytes are not known yet, by their places in the list.
    unplaced: Vec<usize>,
    /// Findings that were not kept.
    further: usize,
    nodes_left: usize,
    bytes_left: u64,
    is_limited: bool,
    /// The copy over which the structures are written.
    copy: Option<BinResult<Cursor<Vec<u8>>>>,
}

/// The name of a part of a file: `"header"`, or `("table", 3)` for one of several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PartName {
    name: &'static str,
    index: Option<u64>,
}

impl From<&'static str> for PartName {
    fn from(name: &'static str) -> Self {
        PartName { name, index: None }
    }
}

impl From<(&'static str, u64)> for PartName {
    fn from((name, index): (&'static str, u64)) -> Self {
        PartName { name, index: Some(index) }
    }
}

impl PartName {
    fn put_on(self, node: &mut Node) {
        node.name = self.name;
        node.index = self.index.map(Index::One);
    }

    fn path(self) -> String {
        let mut node = Node::leaf("", 0, 0);
        self.put_on(&mut node);
        path_of(&node)
    }
}

fn path_of(node: &Node) -> String {
    let mut path = String::new();
    node.step(&mut path);
    path
}

impl<'f> Examination<'f> {
    pub(crate) fn new(file: &'f [u8], endian: Endian) -> Self {
        let bytes_left = (file.len() as u64).saturating_mul(MOST_READ).max(LEAST_READ);
        Examination {
            file,
            endian,
            parts: Vec::new(),
            spaces: Vec::new(),
            findings: Vec::new(),
            unplaced: Vec::new(),
            further: 0,
            nodes_left: MOST_NODES,
            bytes_left,
            is_limited: false,
            copy: None,
        }
    }

    pub(crate) fn rewriting(file: &'f [u8], endian: Endian) -> Self {
        Examination { copy: Some(Ok(Cursor::new(file.to_vec()))), ..Examination::new(file, endian) }
    }

    /// The bytes of the file.
    pub fn bytes(&self) -> &'f [u8] {
        self.file
    }

    /// Bytes of the file.
    pub fn length(&self) -> u64 {
        self.file.len() as u64
    }

    /// Reads and maps the structure at an offset. Returns `None`, with a finding, if it cannot be read.
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

    /// The same for a structure that has to end within `length` bytes. Bytes that it leaves are a gap.
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
        if !self.is_inside(name, offset) || !self.may_go_on() {
            return None;
        }
        let source = Source::new(self.file).until(offset.saturating_add(length.into())).at(offset);
        let ((read, mut node), flaws) = flaw::gathered(|| trace::<T>(source, self.endian, args));
        self.add(flaws, 0, &name.path());
        name.put_on(&mut node);
        self.debit(&node);
        self.parts.push(node);
        match read {
            Ok(read) => {
                self.write(&read, offset);
                Some(read)
            }
            Err(error) => {
                self.push(Finding::unread(&error, 0, &name.path()));
                None
            }
        }
    }

    /// Maps bytes that have no structure of their own. The node may be given a meaning. Returns `None` if there are none.
    pub fn region(
        &mut self,
        name: impl Into<PartName>,
        offset: impl Into<u64>,
        length: impl Into<u64>,
    ) -> Option<&mut Node> {
        let (name, offset, length) = (name.into(), offset.into(), length.into());
        if length == 0 || !self.is_inside(name, offset) || !self.may_go_on() {
            return None;
        }
        let present = length.min(self.length() - offset);
        let whole = Region { offset, length, present };
        let (meaning, missing) = (whole.meaning().into_owned(), whole.missing());
        let leaf = Node::leaf("", offset, offset + present);
        let mut node = Node { type_name: Region::type_name(), meaning, missing, ..leaf };
        name.put_on(&mut node);
        self.debit(&Node::leaf("", 0, 0));
        self.parts.push(node);
        self.parts.last_mut()
    }

    /// Maps content that does not stand in the file as it is, such as decompressed bytes. It is a space of its own,
    /// which begins with a `T`. The caller bounds its length.
    pub fn space<'a, T>(&mut self, title: &str, content: &[u8], args: <T as BinRead>::Args<'a>) -> Option<T>
    where
        T: Layout + BinRead,
    {
        if !self.may_go_on() {
            return None;
        }
        let ((read, node), flaws) = flaw::gathered(|| trace::<T>(Source::new(content), self.endian, args));
        self.debit(&node);
        let id = self.spaces.len() as u32 + 1;
        self.add(flaws, id, "");
        if let Err(error) = &read {
            self.push(Finding::unread(error, id, ""));
        }
        let nodes = if node.children.is_empty() { vec![node] } else { node.children };
        let mut overlapping = Vec::new();
        let tiles = self.tiled(id, content, nodes, &mut overlapping);
        self.spaces.push(space(id, title, content, tiles));
        self.add_overlapping(content, overlapping);
        read.ok()
    }

    /// Adds a violation of one of the format's rules. The path names a field, such as `header.length`; an empty one stands for
    /// the whole file.
    pub fn finding(&mut self, rule: impl Into<Name>, path: impl Into<String>, message: impl Into<String>) {
        if self.findings.len() < MOST_FINDINGS {
            self.unplaced.push(self.findings.len());
        }
        let bytes = 0..self.length();
        self.push(Finding {
            rule: rule.into(),
            severity: Severity::Error,
            path: path.into(),
            space: 0,
            bytes,
            message: message.into(),
        });
    }

    pub(crate) fn push(&mut self, finding: Finding) {
        match self.findings.len() < MOST_FINDINGS {
            true => self.findings.push(finding),
            false => self.further += 1,
        }
    }

    /// Adds the flaws of a structure in a space; `around` is the path of the part.
    pub(crate) fn add(&mut self, flaws: Flaws, space: u32, around: &str) {
        self.further += flaws.further;
        for flaw in flaws.kept {
            self.push(flaw.finding(space, around));
        }
    }

    fn is_inside(&mut self, name: PartName, offset: u64) -> bool {
        let length = self.length();
        if offset < length {
            return true;
        }
        let message = format!("its offset is {offset}, but the file has {}", amount(length));
        let path = name.path();
        self.push(Finding {
            rule: Name::new("outside"),
            severity: Severity::Error,
            path,
            space: 0,
            bytes: offset..offset,
            message,
        });
        false
    }

    /// Returns whether there is room for a further structure. The first one that has none is a finding.
    fn may_go_on(&mut self) -> bool {
        if self.nodes_left > 0 && self.bytes_left > 0 {
            return true;
        }
        if !self.is_limited {
            self.is_limited = true;
            let message =
                "the file has too many structures at offsets, or they share too many bytes: the others are not read";
            self.finding("limit", "", message);
        }
        false
    }

    fn debit(&mut self, node: &Node) {
        self.nodes_left = self.nodes_left.saturating_sub(node.leaves());
        self.bytes_left = self.bytes_left.saturating_sub((node.end - node.start).max(1));
    }

    pub(crate) fn is_limited(&self) -> bool {
        self.is_limited
    }

    /// Writes a structure over the copy, if there is one.
    pub(crate) fn write<T: for<'w> BinWrite<Args<'w> = ()>>(&mut self, value: &T, offset: u64) {
        if let Some(Ok(copy)) = &mut self.copy {
            let written = copy
                .seek(SeekFrom::Start(offset))
                .map_err(Into::into)
                .and_then(|_| value.write_options(copy, self.endian, ()));
            if let Err(error) = written {
                self.copy = Some(Err(error));
            }
        }
    }

    /// The copy.
    pub(crate) fn written(self) -> BinResult<Vec<u8>> {
        self.copy.map_or_else(|| Ok(Vec::new()), |copy| copy.map(Cursor::into_inner))
    }

    /// The map of the file whose first structure has these fields, the findings with their bytes, and the number of those
    /// that were not kept.
    pub(crate) fn assembled(mut self, fields: Vec<Node>) -> (Vec<Space>, Vec<Finding>, usize) {
        let nodes: Vec<Node> = fields.into_iter().chain(std::mem::take(&mut self.parts)).collect();
        if !self.unplaced.is_empty() {
            // The first part of a name has it.
            let parts: HashMap<String, &Node> = nodes.iter().rev().map(|node| (path_of(node), node)).collect();
            for &place in &self.unplaced {
                let finding = &mut self.findings[place];
                if let Some(bytes) = located(&parts, &finding.path) {
                    finding.bytes = bytes;
                }
            }
        }
        let mut overlapping = Vec::new();
        let tiles = self.tiled(0, self.file, nodes, &mut overlapping);
        let mut spaces = vec![space(0, "file", self.file, tiles)];
        self.add_overlapping(self.file, overlapping);
        spaces.append(&mut self.spaces);
        (spaces, self.findings, self.further)
    }

    /// The fields that tile a space, and those that share bytes with them.
    fn tiled(&mut self, space: u32, content: &[u8], mut nodes: Vec<Node>, overlapping: &mut Vec<Node>) -> Vec<Node> {
        let mut elsewhere = Vec::new();
        for node in &mut nodes {
            straighten(node, content.len() as u64, &mut elsewhere);
        }
        nodes.append(&mut elsewhere);
        nodes.sort_by_key(|node| (node.start, node.end));
        let mut tiles: Vec<Node> = Vec::new();
        // The end of the last field, and its path.
        let (mut reached, mut last) = (0, String::new());
        for node in nodes {
            let (start, end, path) = (node.start, node.end, path_of(&node));
            if start >= reached {
                tiles.push(node);
            } else if start < end || !node.complete {
                let shared = start..reached.min(end);
                let message = format!("{} of it belong to {last} too", amount(shared.end - shared.start));
                self.push(Finding {
                    rule: Name::new("overlap"),
                    severity: Severity::Error,
                    path: path.clone(),
                    space,
                    bytes: shared,
                    message,
                });
                if end > reached {
                    let rest = Node { name: node.name, index: node.index, ..Node::leaf("", reached, end) };
                    tiles.push(Node { meaning: format!("the rest of it, which overlaps {last}"), ..rest });
                }
                overlapping.push(node);
            }
            if end > reached {
                (reached, last) = (end, path);
            }
        }
        tiles
    }

    /// Gives each of these structures a space of its own.
    fn add_overlapping(&mut self, content: &[u8], nodes: Vec<Node>) {
        for mut node in nodes {
            let id = self.spaces.len() as u32 + 1;
            let start = node.start;
            let content = &content[start as usize..node.end as usize];
            let title = format!("{}, which begins at byte {start}", path_of(&node));
            rebase(&mut node, start);
            self.spaces.push(space(id, &title, content, vec![node]));
        }
    }
}

fn space(id: u32, title: &str, content: &[u8], nodes: Vec<Node>) -> Space {
    let read_at = |buffer: &mut [u8], offset: u64| {
        buffer.copy_from_slice(&content[offset as usize..][..buffer.len()]);
        Ok::<(), Infallible>(())
    };
    let Ok(space) = Space::new(id, title, content.len() as u64, nodes, read_at);
    space
}

/// The bytes of a field by its path from the file: `header.length`, or `table[3].length`.
fn located(parts: &HashMap<String, &Node>, path: &str) -> Option<Range<u64>> {
    let name = path.find(['.', '[']).unwrap_or(path.len());
    let index = path.find(']').map_or(0, |end| end + 1);
    let within = |end: usize| parts.get(&path[..end])?.locate(&path[end..]);
    within(name).or_else(|| within(index))
}

/// Takes out the parts of a structure that stand elsewhere (`seek_before`), so that the others follow each other inside it.
fn straighten(node: &mut Node, length: u64, elsewhere: &mut Vec<Node>) {
    (node.start, node.end) = (node.start.min(length), node.end.min(length));
    let (mut reached, end) = (node.start, node.end);
    for mut child in std::mem::take(&mut node.children) {
        straighten(&mut child, length, elsewhere);
        if child.start < reached || child.end > end {
            elsewhere.push(child);
        } else {
            reached = child.end;
            node.children.push(child);
        }
    }
}

/// Moves a structure so that its offsets are counted from `by`.
fn rebase(node: &mut Node, by: u64) {
    node.start -= by;
    node.end -= by;
    node.children.iter_mut().for_each(|child| rebase(child, by));
}
