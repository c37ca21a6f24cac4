//! Archives and stores in the tool.

mod archives;
mod stores;
