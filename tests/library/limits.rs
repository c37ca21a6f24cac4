//! Each limit can be set on its own, and its error states what was refused.

use ndbytes::idv::{self, ColumnType, NewColumn, Values, Writer};
use ndbytes::{Checker, Error, Input, Limits, Options, idx};
use ndbytes_testkit::project;
use std::io::{self, Cursor, Read};
use std::time::{Duration, Instant};

#[test]
fn each_limit_is_set_alone() {
    type Set = (fn(Limits) -> Limits, fn(Limits) -> u64);
    let sets: [Set; 5] = [
        (|limits| limits.memory(7), |limits| limits.memory),
        (|limits| limits.output(7), |limits| limits.output),
        (|limits| limits.decoded(7), |limits| limits.decoded),
        (|limits| limits.fields(7), |limits| limits.fields as u64),
        (|limits| limits.time(Duration::from_secs(7)), |limits| limits.time.map_or(0, |time| time.as_secs())),
    ];
    for (place, (set, _)) in sets.iter().enumerate() {
        for (other, (_, value)) in sets.iter().enumerate() {
            let expected = if place == other { 7 } else { value(Limits::default()) };
            assert_eq!(value(set(Limits::default())), expected, "{place} sets {other}");
        }
    }
    let all = sets.iter().fold(Limits::default(), |limits, (set, _)| set(limits));
    assert_eq!(sets.map(|(_, value)| value(all)), [7; 5]);
}

#[test]
fn a_clock_runs_from_the_start_on_and_goes_on() {
    let hour = Duration::from_secs(3600);
    assert_eq!((Limits::default().time_left(), Limits::default().time(hour).time_left()), (None, Some(hour)));
    let started = Limits::default().time(hour).started();
    assert!(started.time_left().unwrap() <= hour && started.ensure_time().is_ok());
    assert_eq!(started.started(), started);
    // Setting another time stops the clock.
    assert_eq!(started.time(hour), Limits::default().time(hour));
    let over = Limits::default().time(Duration::ZERO);
    assert!(over.ensure_time().is_ok(), "its clock does not run");
    assert!(matches!(over.started().ensure_time(), Err(Error::Time { granted: Duration::ZERO })));
    assert_eq!(over.started().time_left(), Some(Duration::ZERO));
}

#[test]
fn an_output_as_long_as_the_limit_is_written() {
    let limits = Limits::default().output(100);
    assert!(limits.ensure_output("the file", 100).is_ok());
    let error = limits.ensure_output("the file", 101).unwrap_err();
    assert_eq!(error.finding().unwrap().rule.id, "limit-exceeded");
    assert!(error.to_string().contains("101 bytes"), "{error}");
}

/// An error about the file is reported as such while the time limit is not exceeded.
#[test]
fn a_limit_on_memory_is_no_end_of_time() {
    let limits = Limits::default().memory(4 << 10).time(Duration::from_secs(3600));
    let error = Options::new().limits(limits).open(project().join("samples/digits-idx3-ubyte.gz")).unwrap_err();
    assert_eq!(error.finding().unwrap().rule.id, "limit-exceeded");
    // A violation of another rule is reported even when the time limit is exceeded.
    let over = Limits::default().time(Duration::ZERO).started();
    let broken = idx::Options::new().limits(over).from_slice(&[0, 0, 8, 1, 0, 0, 0, 9, 1]).unwrap_err();
    assert_eq!(broken.finding().unwrap().rule.id, "idx/truncated-payload");
}

/// The remaining elements of a list share a field.
#[test]
fn a_map_has_about_as_many_fields_as_are_granted() {
    let columns = (0..300).map(|number| NewColumn::new(format!("c{number}"), ColumnType::scalar(idv::ItemType::I32)));
    let mut writer = Writer::new(columns).begin(Cursor::new(Vec::new())).unwrap();
    writer.write(&vec![Values::scalars(vec![1_i32, 2]); 300]).unwrap();
    let table = writer.finish_sink().unwrap().into_inner();
    let fields = |granted: usize| {
        let limits = Limits::default().fields(granted);
        let (_, map) = Checker::new().limits(limits).explain(&Input::from_slice(&table, limits)).unwrap();
        map.spans().len()
    };
    let (few, many) = (fields(100), fields(1 << 16));
    // The outline of the file and of each column is always included.
    assert!(few < 600 && many > 1700, "{few} and {many} fields");
}

/// A stream that returns a byte only after the time limit, after which it must not be read again.
struct Slow {
    end: Option<Instant>,
}

impl Read for Slow {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let end = self.end.take().expect("nobody reads on when the time is over");
        std::thread::sleep(end.saturating_duration_since(Instant::now()));
        buffer[0] = 0;
        Ok(1)
    }
}

/// A stream that never returns a byte.
struct Empty;

impl Read for Empty {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::ErrorKind::Interrupted.into())
    }
}

#[test]
fn a_stream_is_not_read_on_when_the_time_is_over() {
    let time = Duration::from_millis(20);
    let limits = Limits::default().time(time).started();
    let slow = Slow { end: Some(Instant::now() + time) };
    assert!(matches!(Input::from_reader(slow, limits), Err(Error::Time { .. })));
    assert!(matches!(Input::from_reader(Empty, Limits::default().time(time)), Err(Error::Time { .. })));
    let report = Checker::new().limits(Limits::default().time(time)).check_reader(Empty).unwrap();
    assert_eq!(report.findings()[0].rule.id, "limit-exceeded");
}
