//! Arrays that C-Blosc2 has written, from `tests/frozen`. They contain NumPy's values, completely and in slices,
//! however they are opened.

use ndarray::s;
use ndbytes::{Checker, Depth, Error, Input, Limits, Profile, Verdict, b2nd};
use ndbytes_testkit::b2nd::{Expected, assert_holds};
use ndbytes_testkit::corpus;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The findings in files of the real writer. Changed arrays keep chunks that are no longer read, and other readers
/// cannot read parts of chunks with delta blocks.
const KNOWN: [(&str, &str); 2] = [("op_resize_shrink", "b2nd/dead-chunk"), ("mk_delta_shuffle", "b2nd/delta-blocks")];

fn frozen(part: &str) -> Vec<(String, PathBuf)> {
    let folder = ndbytes_testkit::frozen("b2nd").join(part);
    let paths = folder.read_dir().unwrap().map(|entry| entry.unwrap().path());
    let arrays = paths.filter(|path| path.extension().is_some_and(|extension| extension == "b2nd"));
    let mut arrays: Vec<_> =
        arrays.map(|path| (path.file_stem().unwrap().to_str().unwrap().to_owned(), path)).collect();
    arrays.sort();
    arrays
}

fn path_of(name: &str) -> PathBuf {
    ndbytes_testkit::frozen("b2nd/blosc2").join(format!("{name}.b2nd"))
}

#[test]
fn arrays_hold_what_numpy_had() {
    let files = [frozen("blosc2"), frozen("old")].concat();
    assert!(files.len() > 50);
    for (name, path) in files {
        let expected = Expected::npy(&path.with_extension("npy"));
        let array = b2nd::open(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_holds(&array, &expected, 100, &name);
        assert_holds(&b2nd::Options::new().mapped().open(&path).unwrap(), &expected, 20, &name);
        assert_eq!(array.is_sparse(), path.is_dir(), "{name}");
        if path.is_dir() {
            // The frame file on its own is not the array.
            let error = b2nd::open(path.join("chunks.b2frame")).unwrap_err();
            assert_eq!(error.finding().unwrap().rule.id, "b2nd/frame-type", "{name}: {error}");
            continue;
        }
        let bytes = std::fs::read(&path).unwrap();
        assert_holds(&b2nd::from_slice(&bytes).unwrap(), &expected, 20, &name);
        assert_holds(&b2nd::from_reader(&bytes[..]).unwrap(), &expected, 20, &name);
    }
}

#[test]
fn frozen_arrays_have_no_findings() {
    for (name, path) in [frozen("blosc2"), frozen("old")].concat() {
        for (profile, depth) in [
            (Profile::Strict, Depth::Payload),
            (Profile::Strict, Depth::Structure),
            (Profile::Reference, Depth::Payload),
            (Profile::Reference, Depth::Structure),
        ] {
            let report = Checker::new().profile(profile).depth(depth).check(&path).unwrap();
            let rules: Vec<_> = report.findings().iter().map(|finding| finding.rule.id).collect();
            let known = KNOWN.iter().find(|(known, _)| *known == name).filter(|_| depth == Depth::Payload);
            // C-Blosc2 cannot read every array with a dictionary, although it has written them.
            let is_unforeseen = name.contains("dictionary") && (profile, depth) == (Profile::Reference, Depth::Payload);
            match known {
                None if is_unforeseen => {
                    assert!(rules.iter().all(|rule| *rule == "b2nd/dictionary-used"), "{name}: {rules:?}");
                    assert_eq!(report.verdict(), Verdict::Unforeseen, "{name}");
                }
                Some((_, rule)) => assert_eq!((rules, report.verdict()), (vec![*rule], Verdict::Warning), "{name}"),
                None => assert!(rules.is_empty(), "{name}: {rules:?}"),
            }
        }
    }
}

#[test]
fn plugins_and_other_objects_are_refused_by_name() {
    for (name, rule, word) in [
        ("lazyexpr", "b2nd/other-object", "lazyexpr"),
        ("mk_lazyudf", "b2nd/other-object", "lazy expression"),
        ("mk_super_chunk", "b2nd/no-array", "super-chunk"),
        ("mk_tensor", "b2nd/no-array", "`save_tensor`"),
        ("mk_embed_store", "b2nd/no-array", "EmbedStore"),
        ("mk_object_array", "b2nd/no-array", "ObjectArray"),
        ("mk_batch_array", "b2nd/no-array", "BatchArray"),
        ("mk_list_array", "b2nd/no-array", "ListArray"),
        ("mk_to_cframe_wide", "b2nd/geometry", "a chunk of the array has 4 bytes"),
        ("mk_delta_twice", "b2nd/delta-twice", "2 times"),
        ("ndcell", "b2nd/plugin-filter", "ndcell"),
        ("ndlz4", "b2nd/plugin-codec", "ndlz"),
        ("zfp_acc", "b2nd/plugin-codec", "zfp"),
    ] {
        let (_, path) = frozen("refused").into_iter().find(|(found, _)| found == name).unwrap();
        let error = b2nd::open(&path).and_then(|array| array.to_bytes()).unwrap_err();
        let finding = error.finding().unwrap();
        assert_eq!(finding.rule.id, rule, "{name}");
        assert!(finding.message.contains(word), "{finding}");
        // There are no other findings: one per chunk, or one for the frame.
        let report = Checker::new().check(&path).unwrap();
        assert!(report.findings().iter().all(|finding| finding.rule.id == rule), "{name}: {:?}", report.findings());
    }
    assert_eq!(frozen("refused").len(), 13);
}

#[test]
fn findings_say_what_python_blosc2_does_with_other_objects() {
    for (name, verdict, help) in [
        ("lazyexpr", Verdict::Error, "opens it only with `blosc2.open(path, deserialize="),
        ("mk_lazyudf", Verdict::Error, "opens it only with `blosc2.open(path, deserialize="),
        ("mk_super_chunk", Verdict::Warning, "opens it as an SChunk"),
        ("mk_object_array", Verdict::Unforeseen, "Its chunks are not checked"),
        ("mk_embed_store", Verdict::Unforeseen, "opens it as that object"),
        ("mk_to_cframe_wide", Verdict::Error, "`to_cframe`"),
    ] {
        let (_, path) = frozen("refused").into_iter().find(|(found, _)| found == name).unwrap();
        let report = Checker::new().profile(Profile::Reference).check(&path).unwrap();
        assert_eq!(report.verdict(), verdict, "{name}: {:?}", report.findings());
        let [finding] = report.findings() else { panic!("{name}: {:?}", report.findings()) };
        assert!(finding.help.as_ref().is_some_and(|found| found.contains(help)), "{name}: {:?}", finding.help);
    }
}

/// A copy of a sparse frame from the corpus, whose files can be replaced.
#[cfg(unix)]
fn copy_of_sparse(folder: &Path) -> PathBuf {
    let from = corpus::root().join("b2nd/ok/sparse.b2nd");
    let copy = folder.join("copy.b2nd");
    std::fs::create_dir(&copy).unwrap();
    for entry in from.read_dir().unwrap() {
        let entry = entry.unwrap();
        std::fs::copy(entry.path(), copy.join(entry.file_name())).unwrap();
    }
    copy
}

#[cfg(unix)]
fn only_rule(path: &Path, profile: Profile) -> (&'static str, Verdict) {
    let report = Checker::new().profile(profile).check(path).unwrap();
    let [finding] = report.findings() else { panic!("{:?}", report.findings()) };
    (finding.rule.id, report.verdict())
}

#[test]
#[cfg(unix)]
fn links_in_the_folder_of_a_sparse_frame_are_not_followed() {
    use std::os::unix::fs::symlink;
    for file in ["00000001.chunk", "chunks.b2frame"] {
        let folder = tempfile::tempdir().unwrap();
        let frame = copy_of_sparse(folder.path());
        assert!(Checker::new().check(&frame).unwrap().findings().is_empty());
        let (inside, outside) = (frame.join(file), folder.path().join("outside"));
        std::fs::rename(&inside, &outside).unwrap();
        // The links lead to the correct bytes, out of the directory, and to nothing.
        for target in [outside.as_path(), Path::new("../outside"), Path::new("00000000.chunk"), Path::new("nothing")] {
            symlink(target, &inside).unwrap();
            assert_eq!(only_rule(&frame, Profile::Strict), ("b2nd/linked-file", Verdict::Error), "{target:?}");
            assert_eq!(only_rule(&frame, Profile::Reference), ("b2nd/linked-file", Verdict::Warning), "{target:?}");
            let error = b2nd::open(&frame).and_then(|array| array.to_bytes()).unwrap_err();
            assert_eq!(error.finding().map(|finding| finding.rule.id), Some("b2nd/linked-file"), "{error}");
            std::fs::remove_file(&inside).unwrap();
        }
        std::fs::rename(&outside, &inside).unwrap();
        assert!(Checker::new().check(&frame).unwrap().findings().is_empty());
    }
}

#[test]
#[cfg(unix)]
fn pipes_and_folders_in_place_of_chunks_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let frame = copy_of_sparse(folder.path());
    let chunk = frame.join("00000001.chunk");
    std::fs::remove_file(&chunk).unwrap();
    // Nothing ever writes to this pipe.
    assert!(std::process::Command::new("mkfifo").arg(&chunk).status().unwrap().success());
    assert_eq!(only_rule(&frame, Profile::Strict), ("b2nd/chunk-file", Verdict::Error));
    std::fs::remove_file(&chunk).unwrap();
    std::fs::create_dir(&chunk).unwrap();
    assert_eq!(only_rule(&frame, Profile::Strict), ("b2nd/chunk-file", Verdict::Error));
}

#[test]
fn typed_reads_are_in_native_byte_order() {
    let array = b2nd::open(path_of("dt_be_i4")).unwrap();
    let whole = array.to_array::<i32>().unwrap();
    assert_eq!(whole.shape(), [37, 53]);
    assert_eq!(array.get::<i32>(&[36, 52]).unwrap(), whole[[36, 52]]);
    let slice = array.slice::<i32>(s![3..30;-4, 7]).unwrap();
    assert_eq!(slice, whole.slice(s![3..30;-4, 7]).into_dyn());
    let mut buffer = vec![0_i32; slice.len()];
    array.slice_into(s![3..30;-4, 7], &mut buffer).unwrap();
    assert_eq!(buffer, slice.as_slice().unwrap());
    array.read_into(&mut vec![0_i32; 37 * 53]).unwrap();

    let short = array.read_into(&mut buffer).unwrap_err();
    assert!(matches!(short, Error::BufferLength { needed: 1961, given: 7 }), "{short}");
    assert!(matches!(array.to_array::<u32>(), Err(Error::WrongType { .. })));
    assert!(matches!(array.slice::<i32>(s![0..38, ..]), Err(Error::OutOfRange { .. })));
    assert!(matches!(array.slice::<i32>(s![0..3]), Err(Error::Selection { given: 1, axes: 2 })));
    let with_new_axis = array.slice::<i32>(s![0, ndarray::NewAxis, ..3]).unwrap();
    assert_eq!(with_new_axis.shape(), [1, 3]);
}

#[test]
fn header_metalayers_and_attributes_are_read() {
    let array = b2nd::open(path_of("mk_zstd_9")).unwrap();
    assert_eq!((array.shape(), array.chunk_shape(), array.block_shape()), (&[40, 30][..], vec![20, 16], vec![8, 8]));
    assert_eq!((array.len(), array.is_empty(), array.chunk_count(), array.frame_version()), (1200, false, 4, 2));
    assert_eq!((array.codec().name(), array.level(), array.filters()), (Some("zstd"), 9, vec!["shuffle"]));
    assert_eq!((array.dtype_text().as_deref(), array.dtype().descr()), (Some("<i4"), "<i4".to_owned()));
    assert!(array.stored_bytes() > 0 && array.warnings().is_empty() && array.tolerated().is_empty());
    assert!(array.metalayer_names().is_empty() && array.attribute_names().is_empty());

    let array = b2nd::open(path_of("meta_user")).unwrap();
    assert_eq!(array.metalayer_names(), ["zarr_like", "list", "tup"]);
    assert_eq!(array.metalayer_value("list").unwrap().to_string(), "[1, 2, 3]");
    assert_eq!(array.metalayer("list").unwrap(), [0x93, 1, 2, 3]);
    assert!(matches!(array.metalayer("none"), Err(Error::NoMetalayer { .. })));

    let array = b2nd::open(path_of("vlmeta_many")).unwrap();
    let names: BTreeSet<String> = array.attribute_names().into_iter().collect();
    assert_eq!(names, (0..16).map(|number| format!("k{number:03}")).collect());
    for number in 0..16_u64 {
        assert_eq!(array.attribute_value(&format!("k{number:03}")).unwrap().as_u64(), Some(number));
    }
    assert!(matches!(array.attribute("k016"), Err(Error::NoMetalayer { .. })));
}

/// Opens a file of the corpus with all rules tolerated.
fn tolerated(name: &str) -> b2nd::Array<'static> {
    let folder = corpus::root().join("b2nd/bad");
    let rules = ndbytes::rules().filter(|rule| rule.id.starts_with("b2nd/"));
    rules.fold(b2nd::Options::new(), b2nd::Options::tolerate).open(folder.join(format!("{name}.b2nd"))).unwrap()
}

#[test]
fn a_chunk_that_cannot_be_read_is_an_error_although_it_is_tolerated() {
    for (name, rule) in [
        ("chunk-version-7", "b2nd/chunk-version"),
        ("chunk-lazy", "b2nd/chunk-kind"),
        ("chunk-length", "b2nd/chunk-length"),
        ("chunk-stored-length-over", "b2nd/chunk-stored-length"),
        ("special-undefined", "b2nd/special-value"),
        ("plugin-codec-ndlz", "b2nd/plugin-codec"),
        ("plugin-filter-ndcell", "b2nd/plugin-filter"),
    ] {
        let error = tolerated(name).to_bytes().unwrap_err();
        assert_eq!(error.finding().map(|finding| finding.rule.id), Some(rule), "{name}: {error}");
    }
}

#[test]
fn an_attribute_without_content_is_missing() {
    let array = tolerated("attribute-count");
    assert_eq!(array.tolerated()[0].rule.id, "b2nd/metalayer-count");
    assert!(array.attribute_names().is_empty());
    assert!(matches!(array.attribute("x"), Err(Error::NoMetalayer { name }) if name == "x"));
}

#[test]
fn a_read_is_refused_beyond_the_limits() {
    let path = path_of("mk_lz4_5");
    let array = b2nd::Options::new().limits(Limits::default().memory(2 << 10)).open(&path).unwrap();
    // The whole array has 4,800 bytes. The file has 3,496 bytes, which do not count towards the limit.
    for _ in 0..3 {
        let read = array.to_array::<i32>();
        assert!(matches!(read, Ok(_) | Err(Error::Limit { .. })), "{read:?}");
        assert_eq!(array.slice::<i32>(s![0..8, 0..8]).unwrap().len(), 64);
    }
    let array = b2nd::Options::new().limits(Limits::default().memory(0)).open(&path).unwrap();
    assert!(matches!(array.to_array::<i32>(), Err(Error::Limit { .. })));
}

#[test]
fn memory_is_given_back_after_a_stream_fails_to_decode() {
    let path = corpus::root().join("b2nd/bad/attribute-broken.b2nd");
    let array = b2nd::Options::new().limits(Limits::default().memory(2 << 10)).open(path).unwrap();
    for turn in 0..1000 {
        let error = array.attribute("x").unwrap_err();
        assert_eq!(error.finding().map(|finding| finding.rule.id), Some("b2nd/broken-stream"), "turn {turn}: {error}");
    }
}

#[test]
fn a_check_of_many_chunks_needs_the_memory_of_a_few() {
    let items: Vec<u8> = (0..8_u32 << 20).map(|number| (number % 251) as u8).collect();
    let writer = b2nd::Writer::new().codec(b2nd::Codec::LZ4).chunks([1 << 14]).blocks([1 << 14]);
    let bytes = writer.to_vec(&ndarray::arr1(&items)).unwrap();
    let threads = rayon::ThreadPoolBuilder::new().num_threads(4).build().unwrap();
    let checker = Checker::new().limits(Limits::default().memory(512 << 10));
    let report = threads.install(|| checker.check_slice(&bytes)).unwrap();
    assert!(report.findings().is_empty(), "{:?}", report.findings());
}

#[test]
fn a_long_header_is_mapped_alike_whichever_way_it_is_opened() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("long.b2nd");
    let writer = b2nd::Writer::new().metalayer_bytes("long", vec![0xc0; 5000]).unwrap();
    writer.metalayer_bytes("last", [0xc3]).unwrap().write(&path, &ndarray::arr1(&[1_i16, 2, 3])).unwrap();
    let mut bytes = std::fs::read(&path).unwrap();
    for is_broken in [false, true] {
        if is_broken {
            // The offset of the last metalayer in the header.
            let name = bytes.windows(6).position(|window| window == b"\xa4last\xd2").unwrap();
            bytes[name + 9] ^= 1;
            std::fs::write(&path, &bytes).unwrap();
        }
        let checker = Checker::new();
        let maps = [Input::open(&path, Limits::default()).unwrap(), Input::from_slice(&bytes, Limits::default())]
            .map(|input| checker.byte_map(input).unwrap());
        assert_eq!(maps[0], maps[1]);
        let reports = [checker.check(&path).unwrap(), checker.check_slice(&bytes).unwrap()];
        assert_eq!(reports[0].findings(), reports[1].findings());
        assert_eq!(reports[0].findings().is_empty(), !is_broken);
    }
}

#[test]
fn other_files_are_refused_by_magic() {
    let json = br#"{"shape": [2592, 12], "dtype": "<i2", "codec": "zstd", "what": "this is no frame", "more": "than a header"}"#;
    let zeros = [0; 1000];
    let text = "Nothing in here is a token of msgpack. ".repeat(20);
    for bytes in [&json[..], &zeros, text.as_bytes(), b"\x93NUMPY\x01\x00v\x00{'descr'"] {
        let error = b2nd::from_slice(bytes).unwrap_err();
        assert_eq!(error.finding().map(|finding| finding.rule.id), Some("b2nd/magic"), "{error}");
    }
}
