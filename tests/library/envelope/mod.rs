//! Envelopes of files: gzip and archives.

mod gzip;
mod zip;
