//! The number of requests for a file, as in the table in the guide.

use super::large::{ROWS, SHAPE, array, field, files, table};
use ndarray::{Slice, s};
use ndbytes::archive::Archive;
use ndbytes::{Checker, File, Input, Limits, Options, Severity, b2nd, idv};
use ndbytes_testkit::project;
use ndbytes_testkit::sources::Counted;
use rayon::ThreadPoolBuilder;
use std::fmt::Write;
use std::ops::Range;

/// Returns the number of round trips, and of ranges in all of them.
fn cost(source: &Counted) -> String {
    let requests = source.take();
    let (trips, ranges) = (requests.len(), requests.iter().map(Vec::len).sum::<usize>());
    if trips == ranges { trips.to_string() } else { format!("{trips} ({ranges} ranges)") }
}

fn open(source: &Counted) -> File<'static> {
    let input = Input::from_source(source.clone(), Limits::default()).unwrap();
    if !ndbytes::archive::is_archive(&input) {
        return Options::new().read(input).unwrap();
    }
    let archive = Archive::read(input, Limits::default()).unwrap();
    let member = archive.members().first().unwrap();
    Options::new().read(archive.load(member).unwrap()).unwrap()
}

/// Reads a tenth of the file, in the middle.
fn read_part(file: &File<'_>) {
    match file {
        File::Array(array) => {
            let rows = Slice::from(SHAPE[0] / 2..SHAPE[0] / 2 + SHAPE[0] / 10);
            let pick = |&extent: &usize| if extent == SHAPE[0] { rows } else { Slice::from(..) };
            let picks: Vec<_> = array.shape().iter().map(|extent| pick(extent).into()).collect();
            let mut rows = array.select(picks).unwrap();
            let count = rows.count();
            rows.read(0, count).unwrap();
        }
        File::Table(table) => {
            table.column("column 3").unwrap().read_rows(ROWS as u64 / 2..ROWS as u64 * 6 / 10).unwrap();
        }
    }
}

fn read_all(file: &File<'_>) {
    match file {
        File::Array(array) => drop(array.to_array::<u8>().unwrap()),
        File::Table(table) => table.columns().for_each(|column| drop(column.read().unwrap())),
    }
}

/// The table, as in the guide.
fn measured() -> String {
    let mut text =
        String::from("| file | MiB | open | then a tenth of it | then all | check |\n|---|---|---|---|---|---|\n");
    for (name, bytes) in files() {
        let length = bytes.len() as f64 / f64::from(1 << 20);
        let source = Counted::new(bytes);
        let mut costs = Vec::new();
        let file = open(&source);
        costs.push(cost(&source));
        read_part(&file);
        costs.push(cost(&source));
        let file = open(&source);
        source.take();
        read_all(&file);
        costs.push(cost(&source));
        assert!(
            Checker::new()
                .check_source(source.clone())
                .unwrap()
                .findings()
                .iter()
                .all(|found| found.severity != Severity::Error)
        );
        costs.push(cost(&source));
        writeln!(text, "| {name} | {length:.1} | {} |", costs.join(" | ")).unwrap();
    }
    text
}

#[test]
fn the_requests_of_every_kind_of_file_are_those_of_the_guide() {
    // The requests of several threads would not be in a fixed order.
    let pool = ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let table = pool.install(measured);
    let guide = std::fs::read_to_string(project().join("docs/src/internals/requests.md")).unwrap();
    assert!(guide.contains(&table), "the guide has another table than this:\n{table}");
}

/// Returns the requested bytes, over all requests.
fn asked(source: &Counted) -> Vec<Range<u64>> {
    let mut ranges: Vec<_> = source.take().into_iter().flatten().collect();
    ranges.sort_by_key(|range| range.start);
    ranges
}

fn assert_none_twice(ranges: &[Range<u64>]) {
    for pair in ranges.windows(2) {
        assert!(pair[0].end <= pair[1].start, "{pair:?}");
    }
}

#[test]
fn a_file_is_opened_by_its_first_and_last_bytes() {
    for bytes in [field(&array()), table()] {
        let (source, length) = (Counted::new(bytes.clone()), bytes.len() as u64);
        open(&source);
        let requests = source.take();
        assert!(
            matches!(&requests[..], [first] if matches!(&first[..], [head, tail] if *head == (0..4096) && tail.end == length))
        );
    }
}

#[test]
fn neighbouring_chunks_are_one_request() {
    let source = Counted::new(field(&array()));
    let file = b2nd::Options::new().from_source(source.clone()).unwrap();
    source.take();
    let slice = file.slice::<u8>(s![250..1000, 3, 5]).unwrap();
    assert_eq!(slice, array().slice(s![250..1000, 3, 5]).into_dyn());
    let requests = source.take();
    assert!(matches!(&requests[..], [ranges] if ranges.len() == 1), "{requests:?}");
    // Reading available bytes costs nothing.
    assert_eq!(file.slice::<u8>(s![300, .., ..]).unwrap(), array().slice(s![300, .., ..]).into_dyn());
    assert_eq!(source.take(), Vec::<Vec<Range<u64>>>::new());
    // Chunks that are far apart are two ranges of one request.
    file.slice::<u8>(s![1500..5000;3400, .., ..]).unwrap();
    let requests = source.take();
    assert!(matches!(&requests[..], [ranges] if ranges.len() == 2), "{requests:?}");
}

#[test]
fn no_byte_is_asked_for_twice_however_many_threads_read() {
    for threads in [1, 4] {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let source = Counted::new(field(&array()));
            let file = b2nd::Options::new().from_source(source.clone()).unwrap();
            assert_eq!(file.to_array::<u8>().unwrap(), array());
            assert_none_twice(&asked(&source));

            // Items are read one by one, as for text output.
            let file = b2nd::Options::new().from_source(source.clone()).unwrap();
            (0..SHAPE[0]).step_by(40).for_each(|row| drop(file.slice::<u8>(s![row, 0, 0]).unwrap()));
            assert_none_twice(&asked(&source));

            let source = Counted::new(table());
            let file = idv::Options::new().from_source(source.clone()).unwrap();
            let mut batches = file.batches(&["column 1", "column 5"]).unwrap();
            while let Some(batch) = batches.next() {
                batch.unwrap();
            }
            assert_none_twice(&asked(&source));
        });
    }
}

/// A `.npy` file of 4,000 rows of 1,000 numbers, each equal to its index.
fn plane() -> (Counted, ndarray::Array2<u32>) {
    let plane = ndarray::Array2::from_shape_fn([4000, 1000], |(row, column)| (row * 1000 + column) as u32);
    let folder = tempfile::tempdir().unwrap();
    ndbytes::npy::write(folder.path().join("a.npy"), &plane).unwrap();
    (Counted::new(std::fs::read(folder.path().join("a.npy")).unwrap()), plane)
}

/// The items of a selection, and the bytes requested for it.
fn selected(source: &Counted, picks: impl IntoIterator<Item = ndarray::SliceInfoElem>) -> (Vec<u32>, u64) {
    let File::Array(array) = open(source) else { panic!("no array") };
    source.take();
    let mut items = array.select(picks.into_iter().collect::<Vec<_>>()).unwrap();
    let count = items.count();
    let bytes = items.read(0, count).unwrap();
    let items = bytes.as_chunks::<4>().0.iter().map(|item| u32::from_le_bytes(*item)).collect();
    (items, asked(source).iter().map(|range| range.end - range.start).sum())
}

#[test]
fn a_column_of_npy_costs_no_more_than_four_times_its_bytes() {
    let (source, plane) = plane();
    for step in [1, 7, -3] {
        let slice = Slice::new(0, None, step);
        let (items, bytes) = selected(&source, [slice.into(), 321.into()]);
        assert_eq!(items, plane.slice(s![slice, 321]).to_vec());
        assert!(bytes <= 4 * 4 * items.len() as u64, "{bytes} bytes for {} items", items.len());
    }
}

#[test]
fn a_square_of_npy_costs_no_more_than_four_times_its_bytes() {
    let (source, plane) = plane();
    let (rows, columns) = (Slice::from(1000..1500), Slice::new(100, Some(700), 2));
    let (items, bytes) = selected(&source, [rows.into(), columns.into()]);
    assert_eq!(items, plane.slice(s![rows, columns]).iter().copied().collect::<Vec<_>>());
    assert!(bytes <= 4 * 4 * items.len() as u64, "{bytes} bytes for {} items", items.len());
}

/// An array in 16 chunks of 512 KiB, each of 16 blocks.
fn tiles() -> (Counted, ndarray::ArrayD<u8>) {
    let items: Vec<u8> = super::large::noise().take(2048 * 4096).collect();
    let array = ndarray::ArrayD::from_shape_vec(vec![2048, 4096], items).unwrap();
    let writer = b2nd::Writer::new().chunks([512, 1024]).blocks([128, 256]).codec(b2nd::Codec::LZ4);
    (Counted::new(writer.to_vec(&array).unwrap()), array)
}

#[test]
fn a_square_over_four_chunks_costs_one_round_trip() {
    let (source, array) = tiles();
    let file = b2nd::Options::new().from_source(source.clone()).unwrap();
    source.take();
    let square = s![480..544, 992..1056];
    assert_eq!(file.slice::<u8>(square).unwrap(), array.slice(square).into_dyn());
    let requests = source.take();
    assert!(matches!(&requests[..], [ranges] if ranges.len() <= 2), "{requests:?}");
}

#[test]
fn blocks_are_read_instead_of_many_chunks() {
    let (source, array) = tiles();
    for threads in [1, 4] {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let file = b2nd::Options::new().from_source(source.clone()).unwrap();
            source.take();
            // This selects one block from each of the sixteen chunks.
            let cross = s![..;512, 0..;1024];
            assert_eq!(file.slice::<u8>(cross).unwrap(), array.slice(cross).into_dyn());
            let requests = source.take();
            let bytes: u64 = requests.iter().flatten().map(|range| range.end - range.start).sum();
            assert!(requests.len() <= 2, "{} round trips", requests.len());
            // The head is a page of 16 KiB, and a block of 32 KiB is in at most three pages.
            assert!(bytes <= 16 * 4 * (16 << 10), "{bytes} bytes");
        });
    }
}

#[test]
fn blocks_are_read_instead_of_a_large_chunk() {
    let (_, array) = tiles();
    let writer = b2nd::Writer::new().chunks([2048, 4096]).blocks([128, 256]).codec(b2nd::Codec::LZ4);
    let source = Counted::new(writer.to_vec(&array).unwrap());
    let file = b2nd::Options::new().from_source(source.clone()).unwrap();
    source.take();
    let square = s![600..664, 1000..1064];
    assert_eq!(file.slice::<u8>(square).unwrap(), array.slice(square).into_dyn());
    let requests = source.take();
    assert!(requests.len() <= 2, "{requests:?}");
    assert!(requests.iter().flatten().map(|range| range.end - range.start).sum::<u64>() < 1 << 20, "{requests:?}");
}
