//! Readers of others, as fuzz targets: what each makes of an input, which ones it accepts, and where it fails.

mod readers;
mod record;
mod seeds;

pub use readers::{READERS, Reader};
pub use record::examine;
pub use seeds::write_seeds;
