//! The structures of frames are written back unchanged, and can be read as msgpack.

use ndbytes::Format;
use ndbytes::everybyte::{self, Endian};
use ndbytes_testkit::{corpus, frames};
use std::fs;
use std::path::PathBuf;

/// The frozen arrays, files and directories.
fn frozen_arrays() -> Vec<PathBuf> {
    let frozen = ndbytes_testkit::frozen("b2nd");
    let entries = ["blosc2", "old", "refused"].map(|part| fs::read_dir(frozen.join(part)).unwrap());
    let paths = entries.into_iter().flatten().map(|entry| entry.unwrap().path());
    paths.filter(|path| path.extension().is_some_and(|extension| extension == "b2nd")).collect()
}

/// Objects of python-blosc2 with chunks of different lengths, whose content has no layout here.
const OF_OTHER_CHUNKS: [&str; 3] = ["mk_batch_array.b2nd", "mk_list_array.b2nd", "mk_object_array.b2nd"];

#[test]
fn structures_of_b2nd_are_written_back_as_they_were() {
    for sample in
        corpus::everything().into_iter().filter(|sample| sample.format == Some(Format::B2nd) && sample.folder == "ok")
    {
        if ndbytes::is_gzip(&sample.bytes) {
            continue;
        }
        let has_dead_chunks = sample.name.starts_with("dead-");
        frames::assert_written_back(&sample.bytes, has_dead_chunks, &|| sample.to_string());
        for (name, bytes) in sample.others().iter().filter(|(name, _)| name.ends_with(".chunk")) {
            frames::assert_chunk_written_back(bytes, &|| format!("{sample}, {name}"));
        }
    }
    for path in frozen_arrays() {
        let what = || path.display().to_string();
        if OF_OTHER_CHUNKS.iter().any(|name| path.ends_with(name)) {
            continue;
        }
        if path.is_file() {
            frames::assert_written_back(&fs::read(&path).unwrap(), path.ends_with("op_resize_shrink.b2nd"), &what);
            continue;
        }
        for entry in fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()) {
            let bytes = fs::read(&entry).unwrap();
            match entry.extension().is_some_and(|extension| extension == "chunk") {
                true => frames::assert_chunk_written_back(&bytes, &what),
                false => frames::assert_written_back(&bytes, false, &what),
            }
        }
    }
}

#[test]
fn headers_and_trailers_of_b2nd_are_the_msgpack_that_others_read() {
    use ndbytes::everybyte::Source;

    use ndbytes::schemas::b2nd::{ArrayLayer, METALAYER};
    use ndbytes::schemas::blosc2::{Header, Trailer};
    use rmpv::Value;
    let decode = |bytes: &[u8]| {
        let mut rest = bytes;
        let value = rmpv::decode::read_value(&mut rest).unwrap();
        assert!(rest.is_empty());
        value
    };
    let mut seen = 0;
    for path in frozen_arrays().iter().filter(|path| path.is_file()) {
        let (bytes, what) = (fs::read(path).unwrap(), path.display());
        let header: Header = everybyte::read(Source::new(&bytes), Endian::Big, ()).unwrap();
        let length = header.header_length.0 as usize;
        let Value::Array(parts) = decode(&bytes[..length]) else { panic!("{what}") };
        assert_eq!(parts.len(), 14, "{what}");
        let numbers = [
            (1, i64::from(header.header_length.0)),
            (2, header.frame_length.0 as i64),
            (4, header.nbytes.0),
            (5, header.cbytes.0),
            (6, header.typesize.0.into()),
            (7, header.blocksize.0.into()),
            (8, header.chunksize.0.into()),
            (9, header.compress_threads.0.into()),
            (10, header.decompress_threads.0.into()),
        ];
        for (part, expected) in numbers {
            assert_eq!(parts[part].as_i64(), Some(expected), "{what}: part {part}");
        }
        assert_eq!(parts[11].as_bool(), Some(header.has_attributes.is_true()), "{what}");
        assert_eq!(parts[12].as_ext().unwrap().0, header.filter_slots.0 as i8, "{what}");
        let metalayers = parts[13].as_array().unwrap();
        let (names, contents) = (metalayers[1].as_map().unwrap(), metalayers[2].as_array().unwrap());
        assert_eq!((names.len(), contents.len()), (header.metalayers.contents.len(), names.len()), "{what}");
        let layers = header.metalayers.directory.entries.iter().zip(&header.metalayers.contents);
        for (((name, offset), value), (entry, content)) in names.iter().zip(contents).zip(layers) {
            assert_eq!(name.as_str().unwrap().as_bytes(), entry.name.bytes(), "{what}");
            assert_eq!(offset.as_i64(), Some(entry.offset.0.into()), "{what}");
            let place = content.bytes.range();
            assert_eq!(value.as_slice().unwrap(), &bytes[place.start as usize..place.end as usize], "{what}");
            if entry.name.bytes() == METALAYER {
                let Value::Array(parts) = decode(value.as_slice().unwrap()) else { panic!("{what}") };
                let layer: ArrayLayer =
                    everybyte::read(Source::new(value.as_slice().unwrap()), Endian::Big, ()).unwrap();
                let extents =
                    |part: usize| parts[part].as_array().unwrap().iter().map(|extent| extent.as_i64().unwrap());
                assert!(extents(2).eq(layer.shape.extents.iter().map(|extent| extent.0)), "{what}");
                assert!(extents(3).eq(layer.chunk_shape.extents.iter().map(|extent| i64::from(extent.0))), "{what}");
                assert!(extents(4).eq(layer.block_shape.extents.iter().map(|extent| i64::from(extent.0))), "{what}");
                assert_eq!(parts[6].as_str().unwrap().as_bytes(), layer.dtype.unwrap().text.bytes, "{what}");
            }
        }
        let tail: [u8; 4] = bytes[bytes.len() - 22..bytes.len() - 18].try_into().unwrap();
        let start = bytes.len() - u32::from_be_bytes(tail) as usize;
        let Value::Array(parts) = decode(&bytes[start..]) else { panic!("{what}") };
        let trailer: Trailer = everybyte::read(Source::new(&bytes[start..]), Endian::Big, ()).unwrap();
        assert_eq!((parts.len(), parts[0].as_i64()), (4, Some(trailer.version.into())), "{what}");
        assert_eq!(parts[2].as_u64(), Some(trailer.tail.trailer_length.0.into()), "{what}");
        let names = parts[1].as_array().unwrap()[1].as_map().unwrap();
        assert_eq!(names.len(), trailer.attributes.contents.len(), "{what}");
        seen += 1;
    }
    assert!(seen > 50);
}
