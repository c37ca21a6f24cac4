//! What files travel in: archives.

mod gzip;
mod zip;
