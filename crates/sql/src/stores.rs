//! Files at URLs, with the crate `ndbytes-stores`, which the tool and the Python package also use.

pub use ndbytes_stores::{Options, object_store, register, serve, set};

pub(crate) use ndbytes_stores::is_url;

/// The special characters of patterns.
pub(crate) const WILD: [char; 3] = ['*', '?', '['];
