//! Every file has the same content through a source as by its path.

use ndbytes::{Checker, File, Input, Limits, Options, Report, Result, info};
use ndbytes_compare::digest;
use ndbytes_testkit::corpus::{Sample, compared, samples};
use ndbytes_testkit::sources::{Counted, sizes};

fn in_pages(sample: &Sample, limits: Limits) -> Input<'static> {
    Input::from_source_in_pages(Counted::new(sample.bytes.clone()), limits, sizes(sample)).unwrap()
}

fn findings(report: &Report) -> String {
    let parts = report.parts().map(|part| format!("{part:?}\n"));
    format!("{:?}\n{}", report.findings(), parts.collect::<String>())
}

#[test]
fn findings_are_the_same_through_a_source() {
    for sample in samples().iter().chain(&compared()) {
        let checker = Checker::new();
        let expected = findings(&checker.check_slice(&sample.bytes).unwrap());
        let whole = checker.check_source(Counted::new(sample.bytes.clone())).unwrap();
        assert_eq!(findings(&whole), expected, "{sample}");
        let paged = checker.check_input(in_pages(sample, Limits::default())).unwrap();
        assert_eq!(findings(&paged), expected, "{sample} in pages");
    }
}

/// Returns all content of a file: a description, its map, its values, and some of these read in other ways.
fn content(input: &Input<'_>) -> Vec<Result<String>> {
    let limits = Limits::default();
    let again = || input.again(limits);
    let opened = |read: &dyn Fn(File<'_>) -> Result<String>| read(Options::new().read(again()?)?);
    vec![
        again().and_then(|input| info(input, &limits)).map(|info| format!("{info:?}")),
        again().and_then(|input| Checker::new().byte_map(input)).map(|map| format!("{map:?}")),
        digest::bytes(input).map(|digest| digest.to_string()),
        digest::values(input, &limits).map(|digest| digest.to_string()),
        opened(&|file| match file {
            File::Array(array) => {
                let bytes = array.bytes()?.into_owned();
                let last = array.shape().iter().product::<usize>() as u64;
                let scalar = last.checked_sub(1).map(|last| array.scalar(last)).transpose()?;
                let rows: Vec<_> = array.shape().iter().map(|_| ndarray::Slice::new(0, None, -2).into()).collect();
                let mut picked = array.select(&rows)?;
                let count = picked.count();
                Ok(format!("{bytes:?} {scalar:?} {:?}", picked.read(0, count)?))
            }
            File::Table(table) => {
                let columns = table.columns().filter(|column| column.is_readable());
                let last = table.rows().saturating_sub(1)..table.rows();
                let values = columns.map(|column| Ok((column.read()?, column.read_rows(last.clone())?)));
                Ok(format!("{:?}", values.collect::<Result<Vec<_>>>()?))
            }
        }),
    ]
}

#[test]
fn contents_are_the_same_through_a_source() {
    for sample in samples().iter().chain(&compared()) {
        let texts = |input: &Input<'_>| -> Vec<String> {
            let each = content(input).into_iter();
            each.map(|said| said.unwrap_or_else(|error| format!("{error:?}"))).collect()
        };
        let expected = texts(&Input::from_slice(&sample.bytes, Limits::default()));
        for (place, said) in texts(&in_pages(sample, Limits::default())).into_iter().enumerate() {
            assert!(said == expected[place], "{sample}, {place}:\n{said}\n{}", expected[place]);
        }
    }
}
