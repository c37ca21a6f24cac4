//! Files at URLs: on web servers (`http://`, `https://`), in S3 and stores with its protocol (`s3://`), in Google Cloud Storage (`gs://`)
//! and in Azure (`az://`).
//!
//! ```no_run
//! ndbytes_stores::serve();
//! let field = ndbytes::b2nd::open("https://example.com/temperatures.b2nd")?;
//! # Ok::<(), ndbytes::Error>(())
//! ```
//!
//! Opening a file takes one round trip, in which its first and its last bytes are requested at once. A short file in a
//! directory is opened with one request, since the listing states its length. Every answer is checked against the
//! request: its range, its length, and whether it comes from the same file as earlier answers. Nothing is written.
//!
//! Stores have [`Options`], such as `aws_region`. If an option is not set, an environment variable such as `AWS_REGION`
//! is used. [`with`] sets options temporarily.

#![cfg_attr(not(test), deny(clippy::too_many_lines))]

mod answer;
mod cloud;
mod expected;
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

use ndbytes::stores::{Listed, Stores};
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

    fn list(&self, url: &str, limits: Limits) -> io::Result<Vec<Listed>> {
        listing::list(url, &options::current(), limits)
    }

    fn expect(&self, file: &Listed) {
        expected::note(file);
    }
}

/// Makes `ndbytes` accept URLs wherever this process passes it a path.
pub fn serve() {
    ndbytes::stores::serve(Arc::new(Served));
}
