//! A PNG file, or a directory of PNG files of the same size and type, as an array.
//!
//! A picture is decoded when its samples are needed, and only the last one is kept. All must have the size and type of
//! the first, because an array has one shape. A stated size may be false, so the decoder gets the memory limit. Its
//! input checks the clock, because even a small file can take a long time to unpack.

use crate::axis_selection::AxisSelection;
use crate::memory::room;
use ndbytes::everybyte::Endian;
use ndbytes::internals::door;
use ndbytes::ndarray::SliceInfoElem;
use ndbytes::{Dtype, ElementKind, Error, Input, ItemType, Items, Limits, Plain, Result};
use png::{BitDepth, ColorType, Decoder, DecodingError, Transformations};
use std::fs;
use std::io::{self, BufRead, BufReader, Cursor, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// Pictures of the same size and type. Palette indices become colours, and samples of fewer than 8 bits become 8-bit samples.
///
/// ```
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("digits.png");
/// use ndbytes::{Input, Limits};
/// use ndbytes_convert::Pictures;
/// # use ndbytes_convert::{ArraySource, FileKind, Options, Sheet, Source, Target, convert};
/// # let digits = ndbytes::open("../../samples/digits-idx3-ubyte.gz")?.into_array()?;
/// # let sources = [Source::Array(ArraySource::new("digits", &digits))];
/// # let options = Options::new().sheet(Some(Sheet { rows: 1, columns: 2 }));
/// # convert(&sources, FileKind::Png, Target::File(&path), &options)?;
///
/// // A grey picture of 28 rows and 56 columns.
/// let limits = Limits::default();
/// let picture = Pictures::read(&path, &Input::open(&path, limits)?, limits)?;
/// assert_eq!((picture.shape(), picture.item_type().to_string()), (&[1, 28, 56][..], "|u1".to_owned()));
/// # Ok::<(), ndbytes_convert::Error>(())
/// ```
#[derive(Debug)]
pub struct Pictures {
    files: Files,
    item_type: ItemType,
    /// The number of pictures, rows, columns and, if there are several, samples per pixel.
    shape: Vec<usize>,
    limits: Limits,
}

/// Where the pictures come from.
#[derive(Debug)]
enum Files {
    Folder(Vec<PathBuf>),
    /// The bytes of one file, and its path.
    One(PathBuf, Vec<u8>),
}

/// The first bytes of a PNG file.
const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

impl Pictures {
    /// Returns whether a file begins with the signature of PNG.
    pub fn is_one(input: &Input<'_>) -> bool {
        input.head().starts_with(SIGNATURE)
    }

    /// Reads the picture in a file into memory. `path` is used in messages.
    ///
    /// # Errors
    /// [`Error::Io`] if it cannot be read as a picture; [`Error::Limit`].
    pub fn read(path: impl Into<PathBuf>, input: &Input<'_>, limits: Limits) -> Result<Self> {
        let (path, mut bytes, limits) = (path.into(), Vec::new(), limits.started());
        room(&mut bytes, input.length(), &limits)?;
        input.read_at(&mut bytes, 0)?;
        let (mut shape, item_type) = Open::of(&path, Box::new(Cursor::new(&bytes[..])), limits)?.shape()?;
        shape.insert(0, 1);
        Ok(Pictures { files: Files::One(path, bytes), item_type, shape, limits })
    }

    /// Returns whether the array is a single picture rather than a list of pictures.
    pub(crate) fn is_single(&self) -> bool {
        matches!(self.files, Files::One(..))
    }

    /// Opens the pictures in a directory, sorted by name; `None` if there are none.
    ///
    /// # Errors
    /// [`Error::Io`] if the directory cannot be read, or if its first file is not a picture.
    pub fn open(folder: impl AsRef<Path>, limits: Limits) -> Result<Option<Self>> {
        let (folder, limits) = (folder.as_ref(), limits.started());
        let at_folder = |source| Error::Io { path: Some(folder.to_owned()), source };
        let is_picture =
            |path: &PathBuf| path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("png"));
        let entries = fs::read_dir(folder).map_err(at_folder)?;
        let paths =
            entries.map(|entry| entry.map(|entry| entry.path())).filter(|path| path.as_ref().map_or(true, is_picture));
        let mut files = paths.collect::<io::Result<Vec<_>>>().map_err(at_folder)?;
        files.sort();
        let Some(first) = files.first() else { return Ok(None) };
        let (mut shape, item_type) = Open::file(first, limits)?.shape()?;
        shape.insert(0, files.len());
        Ok(Some(Pictures { files: Files::Folder(files), item_type, shape, limits }))
    }

    /// The length of each axis.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// The type of a sample.
    pub fn item_type(&self) -> &ItemType {
        &self.item_type
    }

    /// Reads some of the samples, as selected by [`ndbytes::Array::select`].
    pub(crate) fn select(&self, slices: &[SliceInfoElem]) -> Result<Box<dyn Items + '_>> {
        let (given, axes) = (slices.len(), self.shape.len());
        if given != axes {
            return Err(Error::Selection { given, axes });
        }
        let picks: Vec<AxisSelection> =
            slices.iter().zip(&self.shape).map(|(slice, &extent)| AxisSelection::of(slice, extent as u64)).collect();
        for (pick, &extent) in picks.iter().zip(&self.shape) {
            if let Some(index) = pick.beyond(extent as u64) {
                return Err(Error::OutOfRange { index, length: extent as u64 });
            }
        }
        let shape = picks.iter().filter(|pick| !pick.is_dropped).map(|pick| pick.count as usize).collect();
        let item = picks[1..].iter().map(|pick| pick.count).product();
        let inner = slices[1..].to_vec();
        let (loaded, buffer) = (None, Vec::new());
        Ok(Box::new(Samples { pictures: self, pick: picks[0], inner, item, shape, loaded, buffer }))
    }

    /// Loads the samples of a picture.
    fn load(&self, place: u64) -> Result<Vec<u8>> {
        let mut picture = match &self.files {
            Files::Folder(files) => Open::file(&files[place as usize], self.limits)?,
            Files::One(path, bytes) => Open::of(path, Box::new(Cursor::new(&bytes[..])), self.limits)?,
        };
        let (shape, item_type) = picture.shape()?;
        if shape != self.shape[1..] || item_type != self.item_type {
            let first = text(&self.shape[1..], &self.item_type);
            let what = format!("is a picture of {}, but the first one is of {first}", text(&shape, &item_type));
            return Err(picture.malformed(what));
        }
        picture.samples(self.limits)
    }
}

/// Returns the size and type of a picture, for messages.
fn text(shape: &[usize], item_type: &ItemType) -> String {
    let extents: Vec<String> = shape.iter().map(ToString::to_string).collect();
    format!("{} samples of {}", extents.join(" × "), item_type.dtype().kind)
}

/// An opened picture.
struct Open<'p> {
    path: &'p Path,
    reader: png::Reader<Timed<'p>>,
}

/// Bytes of a picture.
trait Bytes: BufRead + Seek {}

impl<T: BufRead + Seek> Bytes for T {}

/// Bytes of a picture, with a time limit that is checked whenever the decoder requests more.
struct Timed<'p> {
    bytes: Box<dyn Bytes + 'p>,
    limits: Limits,
}

impl Read for Timed<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.limits.ensure_time().map_err(io::Error::other)?;
        self.bytes.read(buffer)
    }
}

impl BufRead for Timed<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.limits.ensure_time().map_err(io::Error::other)?;
        self.bytes.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        self.bytes.consume(count);
    }
}

impl Seek for Timed<'_> {
    fn seek(&mut self, target: SeekFrom) -> io::Result<u64> {
        self.bytes.seek(target)
    }
}

impl<'p> Open<'p> {
    /// Opens a regular file. A pipe or a device could block forever.
    fn file(path: &'p Path, limits: Limits) -> Result<Self> {
        let file = door::regular(path).map_err(|source| Error::Io { path: Some(path.to_owned()), source })?;
        Open::of(path, Box::new(BufReader::new(file)), limits)
    }

    /// Reads the header. The decoder gets the memory limit, because a few bytes can claim a picture of any size.
    fn of(path: &'p Path, content: Box<dyn Bytes + 'p>, limits: Limits) -> Result<Self> {
        let bytes = usize::try_from(limits.memory).unwrap_or(usize::MAX);
        let content = Timed { bytes: content, limits };
        let mut decoder = Decoder::new_with_limits(content, png::Limits { bytes });
        decoder.set_transformations(Transformations::EXPAND);
        decoder.set_ignore_text_chunk(true);
        decoder.set_ignore_iccp_chunk(true);
        let reader = decoder.read_info().map_err(|error| failed(path, error))?;
        Ok(Open { path, reader })
    }

    /// The number of rows, columns and, if there are several, samples per pixel; and the type of a sample.
    fn shape(&self) -> Result<(Vec<usize>, ItemType)> {
        let (width, height) = self.reader.info().size();
        let (color, depth) = self.reader.output_color_type();
        let mut shape = vec![height as usize, width as usize];
        match color {
            ColorType::Grayscale => {}
            color => shape.push(color.samples()),
        }
        let kind = match depth {
            BitDepth::Eight => ElementKind::U8,
            BitDepth::Sixteen => ElementKind::U16,
            depth => return Err(self.malformed(format!("has samples of {depth:?} bits"))),
        };
        Ok((shape, ItemType::Plain(Dtype::new(kind, Endian::Big))))
    }

    /// Decodes all samples of the picture.
    fn samples(&mut self, limits: Limits) -> Result<Vec<u8>> {
        let needed = self.reader.output_buffer_size().ok_or_else(|| self.malformed("is too large".into()))?;
        let mut samples = Vec::new();
        room(&mut samples, needed as u64, &limits)?;
        self.reader.next_frame(&mut samples).map_err(|error| failed(self.path, error))?;
        Ok(samples)
    }

    /// Returns the error for a file that is not a valid picture.
    fn malformed(&self, what: String) -> Error {
        Error::Io { path: Some(self.path.to_owned()), source: io::Error::new(io::ErrorKind::InvalidData, what) }
    }
}

/// Converts an error of the decoder. An exceeded time limit passes through it as an I/O error, and is unwrapped.
fn failed(path: &Path, error: DecodingError) -> Error {
    let source = match error {
        DecodingError::IoError(error) if error.get_ref().is_some_and(|inner| inner.is::<Error>()) => {
            match error.downcast() {
                Ok(time) => return time,
                Err(error) => error,
            }
        }
        DecodingError::IoError(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
            io::Error::new(io::ErrorKind::InvalidData, "ends inside the picture")
        }
        DecodingError::IoError(error) => error,
        other => io::Error::new(io::ErrorKind::InvalidData, format!("cannot be read as a picture: {other}")),
    };
    Error::Io { path: Some(path.to_owned()), source }
}

/// Samples of pictures.
struct Samples<'p> {
    pictures: &'p Pictures,
    pick: AxisSelection,
    /// The selection in each picture, and its number of samples.
    inner: Vec<SliceInfoElem>,
    item: u64,
    shape: Vec<usize>,
    /// The last picture and its index.
    loaded: Option<(u64, Vec<u8>)>,
    buffer: Vec<u8>,
}

impl Items for Samples<'_> {
    fn item_type(&self) -> &ItemType {
        &self.pictures.item_type
    }

    fn shape(&self) -> &[usize] {
        &self.shape
    }

    fn read(&mut self, start: u64, count: u64) -> Result<&[u8]> {
        let end = start.checked_add(count).filter(|&end| end <= self.count());
        let end = end.ok_or(Error::OutOfRange { index: start.saturating_add(count), length: self.count() })?;
        self.buffer.clear();
        let mut next = start;
        while next < end {
            let place = self.pick.place(next / self.item);
            if self.loaded.as_ref().is_none_or(|(loaded, _)| *loaded != place) {
                self.loaded = None;
                self.loaded = Some((place, self.pictures.load(place)?));
            }
            let Some((_, samples)) = &self.loaded else { break };
            let input = Input::from_slice(samples, self.pictures.limits);
            let shape = self.pictures.shape[1..].to_vec();
            let picture = Plain::new(input, 0, self.pictures.item_type.clone(), shape)?;
            let here = (end - next).min(self.item - next % self.item);
            self.buffer.extend_from_slice(picture.select(&self.inner)?.read(next % self.item, here)?);
            next += here;
        }
        Ok(&self.buffer)
    }

    /// The size of a piece: whole pictures.
    fn piece(&self) -> u64 {
        let wanted = (256 << 10) / self.item_type().stride();
        (wanted / self.item.max(1)).max(1).saturating_mul(self.item.max(1))
    }
}
