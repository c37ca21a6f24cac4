//! Dictionaries for fuzzers: magics, codes, bits and words of every width, as the layouts declare them.

mod b2nd;
mod gzip;
mod idv;
mod idx;
mod npy;
mod rawarray;
mod words;
mod zip;

/// A dictionary: its name, and what makes its text.
pub type Dictionary = (&'static str, fn() -> String);

/// The dictionaries, in the syntax of AFL++ and libFuzzer: one of each kind of file, and `blosc2` of chunks alone.
pub const DICTIONARIES: [Dictionary; 8] = [
    ("idx", || idx::idx().text()),
    ("rawarray", || rawarray::rawarray().text()),
    ("idv", || idv::idv().text()),
    ("b2nd", || b2nd::b2nd().text()),
    ("blosc2", || b2nd::blosc2().text()),
    ("npy", || npy::npy().text()),
    ("gzip", || gzip::gzip().text()),
    ("zip", || zip::zip().text()),
];
