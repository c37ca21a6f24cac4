//! Each operation of the library supports this format, although it is mentioned outside its directory only in the registers.

use super::LENGTH;
use crate::{Checker, Format, Input, Limits, Options, Verdict, info, layouts, names, rules};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::fs;
use std::io::Write;

const FILE: &[u8] = b"TOY!\x03\0\0\0abc";

#[test]
fn the_format_is_detected_checked_and_mapped() {
    assert_eq!(crate::detect(FILE, FILE.len() as u64), Some(Format::Toy));
    let (report, map) = Checker::new().explain(&Input::from_slice(FILE, Limits::default())).unwrap();
    assert_eq!((report.format, report.verdict()), (Some(Format::Toy), Verdict::Ok));
    let fields: Vec<_> = map.spans().iter().map(|span| span.path.clone()).collect();
    assert_eq!(fields, ["magic", "count", "items"]);
    let broken = Checker::new().check_slice(&FILE[..9]).unwrap();
    assert_eq!(broken.findings()[0].rule, &LENGTH);
}

#[test]
fn the_format_is_described_and_listed() {
    let described = info(Input::from_slice(FILE, Limits::default()), &Limits::default()).unwrap();
    assert_eq!((described.format, described.array.unwrap().shape), (Format::Toy, vec![3]));
    assert!(rules().any(|rule| rule == &LENGTH));
    assert!(layouts().any(|layout| layout.format == Some(Format::Toy) && layout.title == "Toy"));
    assert_eq!(names::Name::of("x.toy.gz").unwrap().content, names::Content::File(Format::Toy));
    assert_eq!(Format::Toy.extension(), "toy");
}

#[test]
fn the_format_is_opened_read_and_exported() {
    let folder = tempfile::tempdir().unwrap();
    let (path, npy) = (folder.path().join("a.toy"), folder.path().join("a.npy"));
    fs::write(&path, FILE).unwrap();
    assert_eq!(crate::read::<u8>(&path).unwrap().as_slice(), Some(&b"abc"[..]));
    let array = crate::open(&path).unwrap().into_array().unwrap();
    assert_eq!(array.items().read(1, 2).unwrap(), b"bc");
    array.export(&npy, &Limits::default()).unwrap();
    assert_eq!(crate::npy::open(&npy).unwrap().view::<u8>().unwrap().as_slice(), Some(&b"abc"[..]));
    let options = Options::new().tolerate(&LENGTH);
    assert_eq!(options.from_slice(&FILE[..9]).unwrap().into_array().unwrap().shape(), [1]);
}

#[test]
fn the_format_is_known_in_gzip_in_archives_and_by_a_name_that_lies() {
    let mut to = GzEncoder::new(Vec::new(), Compression::default());
    to.write_all(FILE).unwrap();
    assert_eq!(Options::new().from_slice(&to.finish().unwrap()).unwrap().format(), Format::Toy);
    let zip = ndbytes_testkit::zip::zip(&[ndbytes_testkit::zip::Entry::deflated("b.toy", FILE)]);
    let report = Checker::new().check_slice(&zip).unwrap();
    assert_eq!(report.parts().next().unwrap().format, Some(Format::Toy));
    let folder = tempfile::tempdir().unwrap();
    let lie = folder.path().join("a.toy");
    fs::write(&lie, b"something else").unwrap();
    assert_eq!(crate::check(&lie, &Limits::default()).unwrap().findings()[0].rule, &crate::MISNAMED);
}
