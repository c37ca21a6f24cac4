//! Files at URLs: on web servers (`http://`, `https://`), in S3 and what speaks its protocol (`s3://`), in Google Cloud Storage
//! (`gs://`) and in Azure (`az://`).
//!
//! ```no_run
//! ndbytes_stores::serve();
//! let field = ndbytes::b2nd::open("https://example.com/temperatures.b2nd")?;
//! # Ok::<(), ndbytes::Error>(())
//! ```
//!
//! A file is opened with one round trip: its first and its last bytes at once. Every answer is held against what was requested: its
//! range, its length, and whether it is of the same file as the answers before. Nothing is written.
//!
//! Stores have [`Options`], such as `aws_region`. Without them, the variables of the environment count, such as `AWS_REGION`.
//! [`with`] sets options for a while.

#![cfg_attr(not(test), deny(clippy::too_many_lines))]

mod answer;
mod cloud;
mod fetch;
mod listing;
mod options;
mod registry;
mod runtime;
mod source;
mod url;
mod web;

pub use object_store;
pub use options::{Entered, Options, UnknownOption, enter, set, with};
pub use registry::register;
pub use source::{StoreSource, open};
pub use url::{is_url, serves};

use ndbytes::stores::Stores;
use ndbytes::{Limits, ReadRanges};
use std::io;
use std::sync::Arc;

/// The stores of this crate, with the options of the process.
#[derive(Debug)]
struct Served;

impl Stores for Served {
    fn serves(&self, scheme: &str) -> bool {
        url::SCHEMES.contains(&scheme) || registry::is_registered(scheme)
    }

    fn open(&self, url: &str, limits: Limits) -> io::Result<Box<dyn ReadRanges>> {
        Ok(Box::new(open(url, options::current(), limits)?))
    }

    fn names_several(&self, url: &str) -> bool {
        url::names_several(url)
    }

    fn list(&self, url: &str, limits: Limits) -> io::Result<Vec<String>> {
        listing::list(url, &options::current(), limits)
    }
}

/// Has the paths of this process that are URLs opened, from now on: wherever `ndbytes` takes a path.
pub fn serve() {
    ndbytes::stores::serve(Arc::new(Served));
}
