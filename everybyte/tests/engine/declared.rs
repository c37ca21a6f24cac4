//! The examples of everybyte, with their own tests. Each is also a program.

#![allow(dead_code, reason = "each example has a `main`")]

#[path = "../../examples/bmp.rs"]
pub mod bmp;
#[path = "../../examples/elf.rs"]
pub mod elf;
#[path = "../../examples/fits.rs"]
pub mod fits;
#[path = "../../examples/flac.rs"]
pub mod flac;
#[path = "../../examples/gguf.rs"]
pub mod gguf;
#[path = "../../examples/ico.rs"]
pub mod ico;
#[path = "../../examples/msgpack.rs"]
pub mod msgpack;
#[path = "../../examples/nifti.rs"]
pub mod nifti;
#[path = "../../examples/pcap.rs"]
pub mod pcap;
#[path = "../../examples/png.rs"]
pub mod png;
#[path = "../../examples/safetensors.rs"]
pub mod safetensors;
#[path = "../../examples/sqlite.rs"]
pub mod sqlite;
#[path = "../../examples/truetype.rs"]
pub mod truetype;
#[path = "../../examples/wav.rs"]
pub mod wav;
