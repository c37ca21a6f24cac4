//! Records the fields that this thread reads as nodes of a map.
//!
//! binrw's parsers take a reader, a byte order and arguments, but not a recorder. So the recording is a thread-local
//! variable, and the hooks of `#[layout]` call [`field`] and [`element`] around each parser. [`session`] sets the
//! recording of an outer session aside and restores it on drop, even in a panic, so a parser may start its own session.
//!
//! A field is a [`Frame`] on a stack while its parser runs. When the parser returns, the frame becomes a node under the enclosing
//! frame. The first frame whose parser fails has the path and the bytes of the error, which become the [`Failure`]. A field that
//! is read successfully clears the failure, because an earlier alternative that failed did no harm.
//!
//! Reading is never refused because the map is full. Elements beyond the first few and parts beyond the limit on
//! nodes are read with recording paused and share a node.

mod asides;
mod frame;
mod recording;
mod steps;

pub use asides::Asides;
pub use frame::Failure;

use crate::depth;
use crate::elsewhere;
use crate::error::{Problem, problem};
use crate::finding::Severity;
use crate::label::Label;
use crate::mode::{self, JUDGED, PAUSED, PEEKED_AT, RECORDED};
use crate::nodes::{Id, Index, Nodes, Opened, step};
use crate::peek;
use crate::pieces;
use crate::reference::Layout;
use crate::source::Source;
use crate::value::Value;
use crate::violation::{self, Violation};
use binrw::BinResult;
use binrw::io::Seek;
use frame::{Frame, Part};
use recording::Recording;
use std::cell::RefCell;
use std::ops::Range;

thread_local! {
    static RECORDING: RefCell<Recording> = const { RefCell::new(Recording::of(Nodes::within(0))) };
}

/// Returns whether this thread records.
#[inline]
pub fn is_on() -> bool {
    mode::has(RECORDED)
}

/// The outer session. It is restored on drop, even in a panic.
struct Outer(Option<Recording>, #[allow(dead_code, reason = "its drop matters")] pieces::Outer);

impl Outer {
    fn set_aside(own: Nodes) -> Self {
        Outer(Some(RECORDING.replace(Recording::of(own))), pieces::set_aside())
    }
}

impl Drop for Outer {
    fn drop(&mut self) {
        if let Some(outer) = self.0.take() {
            RECORDING.set(outer);
        }
    }
}

fn with<T>(work: impl FnOnce(&mut Recording) -> T) -> T {
    RECORDING.with_borrow_mut(work)
}

/// Records what `parse` reads as a node without a position. Nested sessions are independent.
pub fn session<'s, T: Layout>(
    source: Source<'s>,
    nodes: &mut Nodes,
    parse: impl FnOnce(&mut Source<'s>) -> BinResult<T>,
) -> (BinResult<T>, Id, Option<Failure>, (Asides, Vec<Opened>)) {
    let _outer = Outer::set_aside(std::mem::take(nodes));
    let _mode = mode::only(RECORDED | mode::of(JUDGED | PEEKED_AT));
    depth::start_over();
    let mut reader = source;
    let start = source.position();
    let root = with(|recording| recording.begin::<T>(Part::new("", None, start), None));
    let bytes = source.length();
    let result = elsewhere::bounded(bytes, || depth::deeper(|| parse(&mut reader)));
    let failure = with(|recording| {
        let reached = recording.open.last().and_then(|root| root.last).map_or(start, |last| last.end);
        recording.end(&result, if result.is_ok() { reader.position() } else { reached });
        *nodes = std::mem::take(&mut recording.nodes);
        let aside = (std::mem::take(&mut recording.asides), std::mem::take(&mut recording.opened));
        (recording.failure.take(), aside)
    });
    let (failure, aside) = failure;
    (result, Id(root), failure, aside)
}

/// Runs `read` as if it were recorded and discards the record.
#[cfg(feature = "arbitrary")]
pub fn recorded<T>(read: impl FnOnce() -> T) -> T {
    let _outer = Outer::set_aside(Nodes::new());
    let _mode = mode::with(RECORDED);
    with(|recording| recording.begin::<u8>(Part::new("", None, 0), None));
    read()
}

/// Reads a field under its own node.
pub fn field<V: Layout, R: Seek>(
    reader: &mut R,
    label: &'static Label,
    parse: impl FnOnce(&mut R) -> BinResult<V>,
) -> BinResult<V> {
    let part = Part::new(label.name, None, reader.stream_position()?);
    node(reader, (part, Some(label)), parse)
}

/// Reads a list element under its own node.
pub fn element<V: Layout, R: Seek>(
    reader: &mut R,
    name: &'static str,
    index: u64,
    parse: impl FnOnce(&mut R) -> BinResult<V>,
) -> BinResult<V> {
    let part = Part::new(name, Some(Index::One(index)), reader.stream_position()?);
    node(reader, (part, None), parse)
}

fn node<V: Layout, R: Seek>(
    reader: &mut R,
    (part, label): (Part, Option<&'static Label>),
    parse: impl FnOnce(&mut R) -> BinResult<V>,
) -> BinResult<V> {
    with(|recording| recording.begin::<V>(part, label));
    let result = parse(reader);
    let end = reader.stream_position().ok().filter(|_| result.is_ok());
    if let (Ok(value), Some(end)) = (&result, end) {
        judge(value, part.start..end);
    }
    with(|recording| {
        let reached = recording.open.last().and_then(|open| open.last).map_or(0, |last| last.end);
        recording.end(&result, end.unwrap_or_else(|| reached.max(part.start.saturating_add(V::MIN_SIZE))));
    });
    result
}

/// Records a flaw in the value of the field that is being read.
pub fn judge<V: Layout>(value: &V, bytes: Range<u64>) {
    if V::NATURE.is_sound {
        return;
    }
    flawed(value, bytes);
    if !is_on() {
        match value.missing() {
            0 => {}
            _ if peek::is_on() => peek::doubt(),
            missing => with(|recording| recording.lose(missing)),
        }
    }
}

/// Adds an error in the value of the field that is being read, except missing bytes.
fn flawed<V: Layout>(value: &V, bytes: Range<u64>) {
    if V::MAY_BE_FLAWED
        && violation::are_wanted()
        && let Some((rule, message)) = value.flaw()
    {
        violation::add(|| Violation { rule, severity: Severity::Error, path: open_path(), bytes, message });
    }
}

/// Creates one node for the elements of a list that are not shown individually.
pub fn summary<T: Layout>(name: &'static str, index: Range<u64>, bytes: Range<u64>) {
    with(|recording| recording.add_summary::<T>(name, index, bytes));
}

/// Runs `read` without recording the list element that it reads. Its fields are still checked.
///
/// If it fails, the list reads the element again with nodes, to find out which field is wrong. The counts of the
/// first attempt are undone, because everything would be counted twice otherwise.
pub fn paused<T>(element: (&'static str, u64), read: impl FnOnce() -> BinResult<T>) -> BinResult<T> {
    let before =
        with(|recording| (recording.lost(), recording.asides.count(), recording.asides.set_element(Some(element))));
    let judged = mode::with(JUDGED | PAUSED);
    let paused = mode::without(RECORDED);
    let result = read();
    drop((paused, judged));
    with(|recording| {
        let (lost, asides, element) = before;
        recording.asides.set_element(element);
        if result.is_err() {
            recording.set_lost(lost);
            recording.asides.truncate(asides);
        }
    });
    if result.is_err() {
        depth::start_over();
    }
    result
}

/// Records a flaw in the field that is being read, if no error reports it. `alternative` names an alternative that was
/// not reached.
#[cold]
pub fn note(alternative: Option<&'static str>, problem: &Problem) {
    if is_on() {
        if let Some(name) = alternative {
            begin_alternative(name);
        }
        with(|recording| recording.note(problem));
    }
}

/// Drops the parts of the field that is being read and records which alternative is tried next.
pub fn begin_alternative(name: &'static str) {
    if let Some((start, known)) = with(|recording| recording.begin_alternative(name)) {
        violation::forget_from(start, known);
    }
}

/// Reads a field whose parts belong to the field that is being read. Its alternatives keep earlier parts. Its error
/// is recorded, but an enclosing alternative drops that error.
pub fn among<T>(read: impl FnOnce() -> BinResult<T>) -> BinResult<T> {
    if !is_on() {
        return read();
    }
    let base = with(Recording::set_base);
    let result = read();
    with(|recording| {
        recording.restore_base(base);
        if let Err(error) = &result {
            recording.note_error(error);
        }
    });
    result
}

/// The name of the field that is being read.
pub fn open_name() -> &'static str {
    with(|recording| recording.open.last().map_or("", |frame| frame.part.name))
}

/// The node and the path of the last part of the open field with this name, and the maximum number of nodes for its
/// content. `None` if the map has no room.
pub fn opener(name: &'static str) -> Option<(Id, String, u64)> {
    let path = path_beside(name);
    with(|recording| recording.last_named(name).map(|last| (last, path, recording.nodes.room())))
}

/// Changes the value of the last part of the open field, which must have this name.
pub fn set_last_value(name: &'static str, value: &Value) {
    with(|recording| {
        if let Some(Id(last)) = recording.last_named(name) {
            recording.nodes.set_value(last, value);
        }
    });
}

/// Adds the content of a field.
pub fn open(opened: Opened) {
    with(|recording| recording.opened.push(opened));
}

/// Marks the last part of the field that is being read as complete.
pub fn set_last_child_complete(is_complete: bool) {
    with(|recording| recording.set_last_complete(is_complete));
}

/// Adds a field that could not be read because an expression in its declaration has no result.
pub fn add_failed(name: &'static str) {
    with(|recording| recording.add_failed(name));
}

/// Returns the path of the field that is being read. For an element that is not recorded, this is the path of its list.
pub fn open_path() -> String {
    with(|recording| recording.path())
}

/// Returns the path of a field in the structure that is being read. In an element that is not recorded, this is the
/// path of its list.
pub fn path_beside(name: &'static str) -> String {
    let mut path = open_path();
    if is_on() {
        step(name, None, &mut path);
    }
    path
}

/// The bytes of a field that was read in the structure that is being read, if it is recorded.
pub fn bytes_beside(name: &str) -> Option<Range<u64>> {
    if is_on() { with(|recording| recording.last_of(name)) } else { None }
}

/// Adds a node for the unused bytes of a structure, if it has parts, and returns their path.
pub fn add_surplus(range: Range<u64>) -> String {
    const NAME: &str = "surplus";
    if with(|recording| recording.add_surplus(NAME, range)) { path_beside(NAME) } else { open_path() }
}

/// Removes the list of structures at offsets from the open fields on drop, even in a panic.
struct OpenList;

impl Drop for OpenList {
    fn drop(&mut self) {
        RECORDING.with_borrow_mut(|recording| recording.open.pop());
    }
}

/// Reads the elements of a list at offsets, whose paths contain the name of the list.
pub fn list<V: Layout, T>(label: &'static Label, read: impl FnOnce() -> T) -> T {
    if mode::has(RECORDED) {
        with(|recording| {
            let part = Part::new(label.name, None, 0);
            let number = recording.unlinked::<V>(part, Some(label));
            let mark = recording.nodes.mark();
            recording.open.push(Frame::new(part, number, mark));
        });
        let _list = OpenList;
        return read();
    }
    if !mode::has(PAUSED) {
        return read();
    }
    under(label.name, None, read)
}

/// Runs `read` with one more path step while nothing is recorded.
fn under<T>(name: &'static str, index: Option<Index>, read: impl FnOnce() -> T) -> T {
    let outer = with(|recording| {
        let around = recording.step_of_paused();
        let step = recording.asides.push(name, index, around);
        std::mem::replace(&mut recording.asides.under, step)
    });
    let result = read();
    with(|recording| recording.asides.under = outer);
    result
}

/// Reads a structure at the reader's position under a separate node. If it has no parts, it is a single node.
pub fn aside<V: Layout, R: Seek>(
    reader: &mut R,
    (name, index): (&'static str, Option<u64>),
    label: Option<&'static Label>,
    has_parts: bool,
    parse: impl FnOnce(&mut R) -> BinResult<V>,
) -> BinResult<V> {
    let is_recorded = mode::has(RECORDED);
    if !is_recorded && !mode::has(PAUSED) {
        return parse(reader);
    }
    let index = index.map(Index::One);
    let part = Part::new(name, index, reader.stream_position()?);
    with(|recording| {
        let around = recording.step_of_paused();
        recording.begin_aside::<V>(part, label, around);
    });
    let result = match is_recorded && has_parts {
        true => parse(reader),
        false => {
            let _judged = mode::with(JUDGED | PAUSED);
            let _paused = mode::without(RECORDED);
            let step = with(Recording::step);
            let outer = with(|recording| std::mem::replace(&mut recording.asides.under, step));
            let result = parse(reader);
            with(|recording| recording.asides.under = outer);
            result
        }
    };
    let end = reader.stream_position().ok().filter(|_| result.is_ok());
    if let (Ok(value), Some(end)) = (&result, end) {
        flawed(value, part.start..end);
    }
    with(|recording| {
        let reached = recording.open.last().and_then(|open| open.last).map_or(0, |last| last.end);
        recording.finish(&result, end.unwrap_or_else(|| reached.max(part.start.saturating_add(V::MIN_SIZE))));
    });
    result
}

/// Records that a structure cannot be read, unless the reason is already known.
pub fn fail_before(name: &'static str, index: Option<u64>, error: &binrw::Error) {
    if mode::has(RECORDED) {
        let path = path_aside(name, index);
        with(|recording| {
            let problem = problem(error, None);
            let at = match error {
                binrw::Error::Custom { pos, .. } => *pos,
                _ => recording.open.last().map_or(0, |open| open.part.start),
            };
            recording.failure.get_or_insert(Failure { path, bytes: at..at, problem });
        });
    }
}

/// The path of a structure that is being read separately.
pub fn path_aside(name: &'static str, index: Option<u64>) -> String {
    with(|recording| {
        if mode::has(RECORDED) {
            let mut path = recording.path();
            step(name, index.map(Index::One), &mut path);
            return path;
        }
        let around = recording.step_of_paused();
        recording.asides.path(around, name, index)
    })
}

/// Returns why the last structure cannot be read, if it had a node.
pub fn take_failure() -> Option<Failure> {
    if mode::has(RECORDED) { with(|recording| recording.failure.take()) } else { None }
}
