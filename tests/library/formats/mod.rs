//! Each format through the public interface: reading, writing, and refusals.

mod any;
mod b2nd;
mod blosc2;
mod detection;
mod gguf;
mod idv;
mod idx;
mod npy;
mod npy_several;
mod plain;
mod rawarray;
mod safetensors;
mod select;
