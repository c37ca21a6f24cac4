//! The readers, each of which has one line in the table.

use ndarray::ArrayD;
use ndarray_npy::{ReadNpyExt, ReadableElement};
use ndbytes_forge::Kind;
use npyz::{Deserialize, NpyFile};
use std::io::{self, Cursor, Read};
use std::sync::LazyLock;

/// A reader of files of one kind.
pub struct Reader {
    /// The name of its crate.
    pub name: &'static str,
    /// The kind of files that it reads.
    pub kind: Kind,
    /// Reads a file; `None` if it refuses it.
    pub read: fn(&[u8]) -> Option<()>,
}

/// The maximum number of items to request from a reader that allocates memory before it looks for them.
const MOST_ITEMS: u64 = 1 << 16;

/// The maximum number of bytes to unpack from a file.
const MOST_UNPACKED: u64 = 1 << 22;

/// The readers.
pub static READERS: &[Reader] = &[
    Reader { name: "idx-lib", kind: Kind::Idx, read: idx_lib },
    Reader { name: "npyz", kind: Kind::Npy, read: npyz },
    Reader { name: "ndarray-npy", kind: Kind::Npy, read: ndarray_npy },
    Reader { name: "blosc2-pure-rs", kind: Kind::B2nd, read: blosc2_pure_rs },
    Reader { name: "libflate", kind: Kind::Gzip, read: libflate },
    Reader { name: "zip", kind: Kind::Zip, read: zip },
];

impl Reader {
    /// Returns the reader named in `NDBYTES_FUZZERS_READER`.
    pub fn of_process() -> &'static Reader {
        static CHOSEN: LazyLock<&Reader> = LazyLock::new(|| {
            let name = std::env::var("NDBYTES_FUZZERS_READER").unwrap_or_default();
            READERS.iter().find(|reader| reader.name == name).unwrap_or_else(|| {
                let names: Vec<_> = READERS.iter().map(|reader| reader.name).collect();
                eprintln!("NDBYTES_FUZZERS_READER names no reader; there are {}", names.join(", "));
                std::process::exit(2)
            })
        });
        *CHOSEN
    }
}

fn idx_lib(file: &[u8]) -> Option<()> {
    let extents = file.get(4..)?.as_chunks::<4>().0.iter().map(|extent| u64::from(u32::from_be_bytes(*extent)));
    let items = extents.take(file[3].into()).try_fold(1_u64, u64::checked_mul)?;
    if items > MOST_ITEMS {
        return None;
    }
    idx_lib::read_idx(&mut Cursor::new(file)).ok().map(drop)
}

fn npyz(file: &[u8]) -> Option<()> {
    let header = || NpyFile::new(file).ok();
    fn items<T: Deserialize>(file: NpyFile<&[u8]>) -> Option<bool> {
        let Ok(mut items) = file.data::<T>() else { return Some(false) };
        items.try_for_each(|item| item.ok().map(drop)).map(|()| true)
    }
    let tries = [items::<i8>, items::<u8>, items::<i32>, items::<u64>, items::<f32>, items::<f64>, items::<Vec<u8>>];
    header()?;
    for read in tries {
        if read(header()?)? {
            return Some(());
        }
    }
    None
}

fn ndarray_npy(file: &[u8]) -> Option<()> {
    fn items<T: ReadableElement>(file: &[u8]) -> bool {
        ArrayD::<T>::read_npy(file).is_ok()
    }
    let tries = [items::<bool>, items::<u8>, items::<i16>, items::<i32>, items::<u64>, items::<f32>, items::<f64>];
    tries.iter().any(|read| read(file)).then_some(())
}

fn blosc2_pure_rs(file: &[u8]) -> Option<()> {
    let array = blosc2_pure_rs::b2nd::B2ndArray::from_contiguous_frame(file).ok()?;
    blosc2_pure_rs::b2nd::b2nd_to_cbuffer_vec(&array).ok().map(drop)
}

fn libflate(file: &[u8]) -> Option<()> {
    let content = libflate::gzip::MultiDecoder::new(file).ok()?;
    whole(content)
}

fn zip(file: &[u8]) -> Option<()> {
    let mut archive = zip::ZipArchive::new(Cursor::new(file)).ok()?;
    for number in 0..archive.len().min(64) {
        whole(archive.by_index(number).ok()?)?;
    }
    Some(())
}

/// Reads content to its end, up to the limit.
fn whole(content: impl Read) -> Option<()> {
    io::copy(&mut content.take(MOST_UNPACKED), &mut io::sink()).ok().map(drop)
}
