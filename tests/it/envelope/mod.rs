//! Envelopes of files: archives and stores.

mod gzip;
mod stores;
mod zip;
