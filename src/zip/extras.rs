//! The extra fields of an entry.

use binrw::args;
use everybyte::{Endian, ParseError, Source, error::Problem, read, trace::read_next};
use ndbytes_schemas::zip::{ExtraField, ExtraId, Zip64};
use std::ops::Range;

/// The numbers that do not fit in their own fields, and are therefore in the ZIP64 extra field.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Wanted {
    pub uncompressed: bool,
    pub compressed: bool,
    pub offset: bool,
    pub disk: bool,
}

impl Wanted {
    /// The sizes that an entry's own header leaves to the extra field.
    pub fn sizes(uncompressed: u32, compressed: u32) -> Self {
        Wanted { uncompressed: uncompressed == u32::MAX, compressed: compressed == u32::MAX, ..Wanted::default() }
    }

    /// Returns whether any field is needed from the ZIP64 extra field.
    fn any(self) -> bool {
        self.uncompressed || self.compressed || self.offset || self.disk
    }
}

/// The relevant extra fields of an entry.
#[derive(Debug, Default)]
pub(crate) struct Extras {
    /// The numbers of the ZIP64 extra field.
    pub zip64: Option<Zip64>,
    /// True if needed numbers are missing.
    pub lacks_zip64: bool,
    /// True if there is a ZIP64 extra field, but it is too short.
    pub has_short_zip64: bool,
    /// The bytes after the last field, if there are too few for another one.
    pub rest: Option<Range<u64>>,
}

impl Extras {
    /// Reads the extra fields at a position.
    ///
    /// # Errors
    /// [`Problem::Unavailable`].
    pub fn read(source: Source<'_>, place: Range<u64>, wanted: Wanted) -> Result<Self, Box<ParseError>> {
        let mut extras = Extras::default();
        let mut source = source.at(place.start).until(place.end);
        let mut is_first = true;
        while source.position() < place.end {
            let start = source.position();
            let field: ExtraField = match read_next(&mut source, Endian::Little, ()) {
                Ok(field) => field,
                Err(error) if error.problem == Problem::Unavailable => return Err(error),
                Err(_) => {
                    extras.rest = Some(start..place.end);
                    break;
                }
            };
            if field.id == ExtraId::ZIP64 && std::mem::take(&mut is_first) {
                extras.zip64 = match zip64(source, field.data.range(), wanted) {
                    Ok(zip64) => Some(zip64),
                    Err(error) if error.problem == Problem::Unavailable => return Err(error),
                    Err(_) => {
                        extras.has_short_zip64 = true;
                        None
                    }
                };
            }
        }
        extras.lacks_zip64 = wanted.any() && extras.zip64.is_none();
        Ok(extras)
    }
}

/// Returns the content of a ZIP64 extra field.
fn zip64(source: Source<'_>, place: Range<u64>, wanted: Wanted) -> Result<Zip64, Box<ParseError>> {
    let Wanted { uncompressed, compressed, offset, disk: on_disk } = wanted;
    let source = source.at(place.start).until(place.end);
    read::<Zip64>(source, Endian::Little, args! { uncompressed, compressed, offset, on_disk })
}

/// Returns a number from the ZIP64 extra field if it is there, or else from its own field.
pub(crate) fn wide(own: u32, zip64: Option<u64>) -> u64 {
    zip64.unwrap_or_else(|| own.into())
}
