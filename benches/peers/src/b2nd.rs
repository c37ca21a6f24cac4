//! b2nd arrays that are opened once and read many times, completely and in pieces.

use super::bench::{Outcome, numbers, repeated, timed};
use blosc2_pure_rs::b2nd::{B2ndArray, b2nd_open, b2nd_to_cbuffer_vec};
use ndarray::{ArrayD, s};
use ndbytes::b2nd::{Array, Options};
use ndbytes::{Element, ElementKind, Error};
use num_complex::Complex;
use std::hint::black_box;
use std::path::{Path, PathBuf};

/// The side length of a square piece.
const SIDE: usize = 64;

/// An open array of any item type.
pub trait Opened: Send {
    /// Returns the nanoseconds for the work: `touched` and `fresh` read all items, and so does `pure`, with the crate
    /// blosc2-pure-rs. Anything else reads a random piece of a table.
    fn time(&mut self, work: &str) -> Outcome<f64>;
}

pub fn open(folder: &Path, name: &str) -> Outcome<Box<dyn Opened>> {
    let (name, options) = match name.strip_suffix(".mapped") {
        Some(name) => (name, Options::new().mapped()),
        None => (name, Options::new()),
    };
    let path = folder.join(format!("{name}.b2nd"));
    let array = options.open(&path)?;
    Ok(match array.dtype().kind {
        ElementKind::U8 => Box::new(Typed::<u8>::new(array, path)),
        ElementKind::I16 => Box::new(Typed::<i16>::new(array, path)),
        ElementKind::F32 => Box::new(Typed::<f32>::new(array, path)),
        ElementKind::F64 => Box::new(Typed::<f64>::new(array, path)),
        ElementKind::Complex128 => Box::new(Typed::<Complex<f64>>::new(array, path)),
        kind => return Err(format!("no benchmark is for items of {kind:?}").into()),
    })
}

struct Typed<T> {
    array: Array<'static>,
    /// Memory that all items have already been read into.
    touched: Option<ArrayD<T>>,
    path: PathBuf,
    /// The array as the crate blosc2-pure-rs opened it.
    pure: Option<B2ndArray>,
}

impl<T: Element> Typed<T> {
    fn new(array: Array<'static>, path: PathBuf) -> Self {
        Typed { array, touched: None, path, pure: None }
    }

    /// Returns the average nanoseconds for one of this many pieces, at the same positions as in `b2nd.py`.
    fn pieces<R>(&self, turns: u32, read: impl Fn(usize, usize) -> Result<R, Error>) -> Outcome<f64> {
        let &[rows, columns] = self.array.shape() else { return Err("only tables have such pieces".into()) };
        let mut numbers = numbers();
        let mut below = |bound: usize| numbers.next().map_or(0, |number| number as usize % bound);
        let places: Vec<_> = (0..turns).map(|_| (below(rows - SIDE + 1), below(columns - SIDE + 1))).collect();
        repeated(turns, |turn| {
            let (row, column) = places[turn as usize];
            black_box(read(row, column)?);
            Ok(())
        })
    }
}

impl<T: Element> Opened for Typed<T> {
    fn time(&mut self, work: &str) -> Outcome<f64> {
        let array = &self.array;
        match work {
            "touched" => {
                let memory = match &mut self.touched {
                    Some(memory) => memory,
                    none => none.insert(array.to_array()?),
                };
                let memory = memory.as_slice_mut().ok_or("an array in another order")?;
                timed(|| Ok(array.read_into(memory)?))
            }
            "pure" => {
                let pure = match &mut self.pure {
                    Some(pure) => pure,
                    none => none.insert(b2nd_open(&self.path)?),
                };
                pure.schunk.dparams.nthreads = rayon::current_num_threads() as i16;
                timed(|| Ok(b2nd_to_cbuffer_vec(pure)?))
            }
            "fresh" => timed(|| Ok(array.to_array::<T>()?)),
            "item" => self.pieces(200, |row, column| array.get::<T>(&[row, column])),
            "square" => self.pieces(200, |row, column| array.slice::<T>(s![row..row + SIDE, column..column + SIDE])),
            "row" => self.pieces(20, |row, _| array.slice::<T>(s![row, ..])),
            "column" => self.pieces(20, |_, column| array.slice::<T>(s![.., column])),
            _ => Err("there is no such work".into()),
        }
    }
}
