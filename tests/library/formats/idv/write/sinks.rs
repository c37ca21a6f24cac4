//! All sinks get the same bytes, and none gets a broken file.

use super::{inexpressible, scalar};
use crate::formats::idv::DEFLATED;
use ndbytes::idv::{self, ItemType, NewColumn, Texts, Values, Writer};
use ndbytes::{Checker, Error};
use ndbytes_testkit::tables::made::{self, Kind};
use ndbytes_testkit::tables::model::{self, Item};
use std::fs;
use std::io::{self, Cursor, Seek, SeekFrom, Write};

/// A file appears only when it is finished; until then, the old one is kept.
#[test]
fn a_file_appears_whole_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.idv");
    let names = || {
        let entries = folder.path().read_dir().unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect::<Vec<_>>()
    };
    let column = || NewColumn::new("a", scalar(ItemType::Text));
    let half = || Values::scalars(model::texts(&[Item::Text(vec![0xD83D])]));
    let attempts = || {
        // The writer is refused at once.
        inexpressible(Writer::new([column(), column()]).create(&path));
        // The writer is dropped at the beginning, and after some blocks were written.
        drop(Writer::new([column()]).create(&path).unwrap());
        let mut dropped = Writer::new([column()]).rows_per_block(1).create(&path).unwrap();
        dropped.write(&[Values::scalars(["x", "y"].into_iter().collect::<Texts>())]).unwrap();
        drop(dropped);
        // The writer fails in the middle, and at the end.
        let mut failed = Writer::new([column()]).create(&path).unwrap();
        inexpressible(failed.write(&[Values::scalars(vec![1_i32])]));
        drop(failed);
        let mut failed = Writer::new([column()]).create(&path).unwrap();
        failed.write(&[half()]).unwrap();
        inexpressible(failed.finish());
    };
    attempts();
    assert_eq!(names(), [""; 0]);
    fs::write(&path, "before").unwrap();
    attempts();
    assert_eq!((names(), fs::read_to_string(&path).unwrap()), (vec!["a.idv".to_owned()], "before".to_owned()));

    let mut writer = Writer::new([column()]).create(&path).unwrap();
    writer.write(&[Values::scalars(["x"].into_iter().collect::<Texts>())]).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "before");
    writer.finish().unwrap();
    assert_eq!(names(), ["a.idv"]);
    assert_eq!(idv::open(&path).unwrap().rows(), 1);

    let nowhere = Writer::new([column()]).create(folder.path().join("no/a.idv"));
    assert!(matches!(nowhere, Err(Error::Io { path: Some(_), .. })));
}

/// A caller that continues after an error does not get a broken file.
#[test]
fn a_writer_that_failed_makes_no_broken_file() {
    let half = |unit| Values::scalars(model::texts(&[Item::text("x"), Item::Text(vec![unit])]));
    let columns = || [NewColumn::new("a", scalar(ItemType::I32)), NewColumn::new("b", scalar(ItemType::Text))];
    let numbers = || Values::scalars(vec![1, 2]);
    for rows_per_block in [1, 2, 3] {
        let writer = Writer::new(columns()).rows_per_block(rows_per_block);
        let mut writer = writer.begin(Cursor::new(Vec::new())).unwrap();
        let written = writer.write(&[numbers(), half(0xD83D)]);
        let failed = written.is_err();
        assert!(matches!(written, Ok(()) | Err(Error::Inexpressible { .. })), "{written:?}");
        let _ = writer.write(&[numbers(), Values::scalars(model::texts(&[Item::Text(vec![0xDE00]), Item::text("y")]))]);
        if let Ok(file) = writer.finish_sink() {
            let file = file.into_inner();
            let report = Checker::new().check_slice(&file).unwrap();
            assert!(report.findings().is_empty(), "{rows_per_block} rows per block: {:?}", report.findings());
            assert!(!failed, "{rows_per_block} rows per block: finished in spite of an error");
        }
    }
}

/// The error of the sink below.
const FULL: io::ErrorKind = io::ErrorKind::StorageFull;

/// A sink that fails once.
struct Flaky {
    sink: Cursor<Vec<u8>>,
    writes_left: usize,
}

impl Write for Flaky {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writes_left = self.writes_left.wrapping_sub(1);
        if self.writes_left == 0 { Err(FULL.into()) } else { self.sink.write(bytes) }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for Flaky {
    fn seek(&mut self, target: SeekFrom) -> io::Result<u64> {
        self.sink.seek(target)
    }
}

/// The same applies to a sink that fails and then accepts more.
#[test]
fn a_sink_that_failed_gets_no_broken_file() {
    let columns = || [NewColumn::new("a", scalar(ItemType::I32)), NewColumn::new("b", scalar(ItemType::F64))];
    let rows = || [Values::scalars(vec![1, 2, 3]), Values::scalars(vec![1.0, 2.0, 3.0])];
    for writes_left in 2..12 {
        let sink = Flaky { sink: Cursor::new(Vec::new()), writes_left };
        let mut writer = Writer::new(columns()).rows_per_block(2).begin(sink).unwrap();
        let failures: Vec<Error> = (0..3).filter_map(|_| writer.write(&rows()).err()).collect();
        let is_ours = |error: &Error| matches!(error, Error::Io { source, .. } if source.kind() == FULL);
        assert!(failures.first().is_none_or(is_ours), "{failures:?}");
        // The same applies to rows that are still buffered.
        let one = [Values::scalars(vec![1]), Values::scalars(vec![1.0])];
        assert!(failures.is_empty() || writer.write(&one).is_err(), "write {writes_left}: rows after an error");
        let finished = writer.finish_sink();
        if let Ok(Flaky { sink, .. }) = finished {
            let file = sink.into_inner();
            let report = Checker::new().check_slice(&file).unwrap();
            assert!(report.findings().is_empty(), "write {writes_left}: {:?}", report.findings());
            assert!(failures.is_empty(), "write {writes_left}: finished in spite of an error");
        }
    }
}

/// The file in memory must equal the file on disk.
#[test]
fn every_sink_gets_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.idv");
    let model = made::all_ragged(Kind::Mixed, 30);
    let settings = DEFLATED.rows_per_block(7);
    let mut writer = model.writer(settings).create(&path).unwrap();
    model.write(&mut writer, settings).unwrap();
    writer.finish().unwrap();
    assert!(fs::read(&path).unwrap() == model.bytes(settings));
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        assert!(pool.install(|| model.bytes(settings)) == fs::read(&path).unwrap());
    }
}
