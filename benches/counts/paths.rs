//! The counted paths. Each prepares its files in a directory, and returns the work.

use super::Outcome;
use ndarray::{Array2, Array3, s};
use ndbytes::b2nd::{self, Codec, Filter};
use ndbytes::idv::{ColumnType, Compression, ItemType, KeyType, NewColumn, Texts, Values, Writer};
use ndbytes::{Checker, Element, Input, Limits, idv, idx, npy, rawarray};
use ndbytes_arrow::table::{self, ArrowTable};
use ndbytes_compare::{diff, stats};
use ndbytes_convert::{Options, Target};
use ndbytes_forge::{Forge, Kind, Mutation, Repair};
use ndbytes_pictures::{Choice, Medium, choose, draw};
use std::hint::black_box;
use std::path::{Path, PathBuf};

/// Work that is done twice, and counted the second time.
pub type Work = Box<dyn FnMut() -> Outcome<()> + Send>;

/// A name and a function that prepares the work.
type Prepared = (&'static str, fn(&Path) -> Outcome<Work>);

/// The number of repetitions of small work.
const TIMES: usize = 20;

/// All counted paths.
pub const PATHS: &[Prepared] = &[
    ("open-idx", |folder| {
        let path = folder.join("a.idx");
        idx::write(&path, &Array2::<u8>::zeros((8, 11)))?;
        opened(path)
    }),
    ("open-rawarray", |folder| {
        let path = folder.join("a.ra");
        rawarray::write(&path, &Array2::<f32>::zeros((3, 4)), rawarray::Order::C)?;
        opened(path)
    }),
    ("open-npy", |folder| {
        let path = folder.join("a.npy");
        npy::write(&path, &Array2::<f32>::zeros((3, 4)))?;
        opened(path)
    }),
    ("open-b2nd", |folder| {
        let path = folder.join("a.b2nd");
        b2nd::write(&path, &temperatures::<i16>(16, 16))?;
        opened(path)
    }),
    ("open-idv", |folder| opened(written_table(folder, 10, Compression::DEFLATE)?)),
    ("load-idx-u8", |folder| {
        let path = folder.join("a.idx");
        let images = Array3::from_shape_fn((1500, 28, 28), |(image, row, column)| (image * row + column) as u8);
        idx::write(&path, &images)?;
        Ok(Box::new(move || used(idx::open(&path)?.to_array::<u8>()?)))
    }),
    ("load-idx-f32", |folder| {
        let path = folder.join("a.idx");
        idx::write(&path, &temperatures::<f32>(512, 512))?;
        Ok(Box::new(move || used(idx::open(&path)?.to_array::<f32>()?)))
    }),
    ("load-npy-f64", |folder| {
        let path = folder.join("a.npy");
        npy::write(&path, &temperatures::<f64>(512, 512))?;
        Ok(Box::new(move || used(npy::open(&path)?.to_array::<f64>()?)))
    }),
    ("b2nd-zstd-f64", |folder| b2nd_read::<f64>(folder, Codec::ZSTD)),
    ("b2nd-lz4-f64", |folder| b2nd_read::<f64>(folder, Codec::LZ4)),
    ("b2nd-blosclz-f64", |folder| b2nd_read::<f64>(folder, Codec::BLOSCLZ)),
    ("b2nd-zlib-f64", |folder| b2nd_read::<f64>(folder, Codec::ZLIB)),
    ("b2nd-zstd-i16", |folder| b2nd_read::<i16>(folder, Codec::ZSTD)),
    ("b2nd-lz4-i16", |folder| b2nd_read::<i16>(folder, Codec::LZ4)),
    ("b2nd-lz4-bits-i16", |folder| {
        let path = folder.join("a.b2nd");
        writer(Codec::LZ4).filters([Filter::Bitshuffle]).write(&path, &temperatures::<i16>(512, 1024))?;
        let array = b2nd::open(path)?;
        Ok(Box::new(move || used(array.to_array::<i16>()?)))
    }),
    ("b2nd-zlib-piece", |folder| {
        let array = b2nd::open(written_b2nd::<f64>(folder, Codec::ZLIB)?)?;
        Ok(Box::new(move || used(array.slice::<f64>(s![100..164, 200..264])?)))
    }),
    ("b2nd-write-zstd", |folder| b2nd_write(folder, Codec::ZSTD)),
    ("b2nd-write-lz4", |folder| b2nd_write(folder, Codec::LZ4)),
    ("b2nd-write-zlib", |folder| b2nd_write(folder, Codec::ZLIB)),
    ("idv-deflate", |folder| idv_read(folder, Compression::DEFLATE)),
    ("idv-none", |folder| idv_read(folder, Compression::NONE)),
    ("arrow-batches", |folder| {
        let path = written_table(folder, 5000, Compression::NONE)?;
        Ok(Box::new(move || {
            for batch in ArrowTable::open(&path, table::Options::new())?.batches()? {
                black_box(batch?);
            }
            Ok(())
        }))
    }),
    ("convert-columns", |folder| {
        const COLUMNS: usize = 800;
        let path = folder.join("a.idv");
        let names: Vec<String> = (0..COLUMNS).map(|number| format!("column {number}")).collect();
        let new = |name: &String| NewColumn::new(name.as_str(), ColumnType::scalar(ItemType::I64));
        let mut table = Writer::new(names.iter().map(new)).create(&path)?;
        table.write(&vec![Values::scalars(vec![1_i64]); COLUMNS])?;
        table.finish()?;
        Ok(Box::new(move || {
            let table =
                ndbytes_convert::TableSource::idv("a", idv::open(&path)?, 0).columns(names.iter().rev().cloned());
            let (sources, target) = ([ndbytes_convert::Source::Table(table)], Target::Stream(&mut std::io::sink()));
            used(ndbytes_convert::convert(&sources, ndbytes_convert::FileKind::Arrows, target, &Options::new())?)
        }))
    }),
    ("convert-csv", |folder| {
        let path = folder.join("a.csv");
        let line = |row: u32| format!("{row},{}.{:03},station {}\n", row % 97, row * 7 % 1000, row % 100);
        std::fs::write(&path, "id,value,station\n".to_owned() + &(0..5000).map(line).collect::<String>())?;
        let (csv, parquet) = (ndbytes_convert::FileKind::Csv, ndbytes_convert::FileKind::Parquet);
        Ok(Box::new(move || {
            let input = Input::open(&path, Limits::default())?;
            let table = ndbytes_convert::TableSource::text("a", csv, &input, Limits::default())?;
            let (sources, target) = ([ndbytes_convert::Source::Table(table)], Target::Stream(&mut std::io::sink()));
            used(ndbytes_convert::convert(&sources, parquet, target, &Options::new())?)
        }))
    }),
    ("stats-f32", |folder| {
        let path = folder.join("a.npy");
        npy::write(&path, &temperatures::<f32>(512, 1024))?;
        let array = ndbytes::open(&path)?.into_array()?;
        Ok(Box::new(move || used(stats::array(&array)?)))
    }),
    ("show-f32", |folder| {
        let path = folder.join("a.npy");
        npy::write(&path, &temperatures::<f32>(512, 1024))?;
        let (array, medium) = (ndbytes::open(&path)?.into_array()?, Medium::IMAGE);
        Ok(Box::new(move || {
            let pictures = choose(&mut *array.items(), &Choice::new(medium.room()), Limits::default())?;
            used(draw(&pictures, "temperatures", medium).to_png())
        }))
    }),
    ("check-b2nd", |folder| {
        let (checker, path) = (Checker::new(), written_b2nd::<i16>(folder, Codec::LZ4)?);
        Ok(Box::new(move || used(checker.check(&path)?)))
    }),
    ("explain-b2nd", |folder| {
        let path = folder.join("a.b2nd");
        b2nd::write(&path, &temperatures::<i16>(16, 16))?;
        let (checker, input) = (Checker::new(), Input::open(path, Limits::default())?);
        Ok(Box::new(move || {
            for _ in 0..TIMES {
                black_box(checker.explain(&input)?);
            }
            Ok(())
        }))
    }),
    ("diff-b2nd", |folder| {
        let (a, b) = (folder.join("a.b2nd"), folder.join("b.b2nd"));
        let mut array = temperatures::<i16>(512, 512);
        writer(Codec::LZ4).write(&a, &array)?;
        array[[300, 200]] += 1;
        writer(Codec::LZ4).write(&b, &array)?;
        let (a, b) = (Input::open(a, Limits::default())?, Input::open(b, Limits::default())?);
        Ok(Box::new(move || used(diff::diff(&a, &b, &diff::Options::new())?)))
    }),
    ("forge-mutate", |_| {
        let mut forge = Forge::new(1).size(4096);
        let mut seeds: Vec<_> = (0..40).map(|_| forge.valid(Kind::B2nd).bytes).collect();
        seeds.sort_by_key(|seed| std::cmp::Reverse(seed.len()));
        let how = Mutation { repair: Repair::Everything, ..Mutation::default() };
        Ok(Box::new(move || {
            let mut forge = Forge::new(2);
            for seed in &seeds[..TIMES] {
                black_box(forge.mutate(seed, &how));
            }
            Ok(())
        }))
    }),
];

fn used<T>(value: T) -> Outcome<()> {
    black_box(value);
    Ok(())
}

/// Opens a small file and checks it completely.
fn opened(path: PathBuf) -> Outcome<Work> {
    let checker = Checker::new();
    Ok(Box::new(move || {
        for _ in 0..TIMES {
            black_box(ndbytes::open(&path)?);
            black_box(checker.check(&path)?);
        }
        Ok(())
    }))
}

/// Values like temperatures in steps of 1/64 of a degree, with slopes and noise. They come from integer arithmetic, so
/// they are the same on every machine.
fn temperatures<T: From<i16>>(rows: usize, columns: usize) -> Array2<T> {
    let mut state = 1_u32;
    Array2::from_shape_fn((rows, columns), |(row, column)| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let slope = (row * 5 + column * 3) / 8 % 1024;
        T::from(slope as i16 + (state >> 30) as i16)
    })
}

/// The writer for all b2nd arrays here.
fn writer(codec: Codec) -> b2nd::Writer {
    b2nd::Writer::new().chunks([256, 512]).blocks([32, 128]).filters([Filter::Shuffle]).codec(codec)
}

fn written_b2nd<T: Element + From<i16>>(folder: &Path, codec: Codec) -> Outcome<PathBuf> {
    let path = folder.join("a.b2nd");
    writer(codec).write(&path, &temperatures::<T>(512, 1024))?;
    Ok(path)
}

fn b2nd_read<T: Element + From<i16>>(folder: &Path, codec: Codec) -> Outcome<Work> {
    let array = b2nd::open(written_b2nd::<T>(folder, codec)?)?;
    Ok(Box::new(move || used(array.to_array::<T>()?)))
}

fn b2nd_write(folder: &Path, codec: Codec) -> Outcome<Work> {
    let path = folder.join("a.b2nd");
    let array = temperatures::<f64>(512, 512);
    Ok(Box::new(move || Ok(writer(codec).write(&path, &array)?)))
}

/// A table with columns of the most common types.
fn written_table(folder: &Path, rows: usize, compression: Compression) -> Outcome<PathBuf> {
    const SLOTS: u32 = 16;
    let path = folder.join("a.idv");
    let columns = [
        NewColumn::new("Label", ColumnType::scalar(ItemType::Key(KeyType::new(3))))
            .key_values(["low", "middle", "high"]),
        NewColumn::new("Features", ColumnType::vector(ItemType::F32, [SLOTS])),
        NewColumn::new("Name", ColumnType::scalar(ItemType::Text)),
        NewColumn::new("Count", ColumnType::scalar(ItemType::I64)),
    ];
    let features = temperatures::<f32>(rows, SLOTS as usize).into_raw_vec_and_offset().0;
    let mut table = Writer::new(columns).compression(compression).rows_per_block(1000).create(&path)?;
    table.write(&[
        Values::scalars((0..rows).map(|row| (row % 4) as u32).collect::<Vec<_>>()),
        Values::dense(features, SLOTS)?,
        Values::scalars((0..rows).map(|row| format!("row {row}")).collect::<Texts>()),
        Values::scalars((0..rows).map(|row| row as i64).collect::<Vec<_>>()),
    ])?;
    table.finish()?;
    Ok(path)
}

/// Reads all values of a table, column by column.
fn idv_read(folder: &Path, compression: Compression) -> Outcome<Work> {
    let path = written_table(folder, 5000, compression)?;
    Ok(Box::new(move || {
        for column in idv::open(&path)?.columns() {
            black_box(column.read()?);
        }
        Ok(())
    }))
}
