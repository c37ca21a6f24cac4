//! Fields whose bytes unpack into content, which becomes a separate space.
//!
//! The value keeps the packed bytes. If a map or findings are requested, the content is unpacked, read as the declared type, and
//! passed to the recorder as [`Opened`]. An error in the content never stops the reader of the file.
//!
//! A codec receives the maximum length, which comes from the budget of [`elsewhere`](crate::elsewhere), because content
//! counts like a structure at an offset. Content in a part of the file that the map does not show has no nodes. The
//! first violation in it is then reported for the field itself.

use super::field::Readable;
use crate::elsewhere;
use crate::error::amount;
use crate::fields::OfBytes;
use crate::finding::{Finding, Severity};
#[cfg(feature = "arbitrary")]
use crate::generator;
use crate::mode::{self, JUDGED, RECORDED};
use crate::nodes::{Nodes, Opened};
use crate::packing::{Codec, Packing, Unpacked};
use crate::peek;
use crate::recorder;
use crate::reference::Layout;
use crate::source::Source;
use crate::violation::{self, Violation};
use binrw::io::{Read, Seek};
use binrw::{BinRead, BinResult, BinWrite, Endian};
use std::ops::Range;

/// The rule of content that cannot be unpacked.
const CONTENT: &str = "content";

/// The compression method of a type.
pub const fn codec<P: Packing>() -> Codec {
    Codec::of::<P>()
}

/// Runs after a field. Reads the content that its bytes unpack into. The value does not contain it.
pub fn opened<'a, F: Readable + 'a, R: Read + Seek>(
    codec: Codec,
    name: &'static str,
    bytes: &'a [u8],
    args: F::Args<'a>,
) -> impl FnOnce(&mut R, Endian, ()) -> BinResult<()> + 'a
where
    F::Value: Layout,
{
    move |reader, endian, ()| {
        #[cfg(feature = "arbitrary")]
        if generator::is_on() {
            return Ok(());
        }
        if !mode::has(RECORDED) && !violation::are_wanted() {
            return Ok(());
        }
        let end = reader.stream_position()?;
        let place = end.saturating_sub(bytes.len() as u64)..end;
        let packed = Packed { bytes, place, pieces: &[], title: "unpacked" };
        packed.open::<F>(codec, (name, endian), args, || recorder::path_beside(name));
        Ok(())
    }
}

/// The packed bytes of some content.
pub struct Packed<'b> {
    pub bytes: &'b [u8],
    /// The bytes of the file that a finding about the content refers to.
    pub place: Range<u64>,
    /// The ranges of the joined bytes, if they come from several fields.
    pub pieces: &'b [Range<u64>],
    /// The title of the content, which follows the path of the field.
    pub title: &'static str,
}

impl Packed<'_> {
    /// Unpacks the content and reads it. Findings get the path of the field that opens the content.
    pub fn open<F: Readable>(
        &self,
        codec: Codec,
        (name, endian): (&'static str, Endian),
        args: F::Args<'_>,
        path: impl Fn() -> String,
    ) where
        F::Value: Layout,
    {
        let wrong = |rule: &'static str, message: String| {
            if violation::are_wanted() {
                let bytes = self.place.clone();
                violation::add(|| Violation { rule, severity: Severity::Error, path: path(), bytes, message });
            }
        };
        let Some(most) = elsewhere::room_for_content() else {
            let message = "the file has too many contents, or they have too many bytes: this one is not read";
            return wrong("limit", message.to_owned());
        };
        match codec.unpack(self.bytes, most) {
            Unpacked::Content(content) => {
                elsewhere::debit_content(content.len() as u64);
                self.read::<F>(content, (name, endian), args, wrong);
            }
            Unpacked::TooMany => {
                elsewhere::debit_content(most);
                wrong("limit", format!("its content has more than the {} that the limits leave", amount(most)));
            }
            Unpacked::Broken(why) => wrong(CONTENT, why),
        }
    }

    /// Reads the content as its declared type.
    fn read<F: Readable>(
        &self,
        content: Vec<u8>,
        (name, endian): (&'static str, Endian),
        args: F::Args<'_>,
        wrong: impl FnOnce(&'static str, String),
    ) {
        if mode::has(RECORDED)
            && let Some((opener, path, most)) = recorder::opener(name)
        {
            let mut nodes = Nodes::within(most);
            let ((read, root), flaws) =
                violation::gathered(|| nodes.traced(Source::new(&content), |reader| F::read(reader, endian, args)));
            let (title, pieces) = (format!("{path}, {}", self.title), self.pieces.to_vec());
            let error = read.err();
            return recorder::open(Opened { opener, pieces, title, content, nodes, root, flaws, error });
        }
        if peek::is_on() {
            let claimed = elsewhere::claims();
            let length = content.len() as u64;
            let glanced = peek::at(Source::new(&content), |reader| F::read(reader, endian, args));
            if glanced.is_in_doubt || glanced.end != length || elsewhere::claims() != claimed {
                peek::doubt();
            }
            return;
        }
        // The field has no node, so violations in its content are reported for the field.
        let mut nodes = Nodes::within(0);
        let _judged = mode::with(JUDGED);
        let ((read, root), flaws) =
            violation::gathered(|| nodes.traced(Source::new(&content), |reader| F::read(reader, endian, args)));
        // If the map had no room for some structures at offsets, the rest may belong to them.
        let left = (content.len() as u64).saturating_sub(nodes.node(root).end());
        let gap = (left > 0 && !elsewhere::is_cut())
            .then(|| ("gap", format!("no field claims the last {} of its content", amount(left))));
        let first = flaws.kept.into_iter().next().map(|flaw| (flaw.rule, flaw.message));
        let error = read.err().map(|error| (error.problem.rule(), Finding::unread(&error, 0, "").message));
        if let Some((rule, message)) = error.or(first).or(gap) {
            wrong(rule, message);
        }
    }
}

/// Returns a parser for a field whose content is generated and packed for a generated file.
pub fn packed<P: Packing, F: Readable, V: OfBytes, A, R: Read + Seek>(
    args: impl Fn() -> F::Args<'static>,
    parse: impl Fn(&mut R, Endian, A) -> BinResult<V>,
) -> impl Fn(&mut R, Endian, A) -> BinResult<V>
where
    F::Value: Layout + for<'w> BinWrite<Args<'w> = ()>,
{
    move |reader, endian, arguments| {
        #[cfg(feature = "arbitrary")]
        if generator::is_on() {
            return Ok(V::of_bytes(Codec::of::<P>().pack(&content_of::<F>(endian, args())?)));
        }
        let _ = &args;
        parse(reader, endian, arguments)
    }
}

/// Returns the bytes of generated content.
#[cfg(feature = "arbitrary")]
pub fn content_of<F: Readable>(endian: Endian, args: F::Args<'_>) -> BinResult<Vec<u8>>
where
    F::Value: for<'w> BinWrite<Args<'w> = ()>,
{
    let content = generator::elsewhere(|source| F::read(source, endian, args))?;
    let mut bytes = binrw::io::Cursor::new(Vec::new());
    content.write_options(&mut bytes, endian, ())?;
    Ok(bytes.into_inner())
}

/// Requires the type of some content to be a layout that can be written without arguments.
pub fn ensure_content<T: Layout + BinRead + for<'w> BinWrite<Args<'w> = ()>>() {}
