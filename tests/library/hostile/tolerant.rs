//! Broken files, opened with all tolerances.

use super::{MEMORY, lengths, limits, of, stay_on_this_thread, stride, turned};
use ndbytes::{ElementKind, Error, Format, b2nd, idv, idx};
use ndbytes_testkit::allocations::peak_of;
use ndbytes_testkit::share::share;
use ndbytes_testkit::{b2nd as chunked, idv as tables};

#[test]
fn idx_files_do_not_panic_with_everything_tolerated() {
    let tolerant = ndbytes::rules().fold(idx::Options::new().limits(limits()), idx::Options::tolerate);
    let try_it = |bytes: &[u8]| {
        let Ok(file) = tolerant.from_slice(bytes) else { return };
        let count = file.shape().iter().product::<usize>() as u64;
        assert_eq!(file.bytes().unwrap().len() as u64, count * file.dtype().kind.size());
        let mut doubles = vec![0_f64; count as usize];
        match file.read_into(&mut doubles) {
            Ok(()) => assert_eq!(file.dtype().kind, ElementKind::F64),
            Err(Error::WrongType { stored, .. }) => assert_ne!(stored.kind, ElementKind::F64),
            Err(error) => panic!("{error}"),
        }
    };
    for sample in of(Format::Idx, "ok").into_iter().chain(of(Format::Idx, "bad")) {
        let mut bytes = sample.bytes.clone();
        for length in lengths(bytes.len()) {
            let ((), peak) = peak_of(|| try_it(&bytes[..length]));
            assert!(peak <= 2 * MEMORY + 8 * length as u64 + 8 * bytes.len() as u64, "{sample}, {length}: {peak}");
        }
        for bit in 0..8 * bytes.len().min(24) {
            bytes[bit / 8] ^= 1 << (bit % 8);
            try_it(&bytes);
            bytes[bit / 8] ^= 1 << (bit % 8);
        }
    }
}

#[test]
fn idv_files_do_not_panic_with_everything_tolerated() {
    let rules = ndbytes::rules().filter(|rule| rule.id.starts_with("idv/"));
    let tolerant = rules.fold(idv::Options::new().limits(limits()), idv::Options::tolerate);
    let try_it = |bytes: &[u8], what: &dyn Fn() -> String| {
        stay_on_this_thread();
        let read = || tables::read_all(tolerant.from_slice(bytes), &limits(), what);
        let (_, peak) = peak_of(read);
        assert!(peak <= 2 * MEMORY + 8 * bytes.len() as u64, "{}: {peak} bytes were allocated", what());
    };
    for sample in of(Format::Idv, "ok").into_iter().chain(of(Format::Idv, "bad")) {
        let mut bytes = sample.bytes.clone();
        try_it(&bytes, &|| sample.to_string());
        let bits = turned(Format::Idv, bytes.len()).flat_map(|byte| [8 * byte, 8 * byte + byte % 8]);
        for bit in share(bits) {
            bytes[bit / 8] ^= 1 << (bit % 8);
            try_it(&bytes, &|| format!("{sample} with bit {} of byte {} turned", bit % 8, bit / 8));
            bytes[bit / 8] ^= 1 << (bit % 8);
        }
    }
}

#[test]
fn b2nd_files_do_not_panic_with_everything_tolerated() {
    let rules = ndbytes::rules().filter(|rule| rule.id.starts_with("b2nd/"));
    let tolerant = rules.fold(b2nd::Options::new().limits(limits()), b2nd::Options::tolerate);
    let try_it = |bytes: &[u8], what: &dyn Fn() -> String| {
        stay_on_this_thread();
        let read = || match tolerant.from_slice(bytes) {
            Ok(array) => chunked::use_array(&array, what).into_iter().next(),
            Err(error) => Some(error),
        };
        let (_, peak) = peak_of(read);
        assert!(peak <= 2 * MEMORY + 8 * bytes.len() as u64, "{}: {peak} bytes were allocated", what());
    };
    for (number, sample) in of(Format::B2nd, "ok").into_iter().chain(of(Format::B2nd, "bad")).enumerate() {
        let mut bytes = sample.bytes.clone();
        try_it(&bytes, &|| sample.to_string());
        let step = stride(&sample.name, 31);
        for bit in share((number % step..8 * bytes.len()).step_by(step)) {
            bytes[bit / 8] ^= 1 << (bit % 8);
            try_it(&bytes, &|| format!("{sample} with bit {} of byte {} turned", bit % 8, bit / 8));
            bytes[bit / 8] ^= 1 << (bit % 8);
        }
    }
}
