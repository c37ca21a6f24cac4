//! Compares the content of a file with what its name promises.

use super::drivers::opened;
use crate::bytes::input::Input;
use crate::error::{Error, Result};
use crate::findings::finding::Finding;
use crate::findings::general::{MISNAMED, UNKNOWN_FORMAT};
use crate::findings::rule::Reference;
use crate::format::names::{Content, Name};
use crate::format::{Format, detect, is_gzip, is_zip};
use crate::gzip::rules::NAME_MISMATCH;
use crate::options::Settings;

/// The number of bytes that a finding about a name shows.
const SHOWN: usize = 16;

/// The reserved name of an input, and its content.
pub(crate) struct Binding {
    name: Name,
    /// A description of content of a known kind that contradicts the name.
    other: Option<String>,
    /// True if the content was decompressed and the name is that of the gzip file.
    is_unpacked: bool,
    shown: u64,
}

impl Binding {
    /// The reserved name of an input; `None` if its name is not reserved.
    pub fn of(input: &Input<'_>) -> Option<Self> {
        // The name of a tensor says nothing about its bytes.
        let path = input.path().filter(|_| input.declared().is_none())?;
        let name = Name::of(path).filter(Name::binds)?;
        let (head, content) = (input.head(), name.content);
        let (format, is_gzip, is_zip) = (detect(head, input.length()), is_gzip(head), is_zip(head));
        let is_unpacked = input.is_unpacked();
        let fits = match content {
            _ if name.is_gzip && !is_unpacked => is_gzip,
            Content::File(expected) if expected.is_often_gzipped() && is_gzip && !is_unpacked => true,
            Content::File(expected) => format == Some(expected) && !is_gzip && !is_zip,
            Content::Frame => format == Some(Format::B2nd),
            Content::Archive(_) => is_zip,
        };
        let other = match format {
            _ if fits => None,
            _ if is_gzip => Some("compressed with gzip".to_owned()),
            _ if is_zip => Some("a zip archive".to_owned()),
            format => format.map(|format| format!("that of {}", format.with_article())),
        };
        Some(Binding { name, other, is_unpacked, shown: head.len().min(SHOWN) as u64 })
    }

    /// The finding for content of another known kind.
    pub fn finding(&self) -> Option<Finding> {
        let message = format!("the name is one of {}, but the content is {}", self.expected(), self.other.as_ref()?);
        let finding = Finding::new(&MISNAMED, "", 0..self.shown, message);
        Some(finding.help("programs that trust the name fail: rename the file, or download it again"))
    }

    /// Turns a finding about an unknown format into one about the name.
    pub fn bind(&self, finding: Finding) -> Finding {
        if finding.rule != &UNKNOWN_FORMAT {
            return finding;
        }
        let message = format!("the name is one of {}, but {}", self.expected(), finding.message);
        // python-blosc2 goes by the name: it does not look at the magic of a frame.
        let reference = match self.name.content {
            Content::Frame | Content::File(Format::B2nd) | Content::Archive(Format::B2nd) => Reference::Unforeseen,
            Content::File(_) | Content::Archive(_) => finding.reference,
        };
        Finding { rule: &MISNAMED, message, reference, ..finding }
    }

    /// All findings about a file, including those about its name.
    pub fn bind_all(&self, findings: Vec<Finding>) -> Vec<Finding> {
        let mut bound: Vec<Finding> = findings.into_iter().map(|finding| self.bind(finding)).collect();
        if bound.iter().all(|finding| finding.rule != &MISNAMED) {
            bound.extend(self.finding());
        }
        bound
    }

    /// The content that the name promises.
    fn expected(&self) -> String {
        match self.name.content {
            _ if self.name.is_gzip && !self.is_unpacked => "files that are compressed with gzip".to_owned(),
            Content::File(format) => format!("{} files", format.title()),
            Content::Frame => "Blosc2 frames".to_owned(),
            Content::Archive(format) => format!("zip archives of {} files", format.title()),
        }
    }
}

/// Returns the finding about a file of a known kind that is not compressed, though its name ends with `.gz`.
pub(crate) fn not_compressed(input: &Input<'_>) -> Option<Finding> {
    let path = input.path().filter(|path| Name::of(path).is_none() && Name::is_of_gzip(path))?;
    let head = input.head();
    if is_gzip(head) || input.is_unpacked() || path.is_dir() {
        return None;
    }
    let content = match detect(head, input.length()) {
        Some(format) => format.with_article(),
        None if is_zip(head) => "a zip archive".to_owned(),
        None => return None,
    };
    let message = format!("the name ends with .gz, but the content is {content}, which is not compressed with gzip");
    Some(Finding::new(&NAME_MISMATCH, "", 0..head.len().min(SHOWN) as u64, message))
}

/// Processes an input, unless its name implies different content, which is an error even if processing would also fail.
///
/// # Errors
/// [`Error::Invalid`]; any error from `read`.
pub(crate) fn with_name<'i, T>(
    input: Input<'i>,
    settings: &Settings,
    read: impl FnOnce(Input<'i>) -> Result<T>,
) -> Result<T> {
    match is_gzip(input.head()) {
        true => bound(bound(input, |input| opened(input, settings))?, read),
        false => bound(input, read),
    }
}

/// The same, but for an input that is not decompressed first.
pub(super) fn bound<'i, T>(input: Input<'i>, read: impl FnOnce(Input<'i>) -> Result<T>) -> Result<T> {
    let (binding, is_unpacked) = (Binding::of(&input), input.is_unpacked());
    let placed = |finding: Finding| if is_unpacked { finding.inside_gzip() } else { finding };
    if let Some(finding) = binding.as_ref().and_then(Binding::finding) {
        return Err(placed(finding).into());
    }
    read(input).map_err(|error| match (error, binding) {
        (Error::Invalid(finding), Some(binding)) => placed(binding.bind(*finding)).into(),
        (Error::Invalid(finding), None) => placed(*finding).into(),
        (error, _) => error,
    })
}
