//! Files of every format inside gzip.

use flate2::Compression;
use flate2::write::GzEncoder;
use ndbytes::{
    Array, Checker, Error, File, Finding, Format, Input, Limits, Options, Report, Space, Verdict, b2nd, idv, idx, npy,
};
use ndbytes::{rawarray, rules};
use ndbytes_testkit::corpus::{Sample, samples};
use std::io::Write;

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut to = GzEncoder::new(Vec::new(), Compression::default());
    to.write_all(bytes).unwrap();
    to.finish().unwrap()
}

/// The files of the corpus that are not in gzip themselves and do not need a special limit.
fn plain_samples() -> impl Iterator<Item = Sample> {
    samples().into_iter().filter(|sample| {
        sample.format.is_some()
            && !ndbytes::is_gzip(&sample.bytes)
            && sample.recipe.memory.is_none()
            && sample.path.is_file()
    })
}

fn check(bytes: &[u8]) -> Report {
    Checker::new().check_slice(bytes).unwrap()
}

fn ids(findings: &[Finding]) -> Vec<&str> {
    findings.iter().map(|finding| finding.rule.id).collect()
}

#[test]
fn a_file_has_the_same_findings_inside_gzip() {
    let mut count = 0;
    for sample in plain_samples() {
        let (plain, inside) = (check(&sample.bytes), check(&packed(&sample.bytes)));
        assert_eq!(ids(inside.findings()), ids(plain.findings()), "{sample}");
        let is_unknown = plain.format.is_none();
        assert_eq!(inside.format, plain.format, "{sample}");
        for (one, other) in inside.findings().iter().zip(plain.findings()).filter(|_| !is_unknown) {
            assert_eq!((one.space, one.offset), (other.space + 1, other.offset), "{sample}: {one}");
            assert!(one.space_name().is_some(), "{sample}: {one}");
        }
        count += 1;
    }
    assert!(count > 500, "{count} files");
}

#[test]
fn a_file_has_the_same_content_inside_gzip() {
    let mut count = 0;
    for sample in plain_samples() {
        let bytes = packed(&sample.bytes);
        let (plain, inside) = (Options::new().from_slice(&sample.bytes), Options::new().from_slice(&bytes));
        match (plain, inside) {
            (Ok(File::Array(plain)), Ok(File::Array(inside))) => {
                assert_eq!((plain.shape(), plain.item_type()), (inside.shape(), inside.item_type()), "{sample}");
                match (plain.bytes(), inside.bytes()) {
                    (Ok(plain), Ok(inside)) => assert_eq!(plain, inside, "{sample}"),
                    (Err(Error::Invalid(plain)), Err(Error::Invalid(inside))) => {
                        assert_eq!((inside.rule, inside.space), (plain.rule, plain.space + 1), "{sample}");
                    }
                    (plain, inside) => panic!("{sample}: {:?}, {:?}", plain.err(), inside.err()),
                }
            }
            (Ok(File::Table(plain)), Ok(File::Table(inside))) => {
                for (plain, inside) in plain.columns().zip(inside.columns()) {
                    match (plain.read(), inside.read()) {
                        (Ok(plain), Ok(inside)) => assert_eq!(format!("{plain:?}"), format!("{inside:?}"), "{sample}"),
                        (Err(Error::Invalid(plain)), Err(Error::Invalid(inside))) => {
                            assert_eq!((inside.rule, inside.space), (plain.rule, plain.space + 1), "{sample}");
                        }
                        (plain, inside) => {
                            assert_eq!(
                                plain.err().map(|it| it.to_string()),
                                inside.err().map(|it| it.to_string()),
                                "{sample}"
                            );
                        }
                    }
                }
            }
            (Err(Error::Invalid(plain)), Err(Error::Invalid(inside))) => {
                assert_eq!(inside.rule, plain.rule, "{sample}")
            }
            (plain, inside) => panic!("{sample}: {plain:?}, {inside:?}"),
        }
        count += 1;
    }
    assert!(count > 500, "{count} files");
}

#[test]
fn a_map_has_the_spaces_of_the_file_after_that_of_gzip() {
    for sample in plain_samples().filter(|sample| sample.folder == "ok") {
        let bytes = packed(&sample.bytes);
        let map = |bytes: &[u8]| Checker::new().byte_map(Input::from_slice(bytes, Limits::default())).unwrap();
        let (plain, inside) = (map(&sample.bytes), map(&bytes));
        let shape = |space: &Space| (space.length, space.nodes.iter().count());
        let expected: Vec<_> = plain.spaces.iter().map(|space| (space.id + 1, shape(space))).collect();
        let found: Vec<_> = inside.spaces[1..].iter().map(|space| (space.id, shape(space))).collect();
        assert_eq!(found, expected, "{sample}");
        assert_eq!((inside.spaces[0].id, inside.spaces[0].length), (0, bytes.len() as u64), "{sample}");
        assert_eq!(inside.spaces[1].title, "inflated", "{sample}");
    }
}

fn sample(name: &str) -> Sample {
    samples().into_iter().find(|sample| sample.to_string() == name).unwrap()
}

#[test]
fn a_handle_of_a_format_opens_its_files_inside_gzip_and_refuses_them_if_raw() {
    let of = |name| packed(&sample(name).bytes);
    let (ra, table, array, plain) = (of("rawarray/ok/u8"), of("idv/ok/u8"), of("b2nd/ok/1d"), of("npy/ok/u1"));
    assert_eq!(rawarray::from_slice(&ra).unwrap().bytes().unwrap().len(), 3);
    assert_eq!(idv::from_slice(&table).unwrap().rows(), 3);
    assert_eq!(b2nd::from_slice(&array).unwrap().to_bytes().unwrap(), [1, 2, 3, 4]);
    assert_eq!(npy::from_slice(&plain).unwrap().shape(), [3]);
    let refused = |error: Error| matches!(error, Error::Invalid(finding) if finding.rule.id == "unknown-format");
    assert!(refused(npy::Options::new().raw(true).from_slice(&plain).unwrap_err()));
    assert!(refused(b2nd::Options::new().raw(true).from_slice(&array).unwrap_err()));
    assert!(refused(Options::new().raw(true).from_slice(&table).unwrap_err()));
}

#[test]
fn what_is_wrong_with_gzip_is_a_warning_or_tolerated_beside_the_content() {
    let tolerated = rules().find(|rule| rule.id == "gzip/truncated").unwrap();
    let mut bytes = packed(&sample("npy/ok/u1").bytes);
    bytes.truncate(bytes.len() - 4);
    let options = npy::Options::new();
    let error = options.from_slice(&bytes).unwrap_err();
    assert!(matches!(error, Error::Invalid(finding) if finding.rule == tolerated && finding.space == 0));
    let read = options.tolerate(tolerated).from_slice(&bytes).unwrap();
    assert_eq!((read.shape(), ids(read.tolerated())), (&[3][..], vec!["gzip/truncated"]));
    bytes = [packed(&sample("idv/ok/u8").bytes), vec![0; 3]].concat();
    assert_eq!(ids(idv::from_slice(&bytes).unwrap().warnings()), ["gzip/zero-padding"]);
    assert_eq!(ids(Options::new().from_slice(&bytes).unwrap().warnings()), ["gzip/zero-padding"]);
}

#[test]
fn content_of_no_format_is_not_inflated() {
    let limits = Limits::default().memory(64 << 10);
    let bytes = packed(&vec![b'x'; 64 << 20]);
    let report = Checker::new().limits(limits).check_slice(&bytes).unwrap();
    assert_eq!(ids(report.findings()), ["unknown-format"]);
    assert!(matches!(
        Array::read(Input::from_slice(&bytes, limits), &Options::new().limits(limits)),
        Err(Error::Invalid(_))
    ));
}

#[test]
fn content_beyond_the_limit_is_a_finding_and_takes_no_more() {
    let limits = Limits::default().memory(1 << 20);
    let mut content = sample("npy/ok/u1").bytes;
    content.resize(64 << 20, 0);
    let bytes = packed(&content);
    let report = Checker::new().limits(limits).check_slice(&bytes).unwrap();
    assert_eq!((report.format, ids(report.findings())), (Some(Format::Npy), vec!["limit-exceeded"]));
    assert_eq!(report.verdict(), Verdict::Error);
    // IDX states its length, so nothing after it is inflated.
    let mut content = sample("idx/ok/u8-1d").bytes;
    content.resize(64 << 20, 0);
    let bytes = packed(&content);
    let report = Checker::new().limits(limits).check_slice(&bytes).unwrap();
    assert_eq!((report.format, ids(report.findings())), (Some(Format::Idx), vec!["idx/trailing-bytes"]));
    assert!(matches!(idx::from_slice(&bytes), Err(Error::Invalid(finding)) if finding.rule == &idx::TRAILING_BYTES));
}

#[test]
fn gzip_in_gzip_is_not_unpacked() {
    let bytes = packed(&packed(&sample("npy/ok/u1").bytes));
    assert_eq!(ids(check(&bytes).findings()), ["unknown-format"]);
    let error = Options::new().from_slice(&bytes).unwrap_err();
    assert!(matches!(error, Error::Invalid(finding) if finding.rule.id == "unknown-format"));
}
