//! Files at URLs: those of the crate `ndbytes-stores`, which the tool and the Python package have, too.

pub use ndbytes_stores::{Options, object_store, register, serve, set};

pub(crate) use ndbytes_stores::is_url;

/// The characters of patterns.
pub(crate) const WILD: [char; 3] = ['*', '?', '['];
