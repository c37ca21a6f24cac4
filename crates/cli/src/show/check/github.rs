//! The output of `check` as GitHub workflow commands, which become annotations of files.

use crate::show::check::from_here::from_here;
use crate::show::check::place::byte;
use crate::show::check::totals::Totals;
use crate::show::check::{Checked, Output};
use crate::show::finding_text::help_after;
use crate::show::printer::Printer;
use crate::show::text::{LONGEST, Shown, cut, readable};
use ndbytes::{Limits, Severity};
use std::fmt::Write;
use std::io;
use std::path::Path;

/// The maximum number of annotations to print. GitHub only shows ten of each kind.
const MOST: u64 = 1000;

/// Annotations, the worst ones first.
pub struct Github {
    most: usize,
    /// Paths that cannot be read, errors, and warnings, in this order.
    annotations: [Vec<Annotation>; 3],
    left_out: u64,
}

/// An annotation of a file.
struct Annotation {
    severity: Severity,
    file: String,
    title: String,
    message: String,
}

impl Github {
    /// Creates an output that shows at most this number of findings.
    pub fn new(most: Option<u64>) -> Self {
        Github { most: most.unwrap_or(MOST) as usize, annotations: Default::default(), left_out: 0 }
    }

    /// Keeps an annotation, or only counts it if there are already enough of its severity.
    fn add(&mut self, weight: usize, annotation: Annotation) {
        match self.annotations[weight].len() < self.most {
            true => self.annotations[weight].push(annotation),
            false => self.left_out += 1,
        }
    }

    /// Returns the annotations that are shown.
    fn shown(&self) -> impl Iterator<Item = &Annotation> {
        self.annotations.iter().flatten().take(self.most)
    }
}

impl Output for Github {
    fn has_sum(&self) -> bool {
        true
    }

    fn part(&mut self, checked: &Checked<'_>, _: Limits, _: &mut Printer<'_>) -> io::Result<()> {
        for seen in checked.findings {
            let finding = seen.finding;
            let mut message = readable(&finding.message);
            let key = checked.places.key(finding);
            if !key.is_empty() {
                let _ = write!(message, " at {}", cut(&key, LONGEST));
            }
            if let Some(place) = byte(finding) {
                let _ = write!(message, ", {place}");
            }
            if let Some(member) = checked.part.member {
                let _ = write!(message, " (in {})", cut(member, LONGEST));
            }
            message += &help_after(finding);
            let weight = if finding.severity == Severity::Error { 1 } else { 2 };
            let (file, title) = (from_here(checked.file), finding.rule.id.to_owned());
            self.add(weight, Annotation { severity: finding.severity, file, title, message });
        }
        Ok(())
    }

    fn unreadable(&mut self, path: Option<&Path>, reason: &str, _: &mut Printer<'_>) -> io::Result<()> {
        let (file, title) = (path.map(from_here).unwrap_or_default(), "unreadable".to_owned());
        self.add(0, Annotation { severity: Severity::Error, file, title, message: cut(reason, LONGEST) });
        Ok(())
    }

    fn end(&mut self, totals: &Totals, out: &mut Printer<'_>) -> io::Result<()> {
        for annotation in self.shown() {
            let Annotation { severity, file, title, message } = annotation;
            let (file, title) = (property(file), property(title));
            let command = match severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
                Severity::Unforeseen => "notice",
            };
            writeln!(out, "::{command} file={file},title={title}::{}", data(message))?;
        }
        totals.print(out)
    }

    fn step_summary(&self, totals: &Totals, room: usize) -> Option<String> {
        let mut text = format!("### ndbytes check\n\n{}\n", cell(&totals.line(|_, text| text)));
        if self.shown().next().is_none() {
            return Some(text);
        }
        let table = "\n| | rule | file | finding |\n|---|---|---|---|\n";
        text += table;
        let mut left = self.left_out + self.annotations.iter().flatten().count() as u64 - self.shown().count() as u64;
        for annotation in self.shown() {
            let Annotation { severity, file, title, message } = annotation;
            let row = format!("| {severity} | {} | {} | {} |\n", cell(title), cell(file), cell(message));
            if text.len() + row.len() + LAST_LINE > room {
                left += 1;
                continue;
            }
            text += &row;
        }
        if left > 0 {
            let _ = writeln!(text, "\n{left} more are not shown.");
        }
        (text.len() <= room).then_some(text)
    }
}

/// The room to reserve for the line with the number of omitted rows.
const LAST_LINE: usize = 64;

/// Returns text as the message of a command. Invisible characters are escaped.
fn data(text: &str) -> String {
    Shown(text).to_string().replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Returns text as the property of a command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

/// Returns text as code in a cell of a Markdown table. Nothing in it is Markdown, HTML, a link or a mention.
fn cell(text: &str) -> String {
    if text.is_empty() {
        return String::new();
    }
    let mut cell = String::from("<code>");
    for letter in Shown(text).to_string().chars() {
        match letter {
            letter if letter.is_alphanumeric() || letter == ' ' => cell.push(letter),
            letter => {
                let _ = write!(cell, "&#{};", u32::from(letter));
            }
        }
    }
    cell + "</code>"
}
