//! The passes in which a value is written: structures at offsets that are computed stand after all that is written in order.
//!
//! Nothing is known of a place before everything in front of it has a length. So a value is written again, until each structure
//! has the place that the numbers say.

use crate::error::Problem;
use binrw::BinResult;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::Range;

/// The times that a value is written at most: places depend on lengths, and padding on places.
const MOST_PASSES: u32 = 8;

/// The places of a value's structures.
#[derive(Debug, Default, Clone)]
pub struct Plan {
    /// The offsets of the structures whose offsets are computed, as the last pass left them.
    pub offsets: Vec<u64>,
    /// Their lengths in this pass.
    pub lengths: Vec<u64>,
    /// The end of what is written so far.
    pub reached: u64,
    /// The bytes of all structures in this pass.
    pub taken: Vec<Range<u64>>,
    /// The end of those whose offsets the value states.
    pub stated: u64,
    /// True if offsets are computed that the value states.
    pub is_all: bool,
    /// The offsets and lengths of structures by the names of their fields: in this pass, and in the last one.
    given: BTreeMap<&'static str, Vec<[u64; 2]>>,
    owed: BTreeMap<&'static str, Vec<[u64; 2]>>,
    /// The numbers about structures further out that were asked for: the name of the field, and whether it is a place.
    asked: BTreeMap<(&'static str, bool), usize>,
}

thread_local! {
    static PLAN: RefCell<Option<Plan>> = const { RefCell::new(None) };
}

/// The plan of the value around this one. It is restored on drop, even in a panic.
struct Outer(Option<Plan>);

impl Drop for Outer {
    fn drop(&mut self) {
        PLAN.set(self.0.take());
    }
}

/// A value that is written: as it stands, or with all numbers computed that say where structures stand.
#[derive(Debug, Clone, Copy)]
pub struct Passes {
    /// The offset of the value.
    pub from: u64,
    /// The end of the bytes over which the value is written.
    pub over: u64,
    /// True if numbers of the value are computed, too.
    pub is_all: bool,
}

impl Passes {
    /// Writes a value: `write` is called until the places fit, and its last result counts. It returns the end of what is written
    /// in order.
    pub fn run<T>(self, mut write: impl FnMut() -> BinResult<(T, u64)>) -> BinResult<T> {
        let plan = Plan { reached: self.over, is_all: self.is_all, ..Plan::default() };
        let _outer = Outer(PLAN.replace(Some(plan)));
        self.settled(&mut write)
    }

    /// The same for a value that is measured first: `write` is called once, when the places fit.
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
        let why = "the structures at offsets have no places: where they stand changes how long they are";
        Err(refused(Problem::Invalid(why.to_owned())))
    }
}

impl Plan {
    /// Places the structures after each other. Returns whether they stood there.
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

/// Refuses structures that share bytes: what is written last would be read in place of the others.
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

/// An error of a writer.
pub fn refused(problem: Problem) -> binrw::Error {
    binrw::Error::Custom { pos: 0, err: Box::new(problem) }
}

/// Does something with the plan of the value that is written; there may be none.
pub fn with_plan<T>(work: impl FnOnce(Option<&mut Plan>) -> T) -> T {
    PLAN.with_borrow_mut(|plan| work(plan.as_mut()))
}

/// Notes where a structure stands, for numbers in lists that say it.
pub fn give(field: &'static str, offset: u64, length: u64) {
    with_plan(|plan| {
        if let Some(plan) = plan.filter(|plan| plan.is_all) {
            plan.given.entry(field).or_default().push([offset, length]);
        }
    });
}

/// The offset, or the length, of the next structure of a field further out, as the last pass left it.
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
