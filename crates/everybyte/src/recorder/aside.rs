//! Structures that stand at offsets, aside from the structure that states them. Their paths are those of their fields.

use super::frame::{Failure, Frame, Part};
use super::recording::Recording;
use super::{RECORDING, flawed, with};
use crate::elsewhere;
use crate::error::problem;
use crate::label::Label;
use crate::mode::{self, JUDGED, PAUSED, RECORDED};
use crate::nodes::{AROUND, Chain, Facts, Id, Index, NONE, Nodes, step};
use crate::reference::Layout;
use binrw::BinResult;
use binrw::io::Seek;

/// A step of a path, and the step before it.
#[derive(Debug, Clone, Copy)]
pub struct Step {
    name: &'static str,
    index: Option<Index>,
    around: u32,
}

/// The structures that stand aside, in the order in which they were met.
pub struct Asides {
    /// The node of each, and the step before it.
    all: Vec<(u32, u32)>,
    steps: Vec<Step>,
    /// The element that is read without nodes.
    element: Option<(&'static str, u64)>,
    /// The step of the structure around, where that has no node.
    under: u32,
}

impl Default for Asides {
    fn default() -> Self {
        Asides::new()
    }
}

impl Asides {
    pub const fn new() -> Self {
        Asides { all: Vec::new(), steps: Vec::new(), element: None, under: NONE }
    }

    fn push(&mut self, name: &'static str, index: Option<Index>, around: u32) -> u32 {
        self.steps.push(Step { name, index, around });
        self.steps.len() as u32 - 1
    }

    /// Forgets the structures whose nodes are no more: an arena has this many.
    pub fn cut(&mut self, made: usize) {
        while self.all.last().is_some_and(|&(number, _)| number as usize >= made) {
            self.all.pop();
        }
    }

    /// The nodes of all.
    pub fn ids(&self) -> impl Iterator<Item = Id> + '_ {
        self.all.iter().map(|&(number, _)| Id(number))
    }

    /// The number of structures.
    pub fn count(&self) -> usize {
        self.all.len()
    }

    /// Sets the element that is read without nodes. Returns the one before.
    pub fn set_element(&mut self, element: Option<(&'static str, u64)>) -> Option<(&'static str, u64)> {
        std::mem::replace(&mut self.element, element)
    }

    /// Forgets the structures after the first ones.
    pub fn truncate(&mut self, count: usize) {
        self.all.truncate(count);
    }

    /// The path of a field after a step.
    fn path(&self, mut around: u32, name: &str, index: Option<u64>) -> String {
        let mut steps = Vec::new();
        while around != NONE {
            let step = self.steps[around as usize];
            steps.push(step);
            around = step.around;
        }
        let mut path = String::new();
        steps.iter().rev().for_each(|it| step(it.name, it.index, &mut path));
        step(name, index.map(Index::One), &mut path);
        path
    }

    /// The nodes of all, each inside nodes for the fields around it.
    pub fn wrapped(&self, nodes: &mut Nodes) -> Vec<Id> {
        self.all.iter().map(|&(number, step)| Id(self.wrap(nodes, number, step))).collect()
    }

    fn wrap(&self, nodes: &mut Nodes, number: u32, mut step: u32) -> u32 {
        let mut inner = number;
        while step != NONE {
            let Step { name, index, around } = self.steps[step as usize];
            let label = nodes.label(Facts::new(name));
            inner = nodes.around(label, index, inner);
            step = around;
        }
        inner
    }
}

impl Recording {
    /// The step of the field that is being read; [`NONE`] for the root.
    fn step(&mut self) -> u32 {
        let mut around = NONE;
        for place in 1..self.open.len() {
            let Frame { part, step, .. } = self.open[place];
            around = match step {
                NONE => self.asides.push(part.name, part.index, around),
                step => step,
            };
            self.open[place].step = around;
        }
        around
    }

    /// The step of the structure that is being read, where it may have no node.
    fn step_of_paused(&mut self) -> u32 {
        if self.asides.under != NONE {
            return self.asides.under;
        }
        let list = self.step();
        match self.asides.element {
            Some((name, index)) => self.asides.push(name, Some(Index::One(index)), list),
            None => list,
        }
    }

    /// Opens a field that stands aside, after the step of the field around it.
    fn begin_aside<V: Layout>(&mut self, part: Part, label: Option<&'static Label>, around: u32) {
        let number = self.unlinked::<V>(part, label);
        match number {
            NONE => elsewhere::cut(),
            number => self.asides.all.push((number, around)),
        }
        let mark = self.nodes.mark();
        self.open.push(Frame::new(part, number, mark));
    }
}

/// Forgets what a list of structures at offsets adds to the open fields, even in a panic.
struct Opened;

impl Drop for Opened {
    fn drop(&mut self) {
        RECORDING.with_borrow_mut(|recording| recording.open.pop());
    }
}

/// Reads the elements of a list that stand at offsets: their paths have the name of the list.
pub fn list<V: Layout, T>(label: &'static Label, read: impl FnOnce() -> T) -> T {
    if mode::has(RECORDED) {
        with(|recording| {
            let part = Part::new(label.name, None, 0);
            let number = recording.unlinked::<V>(part, Some(label));
            let mark = recording.nodes.mark();
            recording.open.push(Frame::new(part, number, mark));
        });
        let _opened = Opened;
        return read();
    }
    if !mode::has(PAUSED) {
        return read();
    }
    under(label.name, None, read)
}

/// Runs `read` with a further step, though nothing is recorded.
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

/// Reads a structure at the position of the reader under a node of its own, which stands aside. Without parts, it is one node.
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

impl Nodes {
    /// A node for a field of which one part stands here. The others stand elsewhere.
    fn around(&mut self, label: u32, index: Option<Index>, part: u32) -> u32 {
        let place = self.node(Id(part)).place();
        let number = self.put_around(label, index, place);
        let mut parts = Chain::EMPTY;
        self.link_part(number, &mut parts, part);
        self.set_flag(number, AROUND, true);
        number
    }
}

/// Notes that a structure cannot be read, unless it is known why already.
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

/// The path of a structure that is read aside.
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

/// Why the structure that was read last cannot be read, if it had a node.
pub fn take_failure() -> Option<Failure> {
    if mode::has(RECORDED) { with(|recording| recording.failure.take()) } else { None }
}
