//! The cost of work. Memory and processor time are bounded by the length of the input.

use crate::bounds::limits;
use crate::budget::counted;
use rustix::time::{ClockId, clock_gettime};

/// The maximum processor time in microseconds: a constant, plus an amount per byte of input. The fuzzer is built with
/// counters and little optimisation.
const MICROS: u64 = 3_000_000;
const MICROS_EACH: u64 = 200;

/// Room for memory that is not debited: buffers, and a bounded number of findings.
const SLACK: u64 = 16 << 20;

/// The processor time of this process in microseconds.
fn micros() -> u64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec.unsigned_abs() * 1_000_000 + time.tv_nsec.unsigned_abs() / 1000
}

/// Runs work on an input of this many bytes and asserts its bounds. It may use up to `memory` bytes at one time.
pub fn bounded<T>(what: &str, length: usize, memory: u64, work: impl FnOnce() -> T) -> T {
    let before = micros();
    let (result, peak) = counted(work);
    let spent = micros() - before;
    assert!(peak <= memory, "{what}: {peak} bytes of memory of {memory} for an input of {length}");
    let most = MICROS + MICROS_EACH * length as u64;
    assert!(spent <= most, "{what}: {spent} µs of processor time of {most} for an input of {length}");
    result
}

/// The memory of the tool for files of this many bytes, with the usual limits.
pub fn of_tool(length: usize) -> u64 {
    limits().memory + length as u64 + SLACK
}
