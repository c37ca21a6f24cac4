//! The map in the making, for the thread that reads.

mod frame;
mod recording;

pub use frame::Failure;

use crate::depth;
use crate::error::Problem;
use crate::finding::Severity;
use crate::flaw::{self, Flaw};
use crate::glance;
use crate::label::Label;
use crate::mode::{self, GLANCED_AT, JUDGED, RECORDED};
use crate::nodes::{Id, Index, Nodes, step};
use crate::reference::Layout;
use crate::source::Source;
use binrw::BinResult;
use binrw::io::Seek;
use frame::Part;
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

/// The session around this one. It is restored on drop, even in a panic.
struct Outer(Option<Recording>);

impl Outer {
    fn set_aside(own: Nodes) -> Self {
        Outer(Some(RECORDING.replace(Recording::of(own))))
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

/// Records what `parse` reads as a node, which stands nowhere yet. A session inside a session stands apart from it.
pub fn session<'s, T: Layout>(
    source: Source<'s>,
    nodes: &mut Nodes,
    parse: impl FnOnce(&mut Source<'s>) -> BinResult<T>,
) -> (BinResult<T>, Id, Option<Failure>) {
    let _outer = Outer::set_aside(std::mem::take(nodes));
    let _mode = mode::only(RECORDED | mode::of(JUDGED | GLANCED_AT));
    depth::start_over();
    let mut reader = source;
    let start = source.position();
    let root = with(|recording| recording.begin::<T>(Part::new("", None, start), None));
    let result = depth::deeper(|| parse(&mut reader));
    let failure = with(|recording| {
        let reached = recording.open.last().and_then(|root| root.last).map_or(start, |last| last.end);
        recording.end(&result, if result.is_ok() { reader.position() } else { reached });
        *nodes = std::mem::take(&mut recording.nodes);
        recording.failure.take()
    });
    (result, Id(root), failure)
}

/// Runs `read` as if it were recorded, and forgets what was.
#[cfg(feature = "arbitrary")]
pub fn recorded<T>(read: impl FnOnce() -> T) -> T {
    let _outer = Outer::set_aside(Nodes::new());
    let _mode = mode::with(RECORDED);
    with(|recording| recording.begin::<u8>(Part::new("", None, 0), None));
    read()
}

/// Reads one field under a node of its own.
pub fn field<V: Layout, R: Seek>(
    reader: &mut R,
    label: &'static Label,
    parse: impl FnOnce(&mut R) -> BinResult<V>,
) -> BinResult<V> {
    let part = Part::new(label.name, None, reader.stream_position()?);
    node(reader, (part, Some(label)), parse)
}

/// Reads one element of a list under a node of its own.
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

/// Adds what is wrong with the value of the field that is being read.
pub fn judge<V: Layout>(value: &V, bytes: Range<u64>) {
    if V::NATURE.is_sound {
        return;
    }
    if V::MAY_BE_FLAWED
        && flaw::are_wanted()
        && let Some((rule, message)) = value.flaw()
    {
        flaw::add(|| Flaw { rule, severity: Severity::Error, path: open_path(), bytes, message });
    }
    if !is_on() {
        match value.missing() {
            0 => {}
            _ if glance::is_on() => glance::doubt(),
            missing => with(|recording| recording.lose(missing)),
        }
    }
}

/// One node for the elements of a list that are not shown one by one.
pub fn summary<T: Layout>(name: &'static str, index: Range<u64>, bytes: Range<u64>) {
    with(|recording| recording.add_summary::<T>(name, index, bytes));
}

/// Runs `read` without recording it. Its fields are judged.
pub fn paused<T>(read: impl FnOnce() -> BinResult<T>) -> BinResult<T> {
    let before = with(|recording| recording.lost());
    let _judged = mode::with(JUDGED);
    let _paused = mode::without(RECORDED);
    let result = read();
    if result.is_err() {
        with(|recording| recording.set_lost(before));
        depth::start_over();
    }
    result
}

/// Notes what is wrong with the field that is being read, where no error says it. An alternative that was not reached has a
/// name.
#[cold]
pub fn note(alternative: Option<&'static str>, problem: &Problem) {
    if is_on() {
        if let Some(name) = alternative {
            begin_alternative(name);
        }
        with(|recording| recording.note(problem));
    }
}

/// Drops the parts of the field that is being read, and notes the alternative that is tried now.
pub fn begin_alternative(name: &'static str) {
    if let Some(start) = with(|recording| recording.begin_alternative(name)) {
        flaw::forget_from(start);
    }
}

/// Reads a field whose parts are those of the field that is being read. Its alternatives leave the parts before it. Its error is
/// noted: an alternative around it drops it.
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

/// Marks the last part of the field that is being read.
pub fn set_last_child_complete(is_complete: bool) {
    with(|recording| recording.set_last_complete(is_complete));
}

/// Adds a field that could not be read, since an expression of its declaration has no result.
pub fn add_failed(name: &'static str) {
    with(|recording| recording.add_failed(name));
}

/// The path of the field that is being read; that of the list, for an element that is not recorded.
pub fn open_path() -> String {
    with(|recording| recording.path())
}

/// The path of a field in the structure that is being read; that of the list, for an element that is not recorded.
pub fn path_beside(name: &'static str) -> String {
    let mut path = open_path();
    if is_on() {
        step(name, None, &mut path);
    }
    path
}

/// The bytes of a field that was read in the structure that is being read, if that is recorded.
pub fn bytes_beside(name: &str) -> Option<Range<u64>> {
    if is_on() { with(|recording| recording.last_of(name)) } else { None }
}

/// Gives the bytes that a structure leaves a node, if it has parts, and gives their path.
pub fn add_surplus(range: Range<u64>) -> String {
    const NAME: &str = "surplus";
    if with(|recording| recording.add_surplus(NAME, range)) { path_beside(NAME) } else { open_path() }
}
