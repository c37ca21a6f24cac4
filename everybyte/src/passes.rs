//! The passes for writing a value. Structures at computed offsets come after everything that is written in sequence.
//!
//! A position is known only once everything before it has a length, and the length of a variable-length number depends
//! on the position that it states. A value is therefore written repeatedly: each pass uses the positions from the
//! previous one, and writing is complete when a pass arrives at the positions that it used. A value without such
//! structures takes one pass, and most others take two. After eight passes, the writer stops with an error, because
//! padding and positions may keep changing each other forever.
//!
//! The plan is a thread-local variable for the same reason as the recorder: binrw's writers have no argument for it.

use crate::error::Problem;
use binrw::BinResult;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::Range;

/// The maximum number of times that a value is written. Positions depend on lengths, and padding depends on positions.
const MOST_PASSES: u32 = 8;

/// The positions of a value's structures.
#[derive(Debug, Default, Clone)]
pub struct Plan {
    /// The offsets of the structures with computed offsets, after the previous pass.
    pub offsets: Vec<u64>,
    /// Their lengths in this pass.
    pub lengths: Vec<u64>,
    /// The end of everything written so far.
    pub reached: u64,
    /// The bytes of all structures in this pass.
    pub taken: Vec<Range<u64>>,
    /// The end of the structures whose offsets are stated by the value.
    pub stated: u64,
    /// True if offsets that the value states are also computed.
    pub is_all: bool,
    /// The offsets and lengths of structures by field name: in this pass and in the previous one.
    given: BTreeMap<&'static str, Vec<[u64; 2]>>,
    owed: BTreeMap<&'static str, Vec<[u64; 2]>>,
    /// The requested numbers of outer structures, by the name of the field and whether the number is an offset.
    asked: BTreeMap<(&'static str, bool), usize>,
}

thread_local! {
    static PLAN: RefCell<Option<Plan>> = const { RefCell::new(None) };
}

/// The plan of the enclosing value. It is restored on drop, even in a panic.
struct Outer(Option<Plan>);

impl Drop for Outer {
    fn drop(&mut self) {
        PLAN.set(self.0.take());
    }
}

/// Writes a value unchanged or with all structure positions computed.
#[derive(Debug, Clone, Copy)]
pub struct Passes {
    /// The offset of the value.
    pub from: u64,
    /// The end of the bytes that the value is written over.
    pub over: u64,
    /// True if numbers of the value are also computed.
    pub is_all: bool,
}

impl Passes {
    /// Writes a value by calling `write` until the positions are consistent. Returns its last result. The number from
    /// `write` is the end of everything written in sequence.
    pub fn run<T>(self, mut write: impl FnMut() -> BinResult<(T, u64)>) -> BinResult<T> {
        let plan = Plan { reached: self.over, is_all: self.is_all, ..Plan::default() };
        let _outer = Outer(PLAN.replace(Some(plan)));
        self.settled(&mut write)
    }

    /// Like [`run`], but for a value that is measured first: `write` is called only once, with the correct positions.
    pub fn measured<T>(
        self,
        mut measure: impl FnMut() -> BinResult<u64>,
        write: impl FnOnce() -> BinResult<T>,
    ) -> BinResult<T> {
        let plan = Plan { reached: self.over, is_all: self.is_all, ..Plan::default() };
        let _outer = Outer(PLAN.replace(Some(plan)));
        self.settled(|| Ok(((), measure()?)))?;
        write()
    }

    fn settled<T>(self, mut write: impl FnMut() -> BinResult<(T, u64)>) -> BinResult<T> {
        for _ in 0..MOST_PASSES {
            let (written, end) = write()?;
            let settled = PLAN.with_borrow_mut(|plan| plan.as_mut().map_or(Ok(true), |plan| plan.settle(end, self)));
            if settled.map_err(refused)? {
                return Ok(written);
            }
        }
        let why = "the structures at offsets cannot be placed: their positions change their lengths";
        Err(refused(Problem::Invalid(why.to_owned())))
    }
}

impl Plan {
    /// Positions the structures one after another. Returns whether they already had these positions.
    fn settle(&mut self, end: u64, passes: Passes) -> Result<bool, Problem> {
        let mut taken = std::mem::take(&mut self.taken);
        taken.push(passes.from..end);
        let end = end.max(std::mem::take(&mut self.stated));
        let place = |end: &mut u64, &length: &u64| Some(std::mem::replace(end, end.saturating_add(length)));
        let offsets: Vec<u64> = self.lengths.iter().scan(end, place).collect();
        let is_settled = offsets == self.offsets;
        (self.offsets, self.reached) = (offsets, passes.over);
        self.lengths.clear();
        self.owed = std::mem::take(&mut self.given);
        self.asked.clear();
        if is_settled {
            ensure_apart(taken)?;
        }
        Ok(is_settled)
    }
}

/// Refuses structures that share bytes, because the one written last would overwrite the others.
fn ensure_apart(mut taken: Vec<Range<u64>>) -> Result<(), Problem> {
    taken.retain(|bytes| bytes.start < bytes.end);
    taken.sort_by_key(|bytes| bytes.start);
    match taken.windows(2).find(|pair| pair[1].start < pair[0].end) {
        Some(pair) => {
            let why = format!("two structures would share the byte at the offset {}", pair[1].start);
            Err(Problem::Invalid(why))
        }
        None => Ok(()),
    }
}

/// Creates the error of a writer.
pub fn refused(problem: Problem) -> binrw::Error {
    binrw::Error::Custom { pos: 0, err: Box::new(problem) }
}

/// Calls a function with the plan of the value that is being written, if there is one.
pub fn with_plan<T>(work: impl FnOnce(Option<&mut Plan>) -> T) -> T {
    PLAN.with_borrow_mut(|plan| work(plan.as_mut()))
}

/// Records the position of a structure, for numbers in lists that state it.
pub fn give(field: &'static str, offset: u64, length: u64) {
    with_plan(|plan| {
        if let Some(plan) = plan.filter(|plan| plan.is_all) {
            plan.given.entry(field).or_default().push([offset, length]);
        }
    });
}

/// The offset or length of the next structure of an outer field, after the previous pass.
pub fn owed(field: &'static str, is_place: bool) -> Option<u64> {
    with_plan(|plan| {
        let plan = plan?;
        let asked = plan.asked.entry((field, is_place)).or_default();
        let given = plan.owed.get(field)?.get(*asked)?;
        *asked += 1;
        Some(given[usize::from(!is_place)])
    })
}

/// Returns whether numbers that the value states are computed.
pub fn is_all() -> bool {
    with_plan(|plan| plan.is_some_and(|plan| plan.is_all))
}
