//! A project that writes files of arrays: temperatures of a week, in tenths of a degree.

use ndarray::Array2;
use ndbytes::b2nd::{Codec, Writer};
use std::path::Path;

/// A station a column, an hour a row.
pub fn week() -> Array2<i16> {
    Array2::from_shape_fn((168, 6), |(hour, station)| {
        let of_day = (hour % 24) as i16;
        90 + 25 * station as i16 + if of_day < 12 { 8 * of_day } else { 8 * (24 - of_day) }
    })
}

/// Writes temperatures in chunks of three days.
///
/// # Errors
/// Those of the file.
pub fn save(path: &Path, temperatures: &Array2<i16>) -> ndbytes::Result<()> {
    let names = ndbytes::rmpv::Value::from("0.1 °C");
    let writer = Writer::new().chunks([72, 6]).blocks([24, 3]).codec(Codec::LZ4).attribute("unit", &names)?;
    writer.write(path, temperatures)
}

/// Writes temperatures for NumPy.
///
/// # Errors
/// Those of the file.
pub fn export(path: &Path, temperatures: &Array2<i16>) -> ndbytes::Result<()> {
    ndbytes::npy::write(path, temperatures)
}
