//! The single entry point: opens whatever is at a path. The formats of ndbytes are files. Formats for which ndbytes has
//! no rules are [`Foreign`]: they are shown, summarised and compared by their arrays or table.

mod foreign;
mod kind;
mod native;
mod opened;
mod paths;

pub use foreign::{Foreign, Held, NamedArray};
pub use kind::ForeignKind;
pub use opened::Opened;
