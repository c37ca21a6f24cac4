//! Shared handles, from which several threads read at the same time. Each gets the same result as a single thread.

use ndarray::{Array2, s};
use ndbytes::{Input, Limits, b2nd, idv, idx, rawarray};
use std::path::Path;
use std::thread;

const THREADS: usize = 4;

/// This shape is too large to be read on a single thread.
const SHAPE: (usize, usize) = (1100, 600);

fn array() -> Array2<f64> {
    Array2::from_shape_fn(SHAPE, |(row, column)| (row * 7919 + column) as f64 / 8.0)
}

/// Runs a closure on several threads at once.
fn at_once(work: impl Fn(usize) + Sync) {
    thread::scope(|scope| {
        for number in 0..THREADS {
            let work = &work;
            scope.spawn(move || work(number));
        }
    });
}

fn in_a_folder(test: impl FnOnce(&Path)) {
    let folder = tempfile::tempdir().unwrap();
    test(&folder.path().join("file"));
}

#[test]
fn an_idx_file_is_read_by_several_threads() {
    in_a_folder(|path| {
        let array = array();
        idx::write(path, &array).unwrap();
        let opened = idx::open(path).unwrap();
        at_once(|number| {
            assert!(opened.to_array::<f64>().unwrap() == array.clone().into_dyn());
            assert_eq!(opened.bytes().unwrap().len(), array.len() * 8, "thread {number}");
        });
    });
}

#[test]
fn a_rawarray_file_is_read_by_several_threads() {
    in_a_folder(|path| {
        let array = array();
        rawarray::write(path, &array, rawarray::Order::C).unwrap();
        let opened = rawarray::open(path).unwrap();
        at_once(|_| assert!(opened.to_array::<f64>(rawarray::Order::C).unwrap() == array.clone().into_dyn()));
    });
}

#[test]
fn a_b2nd_file_is_read_by_several_threads() {
    in_a_folder(|path| {
        let array = array();
        b2nd::Writer::new().chunks([256, 256]).blocks([32, 64]).codec(b2nd::Codec::LZ4).write(path, &array).unwrap();
        for options in [b2nd::Options::new(), b2nd::Options::new().mapped()] {
            let opened = options.open(path).unwrap();
            at_once(|number| {
                assert!(opened.to_array::<f64>().unwrap() == array.clone().into_dyn());
                for row in (number..SHAPE.0).step_by(97) {
                    let slice = opened.slice::<f64>(s![row, ..;3]).unwrap();
                    assert!(slice == array.slice(s![row, ..;3]).into_dyn());
                    assert_eq!(opened.get::<f64>(&[row, number]).unwrap(), array[[row, number]]);
                }
            });
        }
    });
}

#[test]
fn a_table_is_read_by_several_threads() {
    in_a_folder(|path| {
        let array = array();
        let vectors = idv::ColumnType::vector(idv::ItemType::F64, [SHAPE.1 as u32]);
        let mut writer = idv::Writer::new([idv::NewColumn::new("values", vectors)]).create(path).unwrap();
        writer.write(&[idv::Values::of_array(&array).unwrap()]).unwrap();
        writer.finish().unwrap();
        let opened = idv::open(path).unwrap();
        at_once(|_| {
            let column = opened.column("values").unwrap().read().unwrap();
            assert!(column.to_dense::<f64>(&Limits::default()).unwrap() == array);
        });
    });
}

#[test]
fn an_input_is_loaded_alike_by_several_threads() {
    in_a_folder(|path| {
        idx::write(path, &array()).unwrap();
        let bytes = std::fs::read(path).unwrap();
        let input = Input::open(path, Limits::default()).unwrap();
        at_once(|_| assert!(input.bytes().unwrap() == bytes));
    });
}
