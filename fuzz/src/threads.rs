//! Several threads that share one opened file.

use crate::bounds::limits;
use crate::reading::SMALL;
use crate::tables;
use ndbytes::{Array, Error, File, Options, Result};
use std::thread;

/// The number of threads in addition to the calling one.
const THREADS: usize = 3;

/// The number of pieces in which the items of an array are read.
const PIECES: u64 = 5;

/// Asserts that all threads get the same result from a shared handle as a single thread.
pub fn examine(bytes: &[u8]) {
    match Options::new().limits(limits()).from_slice(bytes) {
        Ok(File::Array(array)) => examine_array(&array),
        Ok(File::Table(table)) => {
            let alone = tables::columns(&table, 0);
            at_once(|number| tables::compare_columns(&alone, &tables::columns(&table, number)));
        }
        _ => {}
    }
}

/// Runs a closure on several threads at once.
fn at_once(work: impl Fn(usize) + Sync) {
    thread::scope(|scope| {
        for number in 1..=THREADS {
            let work = &work;
            scope.spawn(move || work(number));
        }
    });
}

fn examine_array(array: &Array<'_>) {
    let items = array.items().count();
    let length = items.saturating_mul(array.item_type().stride());
    if length > SMALL as u64 {
        return;
    }
    let alone = pieces(array, 0);
    at_once(|number| {
        let mut together = pieces(array, number as u64);
        together.rotate_right(number % PIECES as usize);
        for (alone, together) in alone.iter().zip(&together) {
            match (alone, together) {
                (Ok(alone), Ok(together)) => assert!(alone == together, "thread {number} reads other items"),
                (Err(alone), Err(together)) => assert_eq!(alone.to_string(), together.to_string()),
                (_, Err(Error::Limit { .. })) | (Err(Error::Limit { .. }), _) => {}
                (alone, together) => panic!("{:?}, but {:?}", alone.as_ref().err(), together.as_ref().err()),
            }
        }
    });
}

/// Reads the items in pieces, from the piece `first` on and then from the beginning.
fn pieces(array: &Array<'_>, first: u64) -> Vec<Result<Vec<u8>>> {
    let mut items = array.items();
    let count = items.count();
    let numbers = (0..PIECES).map(|place| (place + first) % PIECES);
    numbers
        .map(|piece| {
            let (start, end) = (count * piece / PIECES, count * (piece + 1) / PIECES);
            items.read(start, end - start).map(<[u8]>::to_vec)
        })
        .collect()
}
