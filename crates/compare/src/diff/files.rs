//! Comparing two files of any format.
//!
//! Cheap checks come first. Equal bytes need no parsing. Otherwise each side is checked once, for its findings and its
//! fields. The maps of the fields are dropped before the values are compared, which may cost as much as decoding both
//! files, so fields and values are never in memory together.
//!
//! Broken files are also compared. [`open`](super::open) reads them with every tolerance that leaves values readable,
//! and the verdict states what is missing.

use super::chunks;
use super::findings;
use super::members::compare_members;
use super::open::{Opened, open};
use super::options::Options;
use super::others::Others;
use super::report::Diff;
use super::same_bytes::first_difference;
use super::values::Values;
use super::verdict::Verdict;
use super::{arrays, pair};
use everybyte::diff::{self, Structure};
use everybyte::map::Space;
use ndbytes::archive::Archive;
use ndbytes::archive::{is_archive, is_of_tensors};
use ndbytes::{ByteMap, Checker, Depth, Error, File, Format, Input, Report, Result, detect, is_gzip};

/// The number of payload bytes that the comparison of structures reads from each file. Comparing values covers the rest.
const COMPARED_BYTES: u64 = 16 << 20;

/// The memory per field during a comparison, in addition to its node, in bytes.
const COMPARED_FIELD: u64 = 512;

/// Compares two files of any format. `None` is a missing file, so everything is added or removed.
///
/// First, bytes are compared. If they differ, values are compared, even across formats, and structures if the formats
/// are the same. For a broken file, the readable part is compared.
///
/// ```
/// # let samples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples");
/// use ndbytes_compare::diff::{Options, Verdict, diff};
/// use ndbytes::{Input, Limits};
///
/// let open = |name| Input::open(format!("{samples}/{name}"), Limits::default());
/// let found = diff(&open("temperatures.b2nd")?, &open("temperatures.b2nd")?, &Options::new())?;
/// assert_eq!(found.verdict, Verdict::Identical);
/// # Ok::<(), ndbytes::Error>(())
/// ```
///
/// # Errors
/// [`Error::Io`] if a file cannot be read; [`Error::Time`]; [`Error::NoColumn`] if a table does not have the column
/// [`Options::key`]. The content of a file never causes an error.
pub fn diff<'i>(
    a: impl Into<Option<&'i Input<'i>>>,
    b: impl Into<Option<&'i Input<'i>>>,
    options: &Options,
) -> Result<Diff> {
    compare(a.into(), b.into(), &started(options))
}

/// Compares two archives, or the directories of two stores, member by member. Members with the same name are compared
/// like files. The fields of zip archives are compared by [`diff()`].
///
/// # Errors
/// As for [`diff()`].
pub fn archives(a: &Archive<'_>, b: &Archive<'_>, options: &Options) -> Result<Diff> {
    let mut found = Diff::between(a.input(), b.input(), Verdict::Incomparable, options);
    for (side, archive) in [(&mut found.a, a), (&mut found.b, b)] {
        (side.size, side.exists, side.is_archive) = (archive.length(), true, true);
    }
    compare_members(a, b, &started(options), &mut found, &compare)?;
    Ok(found)
}

/// Returns the options with their clock running, so that the whole comparison has a single deadline.
fn started(options: &Options) -> Options {
    options.clone().limits(options.limits.started())
}

/// Compares two inputs, one of which may be missing.
fn compare(a: Option<&Input<'_>>, b: Option<&Input<'_>>, options: &Options) -> Result<Diff> {
    match (a, b) {
        (Some(a), Some(b)) => both(a, b, options),
        (a, b) => one_sided(a, b, options),
    }
}

/// Returns whether a comparison needs the payload of a file. If values are not compared, it does only if the payload
/// has fields, such as chunks or blocks. A contiguous array has none.
fn reads_payload(input: &Input<'_>, options: &Options) -> bool {
    let format = detect(input.head(), input.length());
    options.values || !format.is_some_and(Format::is_in_one_piece)
}

/// A file, its report, and its map if it was requested.
struct Examined<'i> {
    input: &'i Input<'i>,
    report: Report,
    map: Option<ByteMap>,
}

impl<'i> Examined<'i> {
    /// Checks and maps one side. The size of the map is limited by the memory for comparing its fields.
    fn new(input: &'i Input<'i>, options: &Options) -> Result<Self> {
        options.limits.ensure_time()?;
        let fields = options.limits.memory / COMPARED_FIELD;
        let limits = options.limits.fields(options.limits.fields.min(usize::try_from(fields).unwrap_or(usize::MAX)));
        let depth = if reads_payload(input, options) { Depth::Payload } else { Depth::Structure };
        let checker = Checker::new().depth(depth).limits(limits);
        if is_archive(input) {
            let report = checker.check_input(input.again(limits)?)?;
            // Members are compared separately.
            let map = options.structure.then(|| checker.depth(Depth::Structure).byte_map(input.again(limits)?));
            return Ok(Examined { input, report, map: map.transpose()? });
        }
        let (report, map) = match options.structure {
            true => checker.explain(input).map(|(report, map)| (report, Some(map)))?,
            false => (checker.check_input(input.again(limits)?)?, None),
        };
        Ok(Examined { input, report, map })
    }

    /// Returns the bytes of the file itself; decompressed bytes are not available.
    fn read(&self, space: u32, offset: u64, buffer: &mut [u8]) -> bool {
        space == 0 && self.input.read_at(buffer, offset).is_ok()
    }
}

/// Returns the spaces of a side, or none if it has no map.
fn spaces<'e>(side: Option<&'e Examined<'_>>) -> &'e [Space] {
    side.and_then(|side| side.map.as_ref()).map_or(&[], |map| &map.spaces)
}

/// Compares the maps of two files; one of them may be missing.
fn structures(a: Option<&Examined<'_>>, b: Option<&Examined<'_>>, options: &Options) -> Structure {
    let read = |side: Option<&Examined<'_>>, space, offset, buffer: &mut [u8]| {
        side.is_some_and(|side| side.read(space, offset, buffer))
    };
    let (read_a, read_b) = (
        |space, offset, buffer: &mut [u8]| read(a, space, offset, buffer),
        |space, offset, buffer: &mut [u8]| read(b, space, offset, buffer),
    );
    let mut how = diff::Options::default();
    how.ignore.clone_from(&options.ignore);
    how.compared_bytes = COMPARED_BYTES;
    how.payloads = options.values;
    let (a, b) = (diff::Side { spaces: spaces(a), read: &read_a }, diff::Side { spaces: spaces(b), read: &read_b });
    diff::structure(&a, &b, &how)
}

/// Describes the side that exists. Two missing files are identical.
fn one_sided(a: Option<&Input<'_>>, b: Option<&Input<'_>>, options: &Options) -> Result<Diff> {
    let mut found = Diff::between(a, b, Verdict::OneSided, options);
    let one = a.map(|input| Examined::new(input, options)).transpose()?;
    let other = b.map(|input| Examined::new(input, options)).transpose()?;
    if one.is_none() && other.is_none() {
        found.verdict = Verdict::Identical;
        return Ok(found);
    }
    if options.structure && (found.a.format.is_some() || found.b.format.is_some()) {
        found.structure = Some(structures(one.as_ref(), other.as_ref(), options));
    }
    let findings = |side: Option<Examined<'_>>| side.map(|side| side.report.findings().to_vec()).unwrap_or_default();
    (found.findings.gone, found.findings.new) = (findings(one), findings(other));
    Ok(found)
}

/// Compares two files. Their bytes are compared first, since equal bytes need no parsing. A sparse frame is a directory
/// whose chunks are separate files.
fn both(a: &Input<'_>, b: &Input<'_>, options: &Options) -> Result<Diff> {
    let reads = reads_payload(a, options) || reads_payload(b, options);
    let first_byte = if reads { first_difference(a, b, options)? } else { None };
    if reads && first_byte.is_none() && has_no_folder(a) && has_no_folder(b) {
        return Ok(Diff::between(Some(a), Some(b), Verdict::Identical, options));
    }
    let mut found = Diff::between(Some(a), Some(b), Verdict::Incomparable, options);
    found.first_byte = first_byte;
    let (one, other) = (Examined::new(a, options)?, Examined::new(b, options)?);
    found.findings = findings::compare((&one.report, one.map.as_ref()), (&other.report, other.map.as_ref()));
    if are_archives(a, b, options)? {
        return both_archives(&mut found, (&one, &other), options).map(|()| found);
    }
    let is_same_format = found.a.format.is_some() && found.a.format == found.b.format;
    // The fields of a gzip file describe the container, not the content.
    if options.structure && is_same_format && is_gzip(a.head()) == is_gzip(b.head()) {
        found.structure = Some(structures(Some(&one), Some(&other), options));
    }
    drop((one, other));
    match (options.values, &found.structure) {
        (true, _) => {
            let values = values(a, b, options, first_byte)?;
            found.verdict = values.verdict;
            if found.verdict == Verdict::SameValues && first_byte.is_none() && has_same_chunks(a, b, options)? {
                found.verdict = Verdict::Identical;
            }
            found.values = Some(values);
        }
        (false, Some(structure)) if structure.is_empty() => found.verdict = Verdict::SameStructure,
        (false, Some(_)) => found.verdict = Verdict::StructureDiffers,
        (false, None) => {
            let reason = "`--structure-only` needs two files in the same known format";
            found.values = Some(Values::incomparable(reason));
        }
    }
    Ok(found)
}

/// Returns whether two files are compared member by member: zip archives and tensor files, unless both have a single tensor and count as
/// arrays.
fn are_archives(a: &Input<'_>, b: &Input<'_>, options: &Options) -> Result<bool> {
    if !is_of_tensors(a) || !is_of_tensors(b) {
        return Ok([a, b].into_iter().all(|input| is_archive(input) || is_of_tensors(input)));
    }
    let count = |input: &Input<'_>| match Archive::read(input.again(options.limits)?, options.limits) {
        Ok(archive) => Ok(Some(archive.members().len())),
        Err(Error::Invalid(_)) => Ok(None),
        Err(error) => Err(error),
    };
    Ok(matches!((count(a)?, count(b)?), (Some(a), Some(b)) if (a, b) != (1, 1)))
}

/// Compares two archives: their own fields, and the members.
fn both_archives(found: &mut Diff, (one, other): (&Examined<'_>, &Examined<'_>), options: &Options) -> Result<()> {
    // Zip archives and tensor files have no fields in common.
    if options.structure && is_of_tensors(one.input) == is_of_tensors(other.input) {
        found.structure = Some(structures(Some(one), Some(other), options));
    }
    let inputs = (one.input.again(options.limits)?, other.input.again(options.limits)?);
    let reason = match (Archive::read(inputs.0, options.limits), Archive::read(inputs.1, options.limits)) {
        (Ok(a), Ok(b)) => {
            compare_members(&a, &b, options, found, &compare)?;
            add_others(found, Others::of(&a, &b, options)?);
            if found.verdict != Verdict::Incomparable || !found.members.is_empty() {
                return Ok(());
            }
            "the archives are empty".to_owned()
        }
        (Err(error @ (Error::Io { .. } | Error::Time { .. })), _)
        | (_, Err(error @ (Error::Io { .. } | Error::Time { .. }))) => return Err(error),
        (Err(error), _) | (_, Err(error)) => everybyte::escape(&error.to_string()),
    };
    found.values = Some(Values::incomparable(reason));
    Ok(())
}

/// Adds the members whose bytes are compared. If nothing else differs, they determine the verdict.
fn add_others(found: &mut Diff, others: Others) {
    let is_first = found.members.is_empty() && found.equal_members == 0;
    found.verdict = match (others.members.is_empty(), is_first) {
        (true, true) if others.equal > 0 => Verdict::SameValues,
        (true, _) => found.verdict,
        (false, _) if others.members.iter().all(|member| member.diff.verdict == Verdict::Incomparable) => {
            Verdict::Incomparable
        }
        (false, _) => Verdict::ValuesDiffer,
    };
    found.equal_members += others.equal;
    found.members.extend(others.members);
}

/// Returns whether an input is a single file, not a directory with its chunks as separate files.
fn has_no_folder(input: &Input<'_>) -> bool {
    input.folder().is_none()
}

/// Returns whether two directories with identical frames also have identical bytes in all chunks.
fn has_same_chunks(a: &Input<'_>, b: &Input<'_>, options: &Options) -> Result<bool> {
    let (Opened::File(a, _), Opened::File(b, _)) = (open(a, options.limits)?, open(b, options.limits)?) else {
        return Ok(false);
    };
    let (Some(a), Some(b)) = (chunks_of(&a), chunks_of(&b)) else { return Ok(false) };
    for chunk in 0..a.distinct_chunks().max(b.distinct_chunks()) {
        if !a.has_same_bytes(b, chunk)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Returns the b2nd array, if the file contains one.
fn chunks_of<'f, 'a>(file: &'f File<'a>) -> Option<&'f ndbytes::b2nd::Array<'a>> {
    match file {
        File::Array(array) => chunks::of(array),
        File::Table(_) => None,
    }
}

/// Compares the values of two files.
fn values(a: &Input<'_>, b: &Input<'_>, options: &Options, first_byte: Option<u64>) -> Result<Values> {
    let reason = |side: &str, reason: &str| {
        Values::incomparable(everybyte::escape(&format!("the values of the {side} file cannot be read: {reason}")))
    };
    let (one, other) = match (open(a, options.limits)?, open(b, options.limits)?) {
        (Opened::File(one, is_cut), Opened::File(other, is_other_cut)) => ((one, is_cut), (other, is_other_cut)),
        (Opened::Nothing(one), Opened::Nothing(other)) if one == other => {
            return Ok(Values::incomparable(everybyte::escape(&format!("the values cannot be read: {one}"))));
        }
        (Opened::Nothing(why), _) => return Ok(reason("first", &why)),
        (_, Opened::Nothing(why)) => return Ok(reason("second", &why)),
    };
    let compared = match ((&*one.0, one.1), (&*other.0, other.1)) {
        ((File::Array(one), is_cut), (File::Array(other), is_other_cut)) => {
            let of = |array, is_cut, input: &Input<'_>| pair::Side { array, is_cut, is_plain: !is_gzip(input.head()) };
            let mut pair = pair::Pair::new(of(one, is_cut, a), of(other, is_other_cut, b), options);
            pair.same_until = first_byte.unwrap_or(0);
            arrays::values(&pair)
        }
        ((File::Table(one), _), (File::Table(other), _)) => {
            let _ = first_byte;
            super::table::tables(one, other, options)
        }
        ((File::Array(_), _), _) => {
            Ok(Values::incomparable("the first file contains an array, the second one a table"))
        }
        ((File::Table(_), _), _) => {
            Ok(Values::incomparable("the first file contains a table, the second one an array"))
        }
    };
    match compared {
        Ok(values) => Ok(values),
        Err(error @ (Error::Io { .. } | Error::Time { .. } | Error::NoColumn { .. })) => Err(error),
        Err(error) => Ok(Values::incomparable(everybyte::escape(&error.to_string()))),
    }
}
