//! Files of the corpus and frozen arrays, truncated and with flipped bits.

use super::{assert_tiled, checker, examine, lengths, limits, of, stay_on_this_thread, stride, turned};
use ndbytes::{Depth, Error, Format, Input, Profile, Severity, Verdict, b2nd};
use ndbytes_testkit::b2nd as chunked;
use ndbytes_testkit::corpus;
use ndbytes_testkit::share::share;

fn cut_everywhere(format: Format, folder: &str) {
    for (number, sample) in of(format, folder).into_iter().enumerate() {
        let stride = if format == Format::B2nd { stride(&sample.name, 11) } else { 1 };
        let lengths = lengths(sample.bytes.len()).skip(number % stride).step_by(stride);
        // For b2nd, there are only a few lengths anyway.
        let lengths: Vec<_> = if stride > 1 { lengths.collect() } else { share(lengths).collect() };
        for length in lengths {
            examine(&sample.bytes[..length], length, &|| format!("{sample} cut to {length} bytes"));
        }
        // Ask all questions about the whole file once, and make the byte map to both depths.
        examine(&sample.bytes, 0, &|| sample.to_string());
        examine(&sample.bytes, 1, &|| sample.to_string());
    }
}

fn turn_every_bit(format: Format, folder: &str) {
    turn_bits(format, folder, 1);
}

/// Flips occasional bits in b2nd files.
fn turn_a_few_bits(format: Format, folder: &str) {
    turn_bits(format, folder, 31);
}

/// Flips every third bit, at a different position in each byte, in `.npy` files and in broken IDV files.
fn turn_some_bits(format: Format, folder: &str) {
    turn_bits(format, folder, 3);
}

fn turn_bits(format: Format, folder: &str, step: usize) {
    for (number, sample) in of(format, folder).into_iter().enumerate() {
        let mut bytes = sample.bytes.clone();
        let bits = turned(format, bytes.len()).flat_map(|byte| 8 * byte..8 * byte + 8);
        let step = if format == Format::B2nd { stride(&sample.name, step) } else { step };
        let first = if format == Format::B2nd { number % step } else { 0 };
        for bit in share(bits.skip(first).step_by(step)) {
            bytes[bit / 8] ^= 1 << (bit % 8);
            examine(&bytes, bit / 8 + bit, &|| format!("{sample} with bit {} of byte {} turned", bit % 8, bit / 8));
            bytes[bit / 8] ^= 1 << (bit % 8);
        }
    }
}

macro_rules! on_every_file {
    ($($test:ident: $work:ident($format:ident, $folder:literal);)*) => {$(
        #[test]
        fn $test() {
            $work(Format::$format, $folder);
        }
    )*};
}

on_every_file! {
    good_idx_files_cut_everywhere: cut_everywhere(Idx, "ok");
    bad_idx_files_cut_everywhere: cut_everywhere(Idx, "bad");
    good_rawarray_files_cut_everywhere: cut_everywhere(RawArray, "ok");
    bad_rawarray_files_cut_everywhere: cut_everywhere(RawArray, "bad");
    good_idx_files_with_every_bit_turned: turn_every_bit(Idx, "ok");
    bad_idx_files_with_every_bit_turned: turn_every_bit(Idx, "bad");
    good_rawarray_files_with_every_bit_turned: turn_every_bit(RawArray, "ok");
    bad_rawarray_files_with_every_bit_turned: turn_every_bit(RawArray, "bad");
    good_idv_files_cut_everywhere: cut_everywhere(Idv, "ok");
    bad_idv_files_cut_everywhere: cut_everywhere(Idv, "bad");
    good_idv_files_with_every_bit_turned: turn_every_bit(Idv, "ok");
    bad_idv_files_with_some_bits_turned: turn_some_bits(Idv, "bad");
    good_b2nd_files_cut_everywhere: cut_everywhere(B2nd, "ok");
    bad_b2nd_files_cut_everywhere: cut_everywhere(B2nd, "bad");
    good_b2nd_files_with_bits_turned: turn_a_few_bits(B2nd, "ok");
    bad_b2nd_files_with_bits_turned: turn_a_few_bits(B2nd, "bad");
    good_npy_files_cut_everywhere: cut_everywhere(Npy, "ok");
    bad_npy_files_cut_everywhere: cut_everywhere(Npy, "bad");
    good_npy_files_with_some_bits_turned: turn_some_bits(Npy, "ok");
    bad_npy_files_with_some_bits_turned: turn_some_bits(Npy, "bad");
}

/// Arrays from C-Blosc2, one for each kind of chunk, item and codec in small files.
fn frozen_arrays() -> Vec<(&'static str, Vec<u8>)> {
    const NAMES: [&str; 13] = [
        "blosc2/dt_m8D",
        "blosc2/empty_0",
        "blosc2/mk_full_bytes",
        "blosc2/mk_le_u8",
        "blosc2/mk_nans",
        "blosc2/mk_nested",
        "blosc2/mk_str",
        "blosc2/mk_zero_chunks",
        "blosc2/nd0",
        "blosc2/nd1",
        "blosc2/runs_const_nofilter",
        "blosc2/tiny_lt32",
        "old/2.7.1_struct",
    ];
    let folder = ndbytes_testkit::frozen("b2nd");
    NAMES.map(|name| (name, std::fs::read(folder.join(format!("{name}.b2nd"))).unwrap())).to_vec()
}

#[test]
fn frozen_arrays_cut_everywhere() {
    for (name, bytes) in frozen_arrays() {
        for length in share((0..=bytes.len()).step_by(stride(name, 3))) {
            examine(&bytes[..length], length, &|| format!("{name} cut to {length} bytes"));
        }
    }
}

#[test]
fn frozen_arrays_with_bits_turned() {
    for (name, mut bytes) in frozen_arrays() {
        for bit in share((0..8 * bytes.len()).step_by(stride(name, 13))) {
            bytes[bit / 8] ^= 1 << (bit % 8);
            examine(&bytes, bit / 8 + bit, &|| format!("{name} with bit {} of byte {} turned", bit % 8, bit / 8));
            bytes[bit / 8] ^= 1 << (bit % 8);
        }
    }
}

/// Truncates each file of sparse frames, and flips bits in it.
#[test]
fn folders_with_broken_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("array.b2nd");
    let try_it = |turn: usize, what: &dyn Fn() -> String| {
        stay_on_this_thread();
        let report = checker(Profile::Strict, Depth::Payload).check(&path).unwrap();
        let read = match b2nd::Options::new().limits(limits()).open(&path) {
            Ok(array) => chunked::use_array(&array, what).into_iter().next(),
            Err(error) => Some(error),
        };
        match read {
            Some(Error::Limit { .. }) => {}
            Some(error) => assert_eq!(report.verdict(), Verdict::Error, "{}: {error}", what()),
            None => {
                let mut errors = report.findings().iter().filter(|finding| finding.severity == Severity::Error);
                assert!(errors.next().is_none(), "{}: read, although {:?}", what(), report.findings());
            }
        }
        let depth = if turn.is_multiple_of(2) { Depth::Payload } else { Depth::Structure };
        let input = Input::open(&path, limits()).unwrap();
        let length = input.length();
        assert_tiled(&checker(Profile::Strict, depth).byte_map(input).unwrap(), length, &report, what);
    };
    for (number, sample) in corpus::folders().into_iter().enumerate() {
        let files: Vec<_> =
            sample.others().into_iter().chain([("chunks.b2frame".into(), sample.bytes.clone())]).collect();
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir(&path).unwrap();
        files.iter().for_each(|(name, bytes)| std::fs::write(path.join(name), bytes).unwrap());
        try_it(0, &|| sample.to_string());
        for (name, bytes) in &files {
            let file = path.join(name);
            let step = stride(&sample.name, 13);
            for length in (number % step..bytes.len()).step_by(step) {
                std::fs::write(&file, &bytes[..length]).unwrap();
                try_it(length, &|| format!("{sample}, {name} cut to {length} bytes"));
            }
            let step = stride(&sample.name, 61);
            for bit in (number % step..8 * bytes.len()).step_by(step) {
                let mut turned = bytes.clone();
                turned[bit / 8] ^= 1 << (bit % 8);
                std::fs::write(&file, &turned).unwrap();
                try_it(bit, &|| format!("{sample}, {name} with bit {} of byte {} turned", bit % 8, bit / 8));
            }
            std::fs::remove_file(&file).unwrap();
            if name != "chunks.b2frame" {
                try_it(0, &|| format!("{sample} without {name}"));
            }
            std::fs::write(&file, bytes).unwrap();
        }
    }
}
