//! The media that show drawings.

mod letters;
mod paint;
mod protocol;
mod sixel;
mod svg;

pub use letters::Paint;
pub use protocol::Protocol;
