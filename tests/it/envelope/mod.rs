//! What files travel in: archives and stores.

mod stores;
mod zip;
