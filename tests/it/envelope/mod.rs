//! What the tool says of archives and stores.

mod archives;
mod stores;
