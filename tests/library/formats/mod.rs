//! Each format through the public interface: reading, writing, and what is refused.

mod any;
mod b2nd;
mod blosc2;
mod detection;
mod idv;
mod idx;
mod npy;
mod plain;
mod rawarray;
mod select;
