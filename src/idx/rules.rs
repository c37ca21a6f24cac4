//! The rules of IDX files.

use crate::bytes::input::HEAD;
use crate::findings::declare::rules;
use crate::findings::finding::Finding;
use crate::findings::rule::{Rule, Scope};
use crate::findings::words::bytes;
use crate::format::idx::{begins_like_idx, little_endian_idx, stated_by_name, word_of};
use crate::format::{Format, foreign, transport};
use crate::types::dtype::NUMPY_AXES;
use everybyte::{Endian, Layout, ParseError, Source, error::Problem, read, trace::trace};
use ndbytes_schemas::idx::{ElementType, Idx, payload_length};
use std::ops::Range;
use std::path::Path;

/// The bytes of the length of the first axis.
#[doc(hidden)]
pub const FIRST_DIMENSION: Range<u64> = Idx::DIMS_OFFSET as u64..(Idx::DIMS_OFFSET + size_of::<u32>()) as u64;

const LUSH: &str = "Lush, documentation of its idx files";

rules! {
    ALL of Scope::Format(Format::Idx), since "0.1.0";

    /// The header has 4 bytes, and 4 more per axis. A file that ends earlier contains no array.
    TRUNCATED_HEADER = error "idx/truncated-header", Refuses, LUSH;

    /// The first two bytes must be zero. Otherwise, the file is most likely in another format.
    BAD_PREFIX = error "idx/bad-prefix", Refuses, LUSH;

    /// The third byte must be a defined element type: 08 u8, 09 i8, 0B i16, 0C i32, 0D f32 or 0E f64.
    UNKNOWN_TYPE = error "idx/unknown-type", Refuses, LUSH;

    /// The product of all axis lengths other than zero, times the element size, must fit 63 bits. No file can hold
    /// more, and readers that multiply without overflow checks compute a wrong length.
    SIZE_OVERFLOW = error "idx/size-overflow", Refuses, "NumPy and ndarray, which ask the same of a shape";

    /// The payload must have as many bytes as the header declares. If it is shorter, a download was interrupted, or the
    /// header is wrong.
    TRUNCATED_PAYLOAD = tolerable error "idx/truncated-payload", Refuses, LUSH;

    /// The payload must have exactly as many bytes as the header declares. Extra bytes mean that the header does not
    /// describe the file: an axis is missing, a length is wrong, or text was appended.
    TRAILING_BYTES = tolerable error "idx/trailing-bytes", Refuses, LUSH;

    /// The header must be big-endian. One that begins with `nn tt 00 00` was written in the byte order of a
    /// little-endian machine.
    LITTLE_ENDIAN_HEADER = tolerable error "idx/little-endian-header", Refuses, LUSH;

    /// An array should have at least one axis. A file without axes holds one element: the grammar allows it, but no
    /// description mentions it, and many readers fail.
    SCALAR = warning "idx/scalar", Accepts, "ndbytes";

    /// An array should have at most 64 axes, NumPy's maximum. The format allows 255; Lush itself writes at most four.
    MANY_DIMENSIONS = warning "idx/many-dimensions", Refuses, "NumPy 2";

    /// The content should have the number of axes and the element type that a name such as `x-idx3-ubyte` states. The
    /// usual mistake is a file of labels with the name of images. Programs that trust the name fail, or read something
    /// else.
    NAME_MISMATCH = warning "idx/name-mismatch", Accepts, "the names of MNIST's files";

    /// Images and their labels should have the same length. They are recognised by their names in one directory, such
    /// as `x-images-idx3-ubyte` and `x-labels-idx1-ubyte`. The tool compares them when it checks the images.
    PAIR_LENGTH = warning "idx/pair-length", Accepts, "the names of MNIST's files";

    /// Elements should be big-endian. Some writers use the byte order of the machine, which the file does not record.
    /// Floats then have absurd exponents, and small integers are multiples of 256. ndbytes never swaps on suspicion:
    /// read such files with `--byte-order little`.
    IMPLAUSIBLE_BYTE_ORDER = warning "idx/implausible-byte-order", Accepts,
        "Lush, documentation of its idx files; the QMNIST description";
}

/// Reads and checks the structure. Returns the header if it could be read completely, even if there are findings.
pub(crate) fn judge(source: Source<'_>) -> (Option<Idx>, Vec<Finding>) {
    match read::<Idx>(source, Endian::Big, ()) {
        Ok(header) => {
            let findings = judge_header(&header, source);
            (Some(header), findings)
        }
        Err(error) => (None, vec![unreadable(&error, source)]),
    }
}

fn unreadable(error: &ParseError, source: Source<'_>) -> Finding {
    let head = source.bytes();
    if little_endian_idx(head).is_some() {
        let bytes = 0..Idx::MIN_SIZE;
        return Finding::new(&LITTLE_ENDIAN_HEADER, "", bytes, "the header is little-endian")
            .found("the four bytes of an IDX header in reverse");
    }
    if let Some((what, help)) = foreign::recognise(head) {
        return Finding::new(&crate::findings::general::UNKNOWN_FORMAT, "", 0..0, format!("this is {what}, not IDX"))
            .help(help);
    }
    match &error.problem {
        Problem::UnknownCode { found } if begins_like_idx(head) => {
            let codes: Vec<_> = ElementType::ALL.iter().map(|known| format!("{:02X}", known.code())).collect();
            let code = found.first().copied().unwrap_or_default();
            Finding::unreadable(&UNKNOWN_TYPE, error, format!("0x{code:02X} is not an element type"))
                .expected(format!("one of {}", codes.join(" ")))
                .found(format!("{code:02X}"))
        }
        Problem::UnknownCode { .. } => bad_prefix(source),
        problem => Finding::unreadable(&TRUNCATED_HEADER, error, format!("the file ends inside the header: {problem}")),
    }
}

fn bad_prefix(source: Source<'_>) -> Finding {
    let finding = in_field(&BAD_PREFIX, "zero", source, "the first two bytes are not zero");
    let found = source.bytes().iter().take(finding.length as usize).map(|byte| format!("{byte:02x}"));
    let found = found.collect::<Vec<_>>().join(" ");
    finding.expected("00 00").found(found)
}

/// Returns a finding about a field of the header.
fn in_field(rule: &'static Rule, field: &str, source: Source<'_>, message: impl Into<String>) -> Finding {
    Finding::new(rule, field, 0..0, message).placed_by(&trace::<Idx>(source, Endian::Big, ()).1)
}

fn judge_header(header: &Idx, source: Source<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    if !header.zero.are_zero() {
        findings.push(bad_prefix(source));
    }
    let dims_end = header.payload.offset;
    match header.dims.len() {
        0 => findings.push(in_field(&SCALAR, "ndim", source, "the array has no axes: it is one element")),
        axes if axes > NUMPY_AXES => {
            let message = format!("there are {axes} axes, but NumPy has at most {NUMPY_AXES}");
            findings.push(in_field(&MANY_DIMENSIONS, "ndim", source, message));
        }
        _ => {}
    }
    let nonempty: Vec<u32> = header.dims.iter().copied().filter(|&dim| dim > 0).collect();
    if payload_length(header.element_type, &nonempty) > i64::MAX as u64 - dims_end {
        let message = "the product of the axis lengths exceeds the maximum size of a file";
        let finding = in_field(&SIZE_OVERFLOW, "dims", source, message).found(shape(&header.dims));
        findings.push(finding.helped(explain_mismatch(header, source, source.length() - dims_end)));
        return findings;
    }
    let claimed = header.payload.length;
    let actual = source.length() - dims_end;
    let help = explain_mismatch(header, source, actual);
    let finding = if actual < claimed {
        let message = format!("the payload is missing {}", bytes(claimed - actual));
        let finding = Finding::new(&TRUNCATED_PAYLOAD, "payload", source.length()..source.length(), message);
        match whole_items(header, actual) {
            Some(items) => finding.help(items),
            None => finding,
        }
    } else if actual > claimed {
        let message = format!("the content has {} after the payload", bytes(actual - claimed));
        Finding::new(&TRAILING_BYTES, "", dims_end + claimed..source.length(), message)
    } else {
        return findings;
    };
    let finding = finding.expected(format!("{} of payload", bytes(claimed))).found(bytes(actual));
    findings.push(finding.helped(help));
    findings
}

/// Formats the number of complete items in a payload that is too short.
fn whole_items(header: &Idx, actual: u64) -> Option<String> {
    let (items, rest) = header.dims.split_first()?;
    let whole = actual.checked_div(payload_length(header.element_type, rest)).filter(|&whole| whole > 0)?;
    Some(format!("{whole} of {items} items are whole"))
}

/// Formats axis lengths for users.
pub(crate) fn shape(dims: &[u32]) -> String {
    dims.iter().map(u32::to_string).collect::<Vec<_>>().join(" × ")
}

/// A correction of the header that makes it fit the actual length of the payload.
pub(crate) enum Correction {
    /// The axis lengths are little-endian. Contains the correct lengths.
    Reversed(Vec<u32>),
    /// The header states one axis too few. Contains all axis lengths.
    OneMoreAxis(Vec<u32>),
}

pub(crate) fn correction(header: &Idx, source: Source<'_>, actual: u64) -> Option<Correction> {
    let (element_type, dims) = (header.element_type, &header.dims);
    let reversed: Vec<u32> = dims.iter().map(|dim| dim.swap_bytes()).collect();
    // An empty array would match regardless of its other axis lengths.
    if actual > 0 && !dims.is_empty() && payload_length(element_type, &reversed) == actual {
        return Some(Correction::Reversed(reversed));
    }
    let next = usize::try_from(header.payload.offset).ok().and_then(|at| source.bytes().get(at..)?.first_chunk());
    let next = next.copied().map(u32::from_be_bytes).filter(|&next| next > 0)?;
    let longer = [dims.as_slice(), &[next]].concat();
    let length = payload_length(element_type, &longer);
    let fits = length > 0 && length.checked_add(4) == Some(actual);
    fits.then_some(Correction::OneMoreAxis(longer))
}

/// Describes a correction of the header, or the likely cause of the mismatch.
fn explain_mismatch(header: &Idx, source: Source<'_>, actual: u64) -> Option<String> {
    let (dims, claimed) = (&header.dims, header.payload.length);
    let ndim = dims.len();
    match correction(header, source, actual) {
        Some(Correction::Reversed(dims)) => {
            let dims = shape(&dims);
            return Some(format!(
                "the dimensions are little-endian: as {dims} the file fits exactly; `ndbytes fix` reverses them"
            ));
        }
        Some(Correction::OneMoreAxis(dims)) => {
            return Some(format!(
                "the dimension byte says {ndim}, but {} dimensions are present: as {} the file fits exactly",
                dims.len(),
                shape(&dims)
            ));
        }
        None => {}
    }
    if let Some(fits) = other_type(header, actual) {
        return Some(fits);
    }
    if ndim > 0 && claimed > 0 && actual > claimed && actual.is_multiple_of(claimed) {
        return Some(format!(
            "the payload is exactly {} times as long as the header claims: an axis length, the number of axes or the element type is wrong",
            actual / claimed
        ));
    }
    if dims.first().is_some_and(|&first| u64::from(first) == actual) {
        return Some("the first axis has the length of the payload in bytes, instead of the number of items".into());
    }
    // Only these bytes are used, because every input has them. A file, a stream and a slice then have the same result.
    transport::cause(&source.bytes()[..source.bytes().len().min(HEAD)]).map(str::to_owned)
}

/// Names other element types for which a payload of this length would match the axis lengths.
pub(crate) fn other_type(header: &Idx, actual: u64) -> Option<String> {
    let fits = |other: &ElementType| *other != header.element_type && payload_length(*other, &header.dims) == actual;
    let mut others =
        ElementType::ALL.iter().copied().filter(|other| actual > 0 && !header.dims.is_empty() && fits(other));
    let first = word_of(others.next()?);
    let more = others.next().map_or_else(String::new, |other| format!(", and so it does as {}", word_of(other)));
    Some(format!("as {first} the file fits exactly as {}{more}", shape(&header.dims)))
}

/// Checks some elements and reports them if they are plausible only in the other byte order.
pub(crate) fn judge_byte_order(header: &Idx, sample: &[u8]) -> Option<Finding> {
    let implausible = match header.element_type {
        ElementType::U8 | ElementType::I8 => false,
        ElementType::I16 => {
            let order =
                |word: fn([u8; 2]) -> i16| sample.as_chunks().0.iter().map(move |run| i64::from(word(*run))).collect();
            integers_are_swapped(order(i16::from_be_bytes), order(i16::from_le_bytes), 1 << 8)
        }
        ElementType::I32 => {
            let order =
                |word: fn([u8; 4]) -> i32| sample.as_chunks().0.iter().map(move |run| i64::from(word(*run))).collect();
            integers_are_swapped(order(i32::from_be_bytes), order(i32::from_le_bytes), 1 << 16)
        }
        ElementType::F32 => {
            let order =
                |word: fn([u8; 4]) -> f32| sample.as_chunks().0.iter().map(move |run| f64::from(word(*run))).collect();
            floats_are_swapped(order(f32::from_be_bytes), order(f32::from_le_bytes))
        }
        ElementType::F64 => {
            let order = |word: fn([u8; 8]) -> f64| sample.as_chunks().0.iter().map(move |run| word(*run)).collect();
            floats_are_swapped(order(f64::from_be_bytes), order(f64::from_le_bytes))
        }
    };
    let message = format!("the {} values look little-endian", header.element_type.name());
    implausible.then(|| {
        Finding::new(&IMPLAUSIBLE_BYTE_ORDER, "payload", header.payload.range(), message)
            .help("IDX is read as big-endian; `--byte-order little` overrides it")
    })
}

/// Compares the name of a file with its header.
pub(super) fn judge_name(header: &Idx, path: &Path) -> Option<Finding> {
    let (axes, element_type, word) = stated_by_name(path)?;
    let found = header.dims.len();
    if usize::from(axes) == found && element_type == header.element_type {
        return None;
    }
    let own = word_of(header.element_type);
    let stated = if axes == 1 { "1 axis".to_owned() } else { format!("{axes} axes") };
    let message = format!("the name states {stated} of {word}, but the content has {found} of {own}");
    let finding = Finding::new(&NAME_MISMATCH, "", Idx::TYPE_OFFSET as u64..Idx::NDIM_OFFSET as u64 + 1, message);
    Some(finding.expected(format!("idx{axes}-{word}")).found(format!("idx{found}-{own}")))
}

/// The minimum number of values needed for a verdict.
const LEAST_VALUES: usize = 4;

fn integers_are_swapped(stored: Vec<i64>, swapped: Vec<i64>, unit: i64) -> bool {
    let small = |value: &i64| (-unit / 2..unit / 2).contains(value);
    let telling: Vec<_> = stored.iter().zip(&swapped).filter(|(stored, swapped)| stored != swapped).collect();
    telling.len() >= LEAST_VALUES && swapped.iter().all(small) && !telling.iter().any(|(stored, _)| small(stored))
}

fn floats_are_swapped(stored: Vec<f64>, swapped: Vec<f64>) -> bool {
    let absurd = |values: &[f64]| {
        let is_absurd = |value: &&f64| **value != 0.0 && !(1e-30..1e30).contains(&value.abs());
        values.iter().filter(is_absurd).count()
    };
    let telling = stored.iter().filter(|&&value| value != 0.0).count();
    telling >= LEAST_VALUES && absurd(&stored) * 2 > telling && absurd(&swapped) * 20 < telling
}
