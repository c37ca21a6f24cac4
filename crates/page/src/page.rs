//! A page that is being built.

use crate::content::{content, marks};
use crate::facts::facts;
use crate::findings::cards;
use crate::pictures::pictures;
use everybyte::page::{Content, FilePage};
use ndbytes::{ByteMap, Error, Finding, Input, Limits, Report};
use std::cell::OnceCell;

/// The name of the program that created a page, as stated on the page.
pub const MAKER: &str = "ndbytes";

/// Returns whether a file that begins with `head` is such a page.
pub fn is_page(head: &[u8]) -> bool {
    everybyte::page::is_page(head, MAKER)
}

/// Returns the page that explains a file. `title` is its name; the bytes of the file are read from `input`.
///
/// It reads the data for pictures within the default [`Limits`]. To set others, use [`Page`].
pub fn page(map: &ByteMap, report: &Report, title: &str, input: &Input<'_>) -> String {
    Page::new(map, report, input).title(title).to_html()
}

/// A page that explains a file, with its options.
#[derive(Clone, Copy)]
pub struct Page<'p> {
    map: &'p ByteMap,
    report: &'p Report,
    input: &'p Input<'p>,
    title: &'p str,
    pictures: Option<Limits>,
    advice: &'p dyn Fn(&Finding) -> Option<String>,
}

impl<'p> Page<'p> {
    /// Creates a page for a file that was [explained](ndbytes::Checker::explain).
    pub fn new(map: &'p ByteMap, report: &'p Report, input: &'p Input<'p>) -> Self {
        let advice = &|finding: &Finding| finding.help.clone();
        Page { map, report, input, title: "file", pictures: Some(Limits::default()), advice }
    }

    /// Sets the name of the file.
    #[must_use]
    pub fn title(self, title: &'p str) -> Self {
        Page { title, ..self }
    }

    /// Reads the data for pictures within these limits, minus the memory of the map.
    #[must_use]
    pub fn pictures(self, limits: Limits) -> Self {
        Page { pictures: Some(limits), ..self }
    }

    /// Leaves out the pictures, so no data is decoded.
    #[must_use]
    pub fn without_pictures(self) -> Self {
        Page { pictures: None, ..self }
    }

    /// Sets the function that returns the advice on each finding.
    #[must_use]
    pub fn advice(self, advice: &'p dyn Fn(&Finding) -> Option<String>) -> Self {
        Page { advice, ..self }
    }

    /// Returns the page: at most 2 MiB of HTML. Bytes that can no longer be read are left out.
    pub fn to_html(self) -> String {
        self.made(&OnceCell::new())
    }

    /// Returns the same page as [`to_html`](Page::to_html), if all of its bytes can be read.
    ///
    /// # Errors
    /// The first error while reading the file.
    pub fn try_to_html(self) -> ndbytes::Result<String> {
        let failed = OnceCell::new();
        let page = self.made(&failed);
        failed.into_inner().map_or(Ok(page), Err)
    }

    fn made(self, failed: &OnceCell<Error>) -> String {
        let read = content(self.input, failed);
        FilePage {
            maker: MAKER,
            title: self.title,
            facts: facts(self.map, self.report),
            findings: cards(self.report.findings(), self.report.format, self.advice),
            all_findings: self.report.findings().len(),
            pictures: self.pictures.map(|limits| pictures(self.map, self.report, self.input, limits)),
            spaces: &self.map.spaces,
            marks: &marks(self.report),
            content: Content { length: self.input.length(), read: &read },
        }
        .to_html()
    }
}
