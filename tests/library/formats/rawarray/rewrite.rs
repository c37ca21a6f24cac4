//! Rewriting files that were read.

use ndarray::arr2;
use ndbytes::everybyte::Endian;
use ndbytes::rawarray::{self, Order};
use ndbytes::{Dtype, ElementKind};
use ndbytes_testkit::cases::folder;
use ndbytes_testkit::corpus;
use std::fs;

#[test]
fn rewriting_keeps_what_it_is_told_to_keep() {
    let folder = folder();
    let (first, second) = (folder.path().join("first.ra"), folder.path().join("second.ra"));
    let array = arr2(&[[1_u16, 2, 3], [4, 5, 0xFFFF]]);
    rawarray::Writer::new().metadata(*b"old").lz4(true).write(&first, &array, Order::Fortran).unwrap();
    let file = rawarray::open(&first).unwrap();
    let rewrite = |writer: rawarray::Writer, file: &rawarray::RawArray<'_>| {
        writer.rewrite(&second, file).unwrap();
        rawarray::open(&second).unwrap()
    };
    let dropped = rewrite(rawarray::Writer::new(), &file);
    assert_eq!((dropped.metadata().unwrap(), dropped.header().flags.raw()), (&b""[..], 0));
    assert_eq!(dropped.to_array::<u16>(Order::Fortran).unwrap(), array.clone().into_dyn());
    let kept = rewrite(rawarray::Writer::new().keep_metadata(true), &file);
    assert_eq!(kept.metadata().unwrap(), b"old");
    let joined = rewrite(rawarray::Writer::new().keep_metadata(true).metadata(*b" and new").lz4(true), &file);
    assert_eq!(joined.metadata().unwrap(), b"old and new");
    assert_eq!(joined.to_array::<u16>(Order::Fortran).unwrap(), array.into_dyn());
    let replaced = rewrite(rawarray::Writer::new().metadata(*b"new"), &file);
    assert_eq!(replaced.metadata().unwrap(), b"new");

    // A file replaces itself while it is open.
    rawarray::Writer::new().keep_metadata(true).rewrite(&first, &file).unwrap();
    assert_eq!(rawarray::open(&first).unwrap().metadata().unwrap(), b"old");
}

#[test]
fn rewriting_makes_any_file_plain_and_little_endian() {
    let folder = folder();
    let path = folder.path().join("plain.ra");
    let corpus = corpus::root().join("rawarray/ok");
    let mut rewritten = 0;
    for entry in fs::read_dir(corpus).unwrap() {
        let from = entry.unwrap().path();
        if from.extension().is_none_or(|extension| extension != "ra") {
            continue;
        }
        let name = from.display();
        let file = rawarray::open(&from).unwrap();
        rawarray::Writer::new().keep_metadata(true).rewrite(&path, &file).unwrap();
        let plain = rawarray::open(&path).unwrap();
        assert_eq!(plain.dims(), file.dims(), "{name}");
        assert_eq!(plain.metadata().unwrap(), file.metadata().unwrap(), "{name}");
        assert_eq!(plain.header().flags.raw(), 0, "{name}");
        let kind = if file.dtype().kind == ElementKind::Bit { ElementKind::Bool } else { file.dtype().kind };
        assert_eq!(plain.dtype(), Dtype { kind, endian: Endian::Little }, "{name}");
        for index in 0..file.dims().iter().product::<usize>() {
            let width = |array: &rawarray::RawArray<'_>| array.dtype().kind.size().max(1) as usize;
            let element = |array: &rawarray::RawArray<'_>| {
                let bytes = &array.bytes().unwrap()[index * width(array)..(index + 1) * width(array)];
                let mut bytes = bytes.to_vec();
                if array.dtype().endian == Endian::Big {
                    bytes.chunks_exact_mut(array.dtype().kind.swapped() as usize).for_each(<[u8]>::reverse);
                }
                bytes
            };
            assert_eq!(element(&plain), element(&file), "{name}, element {index}");
        }
        rewritten += 1;
    }
    assert!(rewritten > 30);
}
