//! Tolerances of IDX.

use super::{both_ways, gzip};
use ndarray::{Axis, Slice, arr0, arr1, arr2, arr3};
use ndbytes::everybyte::Endian;
use ndbytes::idx;
use ndbytes::{Error, Finding, Rule};
use ndbytes_testkit::cases::rule;

/// The tolerated rules.
fn tolerated(findings: &[Finding]) -> Vec<&'static Rule> {
    findings.iter().map(|finding| finding.rule).collect()
}

#[test]
fn trailing_bytes_are_tolerated_only_if_asked_for() {
    let array = arr2(&[[1_i16, 2], [3, 4], [5, 6]]);
    let (plain, compressed) = both_ways(&array);
    let lenient = idx::Options::new().tolerate(&idx::TRAILING_BYTES);
    let longer = [&plain[..], b"more"].concat();
    // One gzip file has content after the array, and another continues with another member.
    let one_member = gzip(&longer);
    let two_members = [&compressed[..], &gzip(b"more")].concat();
    for bytes in [&longer, &one_member, &two_members] {
        assert_eq!(rule(idx::from_slice(bytes).unwrap_err()), "idx/trailing-bytes");
        let others = idx::Options::new()
            .tolerate(&idx::TRUNCATED_PAYLOAD)
            .tolerate(&idx::LITTLE_ENDIAN_HEADER)
            .byte_order(Endian::Little);
        assert_eq!(rule(others.from_slice(bytes).unwrap_err()), "idx/trailing-bytes");
        let file = lenient.from_slice(bytes).unwrap();
        assert_eq!(tolerated(file.tolerated()), [&idx::TRAILING_BYTES]);
        assert_eq!(file.to_array::<i16>().unwrap(), array.clone().into_dyn());
    }
    assert!(lenient.from_slice(&plain).unwrap().tolerated().is_empty(), "only what was needed is named");
    assert!(lenient.from_slice(&compressed).unwrap().tolerated().is_empty());
}

#[test]
fn truncated_tails_are_tolerated_only_if_asked_for() {
    let array = arr3(&[[[1_i32, 2], [3, 4]], [[5, 6], [7, 8]], [[9, 10], [11, 12]]]);
    let (plain, _) = both_ways(&array);
    let lenient = idx::Options::new().tolerate(&idx::TRUNCATED_PAYLOAD);
    let header = 16;
    for missing in 1..=plain.len() - header {
        let short = &plain[..plain.len() - missing];
        for bytes in [short, &gzip(short)] {
            assert_eq!(rule(idx::from_slice(bytes).unwrap_err()), "idx/truncated-payload");
            let others = idx::Options::new()
                .tolerate(&idx::TRAILING_BYTES)
                .tolerate(&idx::LITTLE_ENDIAN_HEADER)
                .tolerate(&idx::IMPLAUSIBLE_BYTE_ORDER);
            assert_eq!(rule(others.from_slice(bytes).unwrap_err()), "idx/truncated-payload");
            let file = lenient.from_slice(bytes).unwrap();
            assert_eq!(tolerated(file.tolerated()), [&idx::TRUNCATED_PAYLOAD]);
            let whole = (short.len() - header) / 16;
            assert_eq!(file.shape(), [whole, 2, 2]);
            let expected = array.slice_axis(Axis(0), Slice::from(..whole)).into_dyn();
            assert_eq!(file.to_array::<i32>().unwrap(), expected);
            assert!(matches!(file.item::<i32>(whole), Err(Error::OutOfRange { .. })));
            assert_eq!(file.header().dims, [3, 2, 2], "the header is as it stands");
        }
    }
    // The header itself is never guessed.
    assert_eq!(rule(lenient.from_slice(&plain[..15]).unwrap_err()), "idx/truncated-header");
    // A scalar has no items that could be complete.
    let mut scalar = Vec::new();
    idx::Writer::new().scalars(true).write_to(&mut scalar, &arr0(7_i32)).unwrap();
    match lenient.from_slice(&scalar[..6]) {
        Err(error) => assert_eq!(rule(error), "idx/truncated-payload"),
        Ok(file) => panic!("{:?}", file.to_array::<i32>()),
    }
}

#[test]
fn a_little_endian_payload_is_a_choice() {
    let array = arr2(&[[1_i32, 2], [3, 4]]);
    let (mut plain, _) = both_ways(&array);
    plain[12..].chunks_exact_mut(4).for_each(<[u8]>::reverse);
    let strict = idx::from_slice(&plain).unwrap();
    assert_eq!(strict.to_array::<i32>().unwrap()[[0, 0]], 1 << 24, "nothing tells, so the format's order counts");
    assert_eq!(strict.warnings()[0].rule.id, "idx/implausible-byte-order");
    let tolerant = ndbytes::rules().fold(idx::Options::new(), idx::Options::tolerate).from_slice(&plain).unwrap();
    assert_eq!(
        tolerant.to_array::<i32>().unwrap(),
        strict.to_array::<i32>().unwrap(),
        "what is tolerated changes no value"
    );
    let file = idx::Options::new().byte_order(Endian::Little).from_slice(&plain).unwrap();
    assert_eq!(file.to_array::<i32>().unwrap(), array.clone().into_dyn());
    assert!(file.tolerated().is_empty());
    assert_eq!(file.dtype().endian, Endian::Little);
    assert!(file.warnings().is_empty());
    let items: Vec<i32> = (0..2).flat_map(|index| file.item::<i32>(index).unwrap().into_iter()).collect();
    assert_eq!(items, [1, 2, 3, 4]);
}

#[test]
fn a_little_endian_header_is_tolerated_only_if_asked_for() {
    let array = arr2(&[[1_i16, 2, 3], [4, 5, 6]]);
    let (mut plain, _) = both_ways(&array);
    plain[..12].chunks_exact_mut(4).for_each(<[u8]>::reverse);
    assert_eq!(plain[..8], [2, 0x0B, 0, 0, 2, 0, 0, 0]);
    for bytes in [plain.clone(), gzip(&plain)] {
        assert_eq!(rule(idx::from_slice(&bytes).unwrap_err()), "idx/little-endian-header");
        let others = idx::Options::new()
            .tolerate(&idx::TRAILING_BYTES)
            .tolerate(&idx::TRUNCATED_PAYLOAD)
            .tolerate(&idx::IMPLAUSIBLE_BYTE_ORDER);
        assert_eq!(rule(others.from_slice(&bytes).unwrap_err()), "idx/little-endian-header");
        let file = idx::Options::new().tolerate(&idx::LITTLE_ENDIAN_HEADER).from_slice(&bytes).unwrap();
        assert_eq!(tolerated(file.tolerated()), [&idx::LITTLE_ENDIAN_HEADER]);
        assert_eq!(file.to_array::<i16>().unwrap(), array.clone().into_dyn());
    }
    // If there are several errors, each must be tolerated.
    let longer = [&plain[..], b"x"].concat();
    let both = idx::Options::new().tolerate(&idx::LITTLE_ENDIAN_HEADER).tolerate(&idx::TRAILING_BYTES);
    let leniencies = [&idx::LITTLE_ENDIAN_HEADER, &idx::TRAILING_BYTES];
    assert_eq!(tolerated(both.from_slice(&longer).unwrap().tolerated()), leniencies);
    let one = idx::Options::new().tolerate(&idx::LITTLE_ENDIAN_HEADER);
    assert_eq!(rule(one.from_slice(&longer).unwrap_err()), "idx/trailing-bytes");
}

#[test]
fn gzip_is_refused_where_raw_is_demanded() {
    let (plain, compressed) = both_ways(&arr1(&[1_u8, 2, 3]));
    let raw = idx::Options::new().raw(true);
    assert_eq!(raw.from_slice(&plain).unwrap().shape(), [3]);
    assert_eq!(rule(raw.from_slice(&compressed).unwrap_err()), "unknown-format");
}
