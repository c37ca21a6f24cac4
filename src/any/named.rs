//! The content of a file beside its name.

use crate::bytes::input::Input;
use crate::error::{Error, Result};
use crate::findings::finding::Finding;
use crate::findings::general::{MISNAMED, UNKNOWN_FORMAT};
use crate::format::names::{Content, Name};
use crate::format::{Format, detect, is_gzip, is_zip};

/// Bytes that a finding about a name shows.
const SHOWN: usize = 16;

/// The name of an input, if it binds, and the content beside it.
pub(crate) struct Binding {
    name: Name,
    /// The content of a known kind that the name does not stand for, in words.
    other: Option<String>,
    /// False if nothing that ndbytes reads in the file can fit the name: it looks for IDX alone in gzip.
    is_looked_into: bool,
    shown: u64,
}

impl Binding {
    /// The name of an input; `None` if it has none that binds.
    pub fn of(input: &Input<'_>) -> Option<Self> {
        let name = Name::of(input.path()?).filter(Name::binds)?;
        let (head, content) = (input.head(), name.form.content);
        let (format, is_gzip, is_zip) = (detect(head, input.length()), is_gzip(head), is_zip(head));
        let is_idx = content == Content::File(Format::Idx);
        let fits = match content {
            _ if name.is_gzip => is_gzip,
            // IDX is read in gzip, too.
            Content::File(expected) => (is_idx && is_gzip) || (format == Some(expected) && !is_gzip && !is_zip),
            Content::Frame => format == Some(Format::B2nd),
            Content::Archive(_) => is_zip,
        };
        let other = match format {
            _ if fits => None,
            _ if is_gzip => Some("compressed with gzip".to_owned()),
            _ if is_zip => Some("a zip archive".to_owned()),
            format => format.map(|format| format!("that of {}", format.with_article())),
        };
        let is_looked_into = !fits || !name.is_gzip || is_idx;
        Some(Binding { name, other, is_looked_into, shown: head.len().min(SHOWN) as u64 })
    }

    /// The finding about content of another known kind.
    pub fn finding(&self) -> Option<Finding> {
        let message = format!("the name is one of {}, but the content is {}", self.expected(), self.other.as_ref()?);
        let finding = Finding::new(&MISNAMED, "", 0..self.shown, message);
        Some(finding.help("programs that go by the name fail: rename the file, or fetch it again"))
    }

    /// The finding as one about the name, if it is that the content is of no known format.
    pub fn bind(&self, finding: Finding) -> Finding {
        if finding.rule != &UNKNOWN_FORMAT || !self.is_looked_into {
            return finding;
        }
        let message = format!("the name is one of {}, but {}", self.expected(), finding.message);
        Finding { rule: &MISNAMED, message, ..finding }
    }

    /// All findings about a file, with those about its name.
    pub fn bind_all(&self, findings: Vec<Finding>) -> Vec<Finding> {
        let mut bound: Vec<Finding> = findings.into_iter().map(|finding| self.bind(finding)).collect();
        if bound.iter().all(|finding| finding.rule != &MISNAMED) {
            bound.extend(self.finding());
        }
        bound
    }

    /// The content that the name stands for.
    fn expected(&self) -> String {
        match self.name.form.content {
            _ if self.name.is_gzip => "files that are compressed with gzip".to_owned(),
            Content::File(format) => format!("{} files", format.title()),
            Content::Frame => "Blosc2 frames".to_owned(),
            Content::Archive(format) => format!("zip archives of {} files", format.title()),
        }
    }
}

/// Does something with an input, unless its name says that its content is another. An error says so too.
///
/// # Errors
/// [`Error::Invalid`], and those of `read`.
pub(crate) fn with_name<'i, T>(input: Input<'i>, read: impl FnOnce(Input<'i>) -> Result<T>) -> Result<T> {
    let Some(binding) = Binding::of(&input) else { return read(input) };
    if let Some(finding) = binding.finding() {
        return Err(finding.into());
    }
    read(input).map_err(|error| match error {
        Error::Invalid(finding) => binding.bind(*finding).into(),
        error => error,
    })
}
