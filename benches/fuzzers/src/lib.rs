//! Third-party readers as fuzz targets: how each handles an input, which inputs it accepts, and where it fails.

mod readers;
mod record;
mod seeds;

pub use readers::{READERS, Reader};
pub use record::examine;
pub use seeds::write_seeds;
