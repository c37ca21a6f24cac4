//! What files travel in: archives and stores.

mod gzip;
mod stores;
mod zip;
