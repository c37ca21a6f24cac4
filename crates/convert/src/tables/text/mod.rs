//! CSV and JSON Lines: record batches as text, and text as record batches.
//!
//! These files do not state types. The readers first examine all values, and choose a type that holds each of them exactly.
//!
//! | values | CSV | JSON Lines |
//! |---|---|---|
//! | integers, booleans | unchanged | unchanged |
//! | floating-point numbers | the fewest digits that restore every bit at their width | the same |
//! | NaN, infinity | `NaN`, `-NaN`, `NaN(0x7fc00001)`, `Infinity` | `"NaN(0x7fc00000)"`, `"Infinity"`, as `cat --json` |
//! | times | `2024-02-29T12:34:56.789`, also with `+05:30` | the same, as text |
//! | durations | `1.02:03:04.5`, as in .NET | the same, as text |
//! | texts | in quotes if they could be mistaken for something else | text |
//! | bytes and row identifiers | hexadecimal text | the same |
//! | a key | the value of its category | the same |
//! | vectors of a fixed size | one column per slot, `Features[0]` or `Features[slot name]` | lists |
//! | other vectors, structures | refused | lists, objects |
//! | a missing value | nothing; an empty text is `""` | `null` |

mod batches;
mod build;
mod cell;
pub mod csv;
mod guess;
pub mod jsonl;
mod lines;
mod losses;
mod scalar;
mod shown;
pub(super) mod ticks;
mod times;

pub use batches::ReadOptions;
pub use losses::losses;
pub use shown::{Cell, CellKind};

pub(super) use losses::annotation_of;
pub(super) use shown::CellText;
