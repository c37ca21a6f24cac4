//! `ndbytes fix`: the command, and the page about it.

mod fix;
mod page;
