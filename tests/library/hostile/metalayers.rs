//! Many metalayers.

use super::{checker, examine, limits, of};
use ndbytes::{Depth, Format, Profile, b2nd};

/// An array without items, with about the maximum number of metalayers, in the header or in the trailer. None of the
/// offsets next to their names points to a content.
fn with_many_metalayers(in_header: bool) -> Vec<u8> {
    let sample = of(Format::B2nd, "ok").into_iter().find(|sample| sample.name == "empty").unwrap();
    let header_length = u32::from_be_bytes(sample.bytes[11..15].try_into().unwrap()) as usize;
    let (mut header, trailer) = (sample.bytes[..header_length].to_vec(), &sample.bytes[header_length..]);
    let named = |content: &[u8], count| (0..count).map(move |name| (format!("{name:04x}"), content.to_vec())).collect();
    let mut layers: Vec<(String, Vec<u8>)> = named(b"value", 50_000);
    let mut attributes = trailer[2..trailer.len() - 23].to_vec();
    layers[0] = ("b2nd".to_owned(), header.split_off(112));
    header.truncate(87);
    if in_header {
        header.extend(metalayers(&layers));
    } else {
        // Each is an uncompressed chunk of one byte.
        let chunk = [&[5, 1, 7, 1, 1, 0, 0, 0, 1, 0, 0, 0, 33, 0, 0, 0][..], &[0; 16], &[7]].concat();
        attributes = metalayers(&named(&chunk, 0xFFFF));
        header.extend(metalayers(&layers[..1]));
        header[68] = 0xC3;
    }
    let (header_length, trailer_length) = (header.len(), 2 + attributes.len() + 23);
    header[11..15].copy_from_slice(&(header_length as u32).to_be_bytes());
    header[16..24].copy_from_slice(&((header_length + trailer_length) as u64).to_be_bytes());
    let tail = [&[0xCE][..], &(trailer_length as u32).to_be_bytes(), &[0xD8], &[0; 17]].concat();
    [header, trailer[..2].to_vec(), attributes, tail].concat()
}

/// Names with wrong offsets, and contents.
fn metalayers(contents: &[(String, Vec<u8>)]) -> Vec<u8> {
    let count = (contents.len() as u16).to_be_bytes();
    let entry = |name: &str| [&[0xA0 | name.len() as u8][..], name.as_bytes(), &[0xD2, 0, 0, 0, 7]].concat();
    let content = |bytes: &[u8]| [&[0xC6][..], &(bytes.len() as u32).to_be_bytes(), bytes].concat();
    let entries: Vec<u8> = contents.iter().flat_map(|(name, _)| entry(name)).collect();
    let contents: Vec<u8> = contents.iter().flat_map(|(_, bytes)| content(bytes)).collect();
    [&[0x93, 0xCD, 0, 0, 0xDE][..], &count, &entries, &[0xDC], &count, &contents].concat()
}

/// This took minutes when all contents were searched for each name.
#[test]
fn many_metalayers_with_wrong_offsets_are_checked_in_time() {
    let rules = ndbytes::rules().filter(|rule| rule.id.starts_with("b2nd/"));
    let tolerant = rules.fold(b2nd::Options::new().limits(limits()), b2nd::Options::tolerate);
    // If the metalayers are in the trailer, the array layer's offset is also wrong.
    for (in_header, wrong) in [(true, 50_000), (false, 0xFFFF + 1)] {
        let bytes = with_many_metalayers(in_header);
        let what = || format!("{} bytes, metalayers in the header: {in_header}", bytes.len());
        examine(&bytes, 2, &what);
        let report = checker(Profile::Strict, Depth::Payload).check_slice(&bytes).unwrap();
        let findings = report.findings().iter();
        let offsets: Vec<_> = findings.filter(|finding| finding.rule.id == "b2nd/metalayer-offset").collect();
        assert_eq!(offsets.len(), 20, "{}: {:?}", what(), report.findings());
        let more = format!("(and {} more of this kind)", wrong - 20);
        assert!(offsets[19].message.ends_with(&more), "{}: {}", what(), offsets[19]);

        let array = tolerant.from_slice(&bytes).unwrap();
        let names = if in_header { array.metalayer_names() } else { array.attribute_names() };
        assert_eq!(names.len(), wrong - 1, "{}", what());
        for name in ["0001", "8000", names.last().unwrap()] {
            let content = if in_header { array.metalayer(name) } else { array.attribute(name) };
            assert_eq!(content.unwrap(), if in_header { &b"value"[..] } else { &[7] }, "{}: {name}", what());
        }
    }
}
