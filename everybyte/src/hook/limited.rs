//! Structures whose size the file states.
//!
//! [`Limited`] is a reader whose space ends with the structure. A field inside it that needs more bytes fails there,
//! and `rest` and `filling` stop there. It stores its reader as a trait object. Generic nesting would give each level
//! of a recursive format its own reader type, and compilation would never end.
//!
//! A structure at an offset may be anywhere, so it escapes the enclosing limits. Each reader stores the number of
//! offsets that had been followed when it was created, and stops limiting once there are more.

use crate::elsewhere;
use crate::error::{Beyond, Problem};
use crate::fields::bytes_left;
use crate::finding::Severity;
use crate::label::Label;
use crate::reading;
use crate::recorder;
use crate::reference::Layout;
use crate::violation::{self, Violation};
use binrw::io::{self, Read, Seek, SeekFrom};
use binrw::{BinResult, Endian};
use std::cell::Cell;

thread_local! {
    static IS_EXACT: Cell<bool> = const { Cell::new(false) };
}

/// Refuses surplus bytes while `read` runs, because a value cannot store them.
pub fn exactly<T>(read: impl FnOnce() -> T) -> T {
    struct Before(bool);
    impl Drop for Before {
        fn drop(&mut self) {
            IS_EXACT.set(self.0);
        }
    }
    let _before = Before(IS_EXACT.replace(true));
    read()
}

/// A reader and seeker of any type, so that nested structures have the same reader.
trait Stream: Read + Seek {}

impl<R: Read + Seek> Stream for R {}

/// A reader for a structure with a stated size. The reader's space ends with the structure.
pub struct Limited<'r> {
    inner: &'r mut (dyn Stream + 'r),
    position: u64,
    end: u64,
    /// The number of enclosing structures at offsets when this reader was created. The reader does not limit structures
    /// at further offsets.
    level: u32,
    /// True if bytes of the space were unavailable.
    is_short: bool,
}

impl<'r> Limited<'r> {
    /// Creates a reader for the bytes between two offsets. With `u64::MAX`, it extends to the end of the space.
    pub fn new<R: Read + Seek>(inner: &'r mut R, position: u64, end: u64) -> Self {
        Limited { inner, position, end, level: elsewhere::level(), is_short: false }
    }

    /// The offset that will be read next.
    pub fn reached(&self) -> u64 {
        self.position
    }

    /// Returns whether bytes were unavailable. With more bytes, the structure may be readable. The error itself may have been
    /// dropped together with its alternative.
    pub fn is_short(&self) -> bool {
        self.is_short
    }

    fn note<T>(&mut self, read: io::Result<T>) -> io::Result<T> {
        self.is_short |= matches!(&read, Err(error) if error.kind() == io::ErrorKind::WouldBlock);
        read
    }

    /// Returns whether a structure at an offset, which may be anywhere, is being read.
    fn is_passed(&self) -> bool {
        self.level < elsewhere::level()
    }

    fn left(&self) -> u64 {
        if self.is_passed() { u64::MAX } else { self.end.saturating_sub(self.position) }
    }
}

impl Read for Limited<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(self.left()).unwrap_or(usize::MAX);
        let wanted = buffer.len().min(left);
        let taken = self.inner.read(&mut buffer[..wanted]);
        let taken = self.note(taken)?;
        self.position += taken as u64;
        Ok(taken)
    }

    fn read_exact(&mut self, buffer: &mut [u8]) -> io::Result<()> {
        let (needed, left) = (buffer.len() as u64, self.left());
        if needed > left {
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, Beyond { needed, left }));
        }
        let read = self.inner.read_exact(buffer);
        self.note(read)?;
        self.position += needed;
        Ok(())
    }
}

impl Seek for Limited<'_> {
    fn seek(&mut self, target: SeekFrom) -> io::Result<u64> {
        let position = match target {
            SeekFrom::Start(position) => Some(position),
            SeekFrom::Current(by) => self.position.checked_add_signed(by),
            SeekFrom::End(_) if self.is_passed() || self.end == u64::MAX => {
                self.position = self.inner.seek(target)?;
                return Ok(self.position);
            }
            SeekFrom::End(by) => self.end.checked_add_signed(by),
        };
        self.position = self.inner.seek(SeekFrom::Start(position.ok_or(io::ErrorKind::InvalidInput)?))?;
        Ok(self.position)
    }

    fn stream_position(&mut self) -> io::Result<u64> {
        Ok(self.position)
    }
}

/// Converts a declared size of any integer type; `None` if it is negative.
pub fn size(size: impl TryInto<u64>) -> Option<u64> {
    size.try_into().ok()
}

/// Returns a size for a generated structure; `None` if existing bytes are being read.
fn made_size() -> Option<u64> {
    #[cfg(feature = "arbitrary")]
    return crate::generator::size();
    #[cfg(not(feature = "arbitrary"))]
    None
}

/// Returns a parser for a field that takes this many bytes. Bytes that its structure does not use are surplus.
pub fn sized<V: Layout, A, R: Read + Seek>(
    label: &'static Label,
    size: Option<u64>,
    parse: impl Fn(&mut Limited<'_>, Endian, A) -> BinResult<V>,
) -> impl Fn(&mut R, Endian, A) -> BinResult<V> {
    let parse = within(label, size, parse);
    move |reader, endian, args| reading::parsed(reader, (label, endian), |reader| parse(reader, endian, args))
}

/// Reads a structure within its size, without a node.
pub fn within<V: Layout, A, R: Read + Seek>(
    label: &'static Label,
    size: Option<u64>,
    parse: impl Fn(&mut Limited<'_>, Endian, A) -> BinResult<V>,
) -> impl Fn(&mut R, Endian, A) -> BinResult<V> {
    move |reader: &mut R, endian: Endian, args: A| {
        let (start, left) = (reader.stream_position()?, bytes_left(reader)?);
        let size = size.unwrap_or(u64::MAX);
        let made = made_size().map(|size| size.min(left));
        let size = made.unwrap_or(size);
        if size > left {
            let err = Box::new(Problem::TooMany { count: size, element: 1, left });
            return Err(binrw::Error::Custom { pos: start, err });
        }
        let end = start + size;
        let mut limited = Limited::new(reader, start, end);
        let value = parse(&mut limited, endian, args)?;
        let reached = limited.position;
        if made.is_some() {
            // The number that states the size is computed from the structure when the file is written.
            return Ok(value);
        }
        if reached < end {
            surplus(label.name, start..end, reached)?;
        }
        reader.seek(SeekFrom::Start(end))?;
        Ok(value)
    }
}

/// Records the bytes that a structure does not use.
pub fn surplus(name: &str, bytes: std::ops::Range<u64>, reached: u64) -> BinResult<()> {
    let (taken, size) = (reached - bytes.start, bytes.end - bytes.start);
    let message = format!("`{name}` takes {taken} of its {size} bytes");
    if IS_EXACT.get() {
        return Err(binrw::Error::Custom { pos: reached, err: Box::new(Problem::Invalid(message)) });
    }
    let path = if recorder::is_on() { recorder::add_surplus(reached..bytes.end) } else { recorder::open_path() };
    if violation::are_wanted() {
        let bytes = reached..bytes.end;
        violation::add(|| Violation { rule: "surplus", severity: Severity::Error, path, bytes, message });
    }
    Ok(())
}
