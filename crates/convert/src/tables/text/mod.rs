//! CSV and JSON Lines: record batches as text, and text as record batches.
//!
//! Types are not in these files. Readers look at all values first, and choose the type that holds each of them as it is.
//!
//! | values | CSV | JSON Lines |
//! |---|---|---|
//! | integers, booleans | as they are | as they are |
//! | floating-point numbers | the fewest digits that come back to the bit at their width | the same |
//! | NaN, infinity | `NaN`, `-NaN`, `NaN(0x7fc00001)`, `Infinity` | `"NaN(0x7fc00000)"`, `"Infinity"`, as `cat --json` |
//! | times | `2024-02-29T12:34:56.789`, also with `+05:30` | the same, as text |
//! | durations | `1.02:03:04.5`, as .NET has them | the same, as text |
//! | texts | in quotes if they could be taken for something else | text |
//! | bytes and row identifiers | hexadecimal text | the same |
//! | a key | the value of its category | the same |
//! | vectors of a fixed size | a column a slot, `Features[0]` or `Features[slot name]` | lists |
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
pub(super) mod ticks;
mod times;

pub use batches::ReadOptions;
pub use losses::losses;

pub(super) use losses::annotation_of;
