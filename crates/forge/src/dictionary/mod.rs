//! Dictionaries for fuzzers: magics, codes, bits and words of every width, as declared by the layouts.

mod b2nd;
mod gguf;
mod gzip;
mod idv;
mod idx;
mod npy;
mod rawarray;
mod safetensors;
mod words;
mod zip;

/// A dictionary: its name, and a function that produces its text.
pub type Dictionary = (&'static str, fn() -> String);

/// The dictionaries, in the syntax of AFL++ and libFuzzer: one for each kind of file, and `blosc2` for separate chunks.
pub const DICTIONARIES: [Dictionary; 10] = [
    ("idx", || idx::idx().text()),
    ("rawarray", || rawarray::rawarray().text()),
    ("idv", || idv::idv().text()),
    ("b2nd", || b2nd::b2nd().text()),
    ("blosc2", || b2nd::blosc2().text()),
    ("npy", || npy::npy().text()),
    ("safetensors", || safetensors::safetensors().text()),
    ("gguf", || gguf::gguf().text()),
    ("gzip", || gzip::gzip().text()),
    ("zip", || zip::zip().text()),
];
