//! What the fuzz targets ask of ndbytes. Every module states its promises as assertions: a broken one is a crash.

pub mod arrangement;
pub mod bytes;
pub mod idx;
pub mod layout;
pub mod rawarray;
mod reading;
mod scratch;

use ndbytes::Limits;

/// What any input may cost: far less than what the sanitizer is told to refuse (`run.sh`).
pub fn limits() -> Limits {
    Limits::default().memory(16 << 20)
}
