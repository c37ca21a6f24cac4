//! Makes the files of `samples/`: small arrays and a table in the shape of the ones that people have.
//!
//! `cargo run --example samples -- samples`

use ndarray::{Array1, Array2, Array3};
use ndbytes::idv::{self, ColumnType, ItemType, KeyType, NewColumn, Texts, Values};
use ndbytes::rawarray::Order;
use ndbytes::{b2nd, idx, rawarray};
use std::path::PathBuf;

/// The digits 0 to 9, five dots wide and seven high, one row per line.
const DIGITS: [[&str; 7]; 10] = [
    [" ### ", "#   #", "#  ##", "# # #", "##  #", "#   #", " ### "],
    ["  #  ", " ##  ", "  #  ", "  #  ", "  #  ", "  #  ", " ### "],
    [" ### ", "#   #", "    #", "  ## ", " #   ", "#    ", "#####"],
    [" ### ", "#   #", "    #", "  ## ", "    #", "#   #", " ### "],
    ["   # ", "  ## ", " # # ", "#  # ", "#####", "   # ", "   # "],
    ["#####", "#    ", "#### ", "    #", "    #", "#   #", " ### "],
    [" ### ", "#    ", "#    ", "#### ", "#   #", "#   #", " ### "],
    ["#####", "    #", "   # ", "  #  ", "  #  ", " #   ", " #   "],
    [" ### ", "#   #", "#   #", " ### ", "#   #", "#   #", " ### "],
    [" ### ", "#   #", "#   #", " ####", "    #", "    #", " ### "],
];

fn main() -> ndbytes::Result<()> {
    let folder = PathBuf::from(std::env::args().nth(1).unwrap_or_else(|| "samples".into()));

    // Ten images of 28 × 28 and their labels, as in MNIST.
    let images = Array3::from_shape_fn((10, 28, 28), |(digit, row, column)| {
        // Three pixels a dot, within a margin.
        let (row, column) = (row.wrapping_sub(3) / 3, column.wrapping_sub(6) / 3);
        let dot = DIGITS[digit].get(row).and_then(|line| line.as_bytes().get(column));
        if dot == Some(&b'#') { 255_u8 } else { 0 }
    });
    let labels = Array1::from_iter(0..10_u8);
    idx::Writer::new().gzip(true).write(folder.join("digits-idx3-ubyte.gz"), &images)?;
    idx::write(folder.join("digits-idx1-ubyte"), &labels)?;
    // A download that was interrupted.
    let mut broken = Vec::new();
    idx::Writer::new().write_to(&mut broken, &images)?;
    broken.truncate(16 + 3 * 28 * 28 + 100);
    std::fs::write(folder.join("interrupted-idx3-ubyte"), broken)?;

    // A surface, column-major, as Julia would write it.
    let surface = Array2::from_shape_fn((4, 6), |(row, column)| (row as f32 - 1.5) * (column as f32 - 2.5));
    rawarray::write(folder.join("surface.ra"), &surface, Order::Fortran)?;

    // A week of temperatures in tenths of a degree, hour by hour, at six places, as python-blosc2 would write it.
    let temperatures = Array2::from_shape_fn((7 * 24, 6), |(hour, place)| {
        let (of_day, of_week) = ((hour as f32 / 24.0 * std::f32::consts::TAU).cos(), hour as f32 / 168.0);
        ((15.0 + place as f32 * 2.5 - 6.0 * of_day + 4.0 * of_week) * 10.0).round() as i16
    });
    b2nd::Writer::new()
        .chunks([72, 6])
        .blocks([24, 3])
        .metalayer(
            "places",
            &["north", "east", "south", "west", "valley", "hill"].map(rmpv::Value::from).to_vec().into(),
        )?
        .attribute("unit", &"0.1 °C".into())?
        .write(folder.join("temperatures.b2nd"), &temperatures)?;

    // A table as it comes out of the preparation of training data.
    let names = ["pine", "fir", "oak", "beech"];
    let kinds = ["conifer", "broadleaf"];
    let columns = [
        NewColumn::new("Name", ColumnType::scalar(ItemType::Text)),
        NewColumn::new("Label", ColumnType::scalar(ItemType::Key(KeyType::new(2)))).key_values(kinds),
        NewColumn::new("Features", ColumnType::vector(ItemType::F32, [3])).slot_names(["height", "girth", "age"]),
        NewColumn::new("Evergreen", ColumnType::scalar(ItemType::Bool)),
    ];
    let mut table = idv::Writer::new(columns).create(folder.join("trees.idv"))?;
    table.write(&[
        Values::scalars(names.iter().collect::<Texts>()),
        Values::scalars(vec![1_u32, 1, 2, 2]),
        Values::dense(vec![31.5_f32, 2.75, 120.0, 48.0, 4.5, 210.0, 23.25, 6.5, 340.0, 35.0, 3.0, 95.0], 3)?,
        Values::scalars(vec![true, true, false, false]),
    ])?;
    table.finish()
}
