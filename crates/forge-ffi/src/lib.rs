//! The forge of ndbytes behind a C interface: `ndbytes_forge.h` says what each function does.

mod abi;
mod options;
mod state;
