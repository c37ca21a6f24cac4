//! The trace in the making: a stack of nodes that are being read, for the thread that reads.

use crate::error::amount;
use crate::finding::Severity;
use crate::flaw::{self, Flaw};
use crate::label::Label;
use crate::name::Name;
use crate::node::{Index, Node};
use crate::reference::Layout;
use crate::source::Source;
use crate::value::Value;
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

/// Runs `read` as if it were recorded, and forgets what was.
#[cfg(feature = "arbitrary")]
pub fn recorded<T>(read: impl FnOnce() -> T) -> T {
    let _outer = Outer::set_aside();
    let _switch = Switch::set(true);
    OPEN.with_borrow_mut(|open| open.push(Node::leaf("", 0, 0)));
    read()
}

/// Reads one field under a node of its own.
pub fn field<V: Layout, R: Seek>(
    reader: &mut R,
    label: &Label,
    parse: impl FnOnce(&mut R) -> BinResult<V>,
) -> BinResult<V> {
    let start = reader.stream_position()?;
    let &Label { name, doc, is_key, sum, .. } = label;
    node(reader, Node { doc, role: label.role.clone(), is_key, sum, ..Node::leaf(name, start, start) }, parse)
}

/// Reads one element of a list under a node of its own. A number in a list has the role of the list.
pub fn element<V: Layout, R: Seek>(
    reader: &mut R,
    name: &'static str,
    index: u64,
    parse: impl FnOnce(&mut R) -> BinResult<V>,
) -> BinResult<V> {
    let start = reader.stream_position()?;
    let role = OPEN.with_borrow(|open| open.last().and_then(|list| list.role.clone()));
    node(reader, Node { index: Some(Index::One(index)), role, ..Node::leaf(name, start, start) }, parse)
}

fn node<V: Layout, R: Seek>(reader: &mut R, node: Node, parse: impl FnOnce(&mut R) -> BinResult<V>) -> BinResult<V> {
    let start = node.start;
    OPEN.with_borrow_mut(|open| open.push(opened::<V>(node)));
    let result = parse(reader);
    let end = reader.stream_position();
    if let (Ok(value), Ok(end)) = (&result, &end) {
        judge(value, start..*end);
    }
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

/// Reads a field without a node of its own.
#[inline]
pub fn unrecorded<V: Layout, R: Seek>(reader: &mut R, parse: impl FnOnce(&mut R) -> BinResult<V>) -> BinResult<V> {
    if !V::MAY_BE_FLAWED || !flaw::are_wanted() {
        return parse(reader);
    }
    let start = reader.stream_position()?;
    let value = parse(reader)?;
    judge(&value, start..reader.stream_position()?);
    Ok(value)
}

/// Adds what is wrong with the value of the field that is being read.
fn judge<V: Layout>(value: &V, bytes: Range<u64>) {
    if V::MAY_BE_FLAWED
        && flaw::are_wanted()
        && let Some((rule, message)) = value.flaw()
    {
        flaw::add(Flaw { rule, severity: Severity::Error, path: open_path(), bytes, message });
    }
}

/// One node for the elements of a list that are not shown one by one.
pub fn summary<T: Layout>(name: &'static str, index: Index, range: Range<u64>) {
    let (index, type_name, each) = (Some(index), T::type_name(), T::SIZE);
    OPEN.with_borrow_mut(|open| {
        if let Some(parent) = open.last_mut() {
            let node = Node::leaf(name, range.start, range.end);
            parent.children.push(Node { index, type_name, each, role: parent.role.clone(), ..node });
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
            node.value = Value::Name(Name::new(name));
            flaw::forget_from(node.start);
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

/// Adds a field that could not be read, since an expression of its declaration has no result.
pub fn add_failed(name: &'static str) {
    OPEN.with_borrow_mut(|open| {
        if let Some(node) = open.last_mut() {
            let at = node.children.last().map_or(node.start, |child| child.end);
            node.children.push(Node { complete: false, ..Node::leaf(name, at, at) });
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

/// The path of the field that is being read; that of the list, for an element that is not recorded.
pub fn open_path() -> String {
    OPEN.with_borrow(|open| {
        let mut path = String::new();
        open.iter().skip(1).for_each(|node| node.step(&mut path));
        path
    })
}

/// The path of a field in the structure that is being read; that of the list, for an element that is not recorded.
pub fn path_beside(name: &'static str) -> String {
    let mut path = open_path();
    if is_on() {
        Node::leaf(name, 0, 0).step(&mut path);
    }
    path
}

/// The bytes of a field that was read in the structure that is being read, if that is recorded.
pub fn bytes_beside(name: &str) -> Option<Range<u64>> {
    let of =
        |node: &Node| node.children.iter().rev().find(|child| child.name == name).map(|child| child.start..child.end);
    OPEN.with_borrow(|open| open.last().filter(|_| is_on()).and_then(of))
}

/// Gives the bytes that a structure leaves a node, if it has parts, and gives their path.
pub fn add_surplus(range: Range<u64>) -> String {
    const NAME: &str = "surplus";
    let has_parts = OPEN.with_borrow_mut(|open| {
        let Some(node) = open.last_mut().filter(|node| !node.children.is_empty()) else { return false };
        let doc = "Bytes after the structure, up to the size that is stated.";
        let leaf = Node::leaf(NAME, range.start, range.end);
        node.children.push(Node {
            doc,
            type_name: "bytes".to_owned(),
            meaning: amount(range.end - range.start),
            ..leaf
        });
        true
    });
    if has_parts { path_beside(NAME) } else { open_path() }
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
