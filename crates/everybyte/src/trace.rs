//! Reading layouts: fast, and traced into a tree of nodes.

use crate::error::problem;
use crate::{Bits, Layout, ParseError, Problem, Role, Source, Value};
use binrw::io::{self, Cursor, SeekFrom};
use binrw::{BinRead, BinResult, BinWrite, Endian};
use std::fmt::Write;
use std::ops::Range;

/// The place of an element in its list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Index {
    /// One element.
    One(u64),
    /// The elements from the first number up to, but not including, the second.
    Range(u64, u64),
}

/// One field of a concrete file: its place and its value.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// The field's name; the type's name for a whole structure.
    pub name: &'static str,
    /// Its place in a list.
    pub index: Option<Index>,
    /// Its first byte.
    pub start: u64,
    /// The byte after its last one.
    pub end: u64,
    /// The name of its type.
    pub type_name: String,
    /// Its value.
    pub value: Value,
    /// The meaning of the value, in words.
    pub meaning: String,
    /// The purpose of the field.
    pub doc: &'static str,
    /// The role of its number, if the declaration states one.
    pub role: Option<Role>,
    /// True if its value identifies the element of a list that it is in.
    pub is_key: bool,
    /// The number of the space that its bytes decompress into; greater than that of its own space.
    pub opens: Option<u32>,
    /// The text that identifies it in its list, where neither its index nor a field of it does.
    pub key: Option<String>,
    /// The named bits of its value.
    pub bits: Vec<Bits>,
    /// Bytes that it should have after its last one, where the space ends.
    pub missing: u64,
    /// False if reading failed inside it.
    pub complete: bool,
    /// Bytes of each of the elements that share the node, if these are fixed.
    pub each: Option<u64>,
    /// Its parts, in file order.
    pub children: Vec<Node>,
    /// Its first bytes. Reading leaves them empty; [`Space::new`](crate::map::Space::new) fills them in.
    pub first_bytes: Vec<u8>,
}

impl Node {
    /// A node without parts.
    pub fn leaf(name: &'static str, start: u64, end: u64) -> Self {
        Node {
            name,
            index: None,
            start,
            end,
            type_name: String::new(),
            value: Value::None,
            meaning: String::new(),
            doc: "",
            role: None,
            is_key: false,
            opens: None,
            key: None,
            bits: Vec::new(),
            missing: 0,
            complete: true,
            each: None,
            children: Vec::new(),
            first_bytes: Vec::new(),
        }
    }

    /// Bytes of memory that the node holds beside its own `size_of`, those of its parts included.
    pub fn heap(&self) -> u64 {
        let key = self.key.as_ref().map_or(0, String::capacity);
        let texts = self.type_name.capacity() + self.meaning.capacity() + self.first_bytes.capacity() + key;
        let lists = self.bits.capacity() * size_of::<Bits>() + self.children.capacity() * size_of::<Node>();
        (texts + lists) as u64 + self.value.heap() + self.children.iter().map(Node::heap).sum::<u64>()
    }

    /// The number of its fields that have no parts; 1 if it is such a field itself.
    pub fn leaves(&self) -> usize {
        if self.children.is_empty() { 1 } else { self.children.iter().map(Node::leaves).sum() }
    }

    /// The bytes of a field inside this one, by its path from here, such as `lookup[7].offset`. For a field of an element
    /// without a node of its own, the bytes of the element, or of all elements that share the node if their sizes differ.
    /// For a run of bits, the bytes of its integer.
    pub fn locate(&self, path: &str) -> Option<Range<u64>> {
        let (mut node, mut place) = (self, self.start..self.end);
        let steps = path.split(['.', '[']).filter(|step| !step.is_empty());
        for step in steps {
            let element = step.strip_suffix(']').and_then(|index| index.parse().ok());
            let is_it = |child: &&Node| match (element, child.index) {
                (Some(wanted), Some(Index::One(index))) => wanted == index,
                (Some(wanted), Some(Index::Range(start, end))) => (start..end).contains(&wanted),
                (Some(_), None) | (None, Some(_)) => false,
                (None, None) => child.name == step,
            };
            match node.children.iter().find(is_it) {
                Some(child) => {
                    (node, place) = (child, child.start..child.end);
                    if let (Some(wanted), Some(Index::Range(first, _)), Some(each)) = (element, child.index, child.each)
                    {
                        place.start += (wanted - first) * each;
                        place.end = place.start + each;
                    }
                }
                // A list whose elements share one node ends the search.
                None if matches!(node.index, Some(Index::Range(..))) => break,
                // So do bits, which have no bytes of their own.
                None if node.bits.iter().any(|bits| bits.name == step) => break,
                None => return None,
            }
        }
        Some(place)
    }

    /// Adds the step of an element that has a key.
    pub(crate) fn keyed_step(&self, key: &str, path: &mut String) {
        if begins(path) {
            path.push_str(self.name);
        }
        path.push_str(&format!("[{key}]"));
    }

    /// Adds the node's own step to the path of the structure around it.
    pub fn step(&self, path: &mut String) {
        if begins(path) && self.index.is_some() {
            path.push_str(self.name);
        }
        match self.index {
            Some(Index::One(index)) => write!(path, "[{index}]"),
            Some(Index::Range(start, end)) => write!(path, "[{start}..{end}]"),
            None => {
                if !begins(path) {
                    path.push('.');
                }
                write!(path, "{}", self.name)
            }
        }
        .expect("writing to a string does not fail");
    }
}

/// Returns whether nothing stands in a path yet, or nothing after the field that decompresses into a space.
fn begins(path: &str) -> bool {
    path.is_empty() || path.ends_with('!')
}

/// Reads a structure. A failure is read again, traced, so that the error names field and offset.
pub fn read<'a, T>(mut source: Source<'_>, endian: Endian, args: T::Args<'a>) -> Result<T, Box<ParseError>>
where
    T: BinRead + Layout,
    T::Args<'a>: Clone,
{
    read_next(&mut source, endian, args)
}

/// Reads a structure and moves the source to the byte after it.
pub fn read_next<'a, T>(source: &mut Source<'_>, endian: Endian, args: T::Args<'a>) -> Result<T, Box<ParseError>>
where
    T: BinRead + Layout,
    T::Args<'a>: Clone,
{
    let start = *source;
    T::read_options(source, endian, args.clone()).or_else(|_| trace(start, endian, args).0)
}

/// Reads a structure and records every field of it. A broken structure is recorded up to the break.
pub fn trace<'a, T>(source: Source<'_>, endian: Endian, args: T::Args<'a>) -> (Result<T, Box<ParseError>>, Node)
where
    T: BinRead + Layout,
{
    let (result, mut root) = recorder::session(source, |reader| T::read_options(reader, endian, args));
    let result = result.map_err(|error| Box::new(describe(&error, &root, source)));
    let ends = matches!(&result, Err(error) if matches!(error.problem, Problem::End { .. }));
    end_with_space(&mut root, source.length(), ends);
    (result, root)
}

/// The bytes of a structure. Regions inside it become zeros where something follows them.
pub fn write<T>(value: &T, endian: Endian) -> BinResult<Vec<u8>>
where
    T: for<'a> BinWrite<Args<'a> = ()>,
{
    let mut bytes = Cursor::new(Vec::new());
    value.write_options(&mut bytes, endian, ())?;
    Ok(bytes.into_inner())
}

/// The bytes that a structure takes, including the regions inside it.
pub fn length_of<T>(value: &T, endian: Endian) -> u64
where
    T: for<'a> BinWrite<Args<'a> = ()>,
{
    let mut measure = Measure::default();
    // A structure that cannot be written has no length that anything could have room for.
    value.write_options(&mut measure, endian, ()).map_or(u64::MAX, |()| measure.0)
}

/// Counts what is written.
#[derive(Default)]
struct Measure(u64);

impl io::Write for Measure {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl io::Seek for Measure {
    fn seek(&mut self, target: SeekFrom) -> io::Result<u64> {
        match target {
            SeekFrom::Start(position) => self.0 = position,
            SeekFrom::Current(0) => {}
            _ => return Err(io::ErrorKind::Unsupported.into()),
        }
        Ok(self.0)
    }
}

/// The place of a failure, from the trail of unfinished nodes, and what is wrong there.
fn describe(error: &binrw::Error, root: &Node, source: Source<'_>) -> ParseError {
    let mut path = String::new();
    let mut alternatives = Vec::new();
    let mut node = root;
    loop {
        if let Value::Name(alternative) = node.value {
            alternatives.push(alternative);
        }
        let Some(broken) = node.children.iter().rev().find(|child| !child.complete) else { break };
        broken.step(&mut path);
        node = broken;
    }
    let (offset, mut length) = (node.start, node.end - node.start);
    let left = source.length().saturating_sub(offset);
    let problem = match problem(error, &alternatives) {
        Problem::End { .. } => {
            // A field of variable length, such as text without its end, took all that is left and needs more.
            length = length.max(left.saturating_add(1));
            Problem::End { needed: length, left }
        }
        Problem::UnknownCode { .. } => Problem::UnknownCode { found: bytes_at(source, offset, length) },
        Problem::TooMany { count, element, left } => {
            length = left;
            Problem::TooMany { count, element, left }
        }
        other => other,
    };
    ParseError { path, offset, length, problem }
}

/// Ends unfinished nodes at the end of the space, or before; `exactly` there if the end of the space stopped them.
fn end_with_space(node: &mut Node, length: u64, exactly: bool) {
    let end = if exactly && !node.complete { length } else { node.end.min(length) };
    node.end = end.max(node.start);
    for child in node.children.iter_mut().filter(|child| !child.complete) {
        end_with_space(child, length, exactly);
    }
}

fn bytes_at(source: Source<'_>, offset: u64, length: u64) -> Vec<u8> {
    let length = usize::try_from(length).unwrap_or(usize::MAX).min(16);
    source.bytes_from(offset).iter().take(length).copied().collect()
}

/// The trace in the making: a stack of nodes that are being read, for the thread that reads.
pub(crate) mod recorder {
    use super::{Index, Node};
    use crate::hook::Label;
    use crate::{Layout, Source, Value};
    use binrw::BinResult;
    use binrw::io::Seek;
    use std::cell::{Cell, RefCell};
    use std::ops::Range;

    thread_local! {
        static ON: Cell<bool> = const { Cell::new(false) };
        static OPEN: RefCell<Vec<Node>> = const { RefCell::new(Vec::new()) };
    }

    /// Returns whether this thread records.
    #[inline]
    pub fn is_on() -> bool {
        ON.get()
    }

    /// Turns recording on or off, and restores it on drop, even in a panic.
    struct Switch(bool);

    impl Switch {
        fn set(on: bool) -> Self {
            Switch(ON.replace(on))
        }
    }

    impl Drop for Switch {
        fn drop(&mut self) {
            ON.set(self.0);
        }
    }

    /// The nodes of the session around this one. They are restored on drop, even in a panic.
    struct Outer(Vec<Node>);

    impl Outer {
        fn set_aside() -> Self {
            Outer(OPEN.take())
        }
    }

    impl Drop for Outer {
        fn drop(&mut self) {
            OPEN.set(std::mem::take(&mut self.0));
        }
    }

    /// Records what `parse` reads under a root node. A session inside a session stands apart from it.
    pub fn session<'s, T: Layout>(
        source: Source<'s>,
        parse: impl FnOnce(&mut Source<'s>) -> BinResult<T>,
    ) -> (BinResult<T>, Node) {
        let _outer = Outer::set_aside();
        let _switch = Switch::set(true);
        let mut reader = source;
        let start = source.position();
        OPEN.with_borrow_mut(|open| open.push(opened::<T>(Node::leaf("", start, start))));
        let result = parse(&mut reader);
        let mut root = OPEN.take().pop().expect("every node that was opened inside the root is closed");
        match &result {
            Ok(value) => close(&mut root, reader.position(), value),
            Err(_) => root.end = root.children.last().map_or(start, |child| child.end),
        }
        (result, root)
    }

    /// Reads one field under a node of its own.
    pub fn field<V: Layout, R: Seek>(
        reader: &mut R,
        label: Label,
        parse: impl FnOnce(&mut R) -> BinResult<V>,
    ) -> BinResult<V> {
        let start = reader.stream_position()?;
        let Label { name, doc, role, is_key } = label;
        node(reader, Node { doc, role, is_key, ..Node::leaf(name, start, start) }, parse)
    }

    /// Reads one element of a list under a node of its own. A number in a list has the role of the list.
    pub fn element<V: Layout, R: Seek>(
        reader: &mut R,
        name: &'static str,
        index: u64,
        parse: impl FnOnce(&mut R) -> BinResult<V>,
    ) -> BinResult<V> {
        let start = reader.stream_position()?;
        let role = OPEN.with_borrow(|open| open.last().and_then(|list| list.role));
        node(reader, Node { index: Some(Index::One(index)), role, ..Node::leaf(name, start, start) }, parse)
    }

    fn node<V: Layout, R: Seek>(
        reader: &mut R,
        node: Node,
        parse: impl FnOnce(&mut R) -> BinResult<V>,
    ) -> BinResult<V> {
        let start = node.start;
        OPEN.with_borrow_mut(|open| open.push(opened::<V>(node)));
        let result = parse(reader);
        let end = reader.stream_position();
        OPEN.with_borrow_mut(|open| {
            let mut node = open.pop().expect("the node was opened above");
            match (&result, end) {
                (Ok(value), Ok(end)) => close(&mut node, end, value),
                _ => {
                    let reached = node.children.last().map_or(0, |child| child.end);
                    node.end = reached.max(start.saturating_add(V::MIN_SIZE));
                }
            }
            if let Some(parent) = open.last_mut() {
                parent.children.push(node);
            }
        });
        result
    }

    /// One node for the elements of a list that are not shown one by one.
    pub fn summary<T: Layout>(name: &'static str, index: Index, range: Range<u64>) {
        let (index, type_name, each) = (Some(index), T::type_name(), T::SIZE);
        OPEN.with_borrow_mut(|open| {
            if let Some(parent) = open.last_mut() {
                let node = Node::leaf(name, range.start, range.end);
                parent.children.push(Node { index, type_name, each, role: parent.role, ..node });
            }
        });
    }

    /// The same, before an element that failed. Does nothing if that is the first of them.
    pub fn summary_before_last<T: Layout>(name: &'static str, index: Index, range: Range<u64>) {
        if range.is_empty() {
            return;
        }
        let failed = OPEN.with_borrow_mut(|open| open.last_mut().and_then(|parent| parent.children.pop()));
        summary::<T>(name, index, range);
        OPEN.with_borrow_mut(|open| {
            if let Some(parent) = open.last_mut() {
                parent.children.extend(failed);
            }
        });
    }

    /// Runs `read` without recording it.
    pub fn paused<T>(read: impl FnOnce() -> T) -> T {
        let _switch = Switch::set(false);
        read()
    }

    /// Drops the parts of the node that is being read, and notes the alternative that is tried now.
    pub fn begin_alternative(name: &'static str) {
        OPEN.with_borrow_mut(|open| {
            if let Some(node) = open.last_mut() {
                node.children.clear();
                node.value = Value::Name(name);
            }
        });
    }

    /// The name of the field that is being read.
    pub fn open_name() -> &'static str {
        OPEN.with_borrow(|open| open.last().map_or("", |node| node.name))
    }

    /// Marks the last part of the node that is being read.
    pub fn set_last_child_complete(complete: bool) {
        OPEN.with_borrow_mut(|open| {
            if let Some(child) = open.last_mut().and_then(|node| node.children.last_mut()) {
                child.complete = complete;
            }
        });
    }

    /// Drops the last part of the node that is being read.
    pub fn forget_last_child() {
        OPEN.with_borrow_mut(|open| {
            if let Some(node) = open.last_mut() {
                node.children.pop();
            }
        });
    }

    fn opened<V: Layout>(node: Node) -> Node {
        Node { type_name: V::type_name(), complete: false, ..node }
    }

    fn close<V: Layout>(node: &mut Node, end: u64, value: &V) {
        node.end = end;
        node.value = value.value();
        node.meaning = value.meaning().into_owned();
        node.bits = value.bits();
        node.missing = value.missing();
        node.complete = true;
    }
}
