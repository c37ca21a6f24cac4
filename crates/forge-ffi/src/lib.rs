//! The forge of ndbytes with a C interface. `ndbytes_forge.h` describes each function.

#![cfg_attr(not(test), deny(clippy::too_many_lines))]

mod abi;
mod options;
mod state;
