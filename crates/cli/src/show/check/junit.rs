//! The output of `check` as JUnit XML, with a test for each file and a suite for each directory.
//!
//! A suite begins with its counts, which are known only at its end. So up to a thousand test cases of a directory are
//! kept until the suite is complete.

use crate::show::check::from_here::from_here;
use crate::show::check::place::byte;
use crate::show::check::totals::Totals;
use crate::show::check::{Checked, Output};
use crate::show::finding_text::help_after;
use crate::show::printer::Printer;
use crate::show::text::{Shown, readable};
use ndbytes::{Limits, Severity};
use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::Path;

/// The maximum number of tests in a suite. Larger directories have several suites. Each is kept until it is complete,
/// since it begins with its counts.
const LONGEST: u64 = 1000;

/// Suites that are printed one by one.
#[derive(Default)]
pub struct Junit {
    is_begun: bool,
    suite: Suite,
}

/// The suite of a directory.
#[derive(Default)]
struct Suite {
    folder: String,
    tests: u64,
    failures: u64,
    errors: u64,
    cases: String,
}

impl Junit {
    /// Adds a test to the suite of its directory.
    fn add(&mut self, path: &str, to: &mut dyn Write, case: impl FnOnce(&mut Suite)) -> io::Result<()> {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        if self.suite.tests == LONGEST || self.suite.folder != folder {
            self.end_suite(to)?;
            self.suite.folder = folder.to_owned();
        }
        let suite = &mut self.suite;
        suite.tests += 1;
        let folder = if folder.is_empty() { "." } else { folder };
        let _ = write!(suite.cases, "    <testcase classname=\"{}\" name=\"{}\"", xml(folder), xml(name));
        let begun = suite.cases.len();
        case(suite);
        if suite.cases.len() == begun {
            suite.cases += "/>\n";
        } else {
            suite.cases += "    </testcase>\n";
        }
        Ok(())
    }

    /// Writes the suite of a directory, preceded by the head of the document.
    fn end_suite(&mut self, to: &mut dyn Write) -> io::Result<()> {
        if !std::mem::replace(&mut self.is_begun, true) {
            to.write_all(b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"ndbytes check\">\n")?;
        }
        let Suite { folder, tests, failures, errors, cases } = std::mem::take(&mut self.suite);
        if tests == 0 {
            return Ok(());
        }
        let name = if folder.is_empty() { ".".to_owned() } else { xml(&folder) };
        writeln!(to, "  <testsuite name=\"{name}\" tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\">")?;
        to.write_all(cases.as_bytes())?;
        to.write_all(b"  </testsuite>\n")
    }
}

impl Output for Junit {
    fn part(&mut self, checked: &Checked<'_>, _: Limits, out: &mut Printer<'_>) -> io::Result<()> {
        self.add(&from_here(checked.address), out.machine(), |suite| {
            if checked.findings.is_empty() {
                return;
            }
            suite.cases += ">\n";
            // A test with only warnings has passed; they become its output.
            let is_failed = checked.findings.iter().any(|seen| seen.finding.severity == Severity::Error);
            suite.failures += u64::from(is_failed);
            for seen in checked.findings {
                let finding = seen.finding;
                let place = [Some(checked.places.key(finding)).filter(|key| !key.is_empty()), byte(finding)];
                let place = place.into_iter().flatten().collect::<Vec<_>>().join(", ");
                let (message, help) = (readable(&finding.message), help_after(finding));
                let text = format!("{}[{}]: {message} ({place}){help}", finding.severity, finding.rule.id);
                let _ = match finding.severity {
                    Severity::Error => writeln!(
                        suite.cases,
                        "      <failure type=\"{}\" message=\"{}\">{}</failure>",
                        xml(finding.rule.id),
                        xml(&message),
                        xml(&text),
                    ),
                    Severity::Warning | Severity::Unforeseen => {
                        writeln!(suite.cases, "      <system-out>{}</system-out>", xml(&text))
                    }
                };
            }
        })
    }

    fn unreadable(&mut self, path: Option<&Path>, reason: &str, out: &mut Printer<'_>) -> io::Result<()> {
        let path = path.map_or_else(|| "unreadable".to_owned(), from_here);
        self.add(&path, out.machine(), |suite| {
            suite.errors += 1;
            let reason = xml(reason);
            let _ = writeln!(suite.cases, ">\n      <error type=\"unreadable\" message=\"{reason}\"/>");
        })
    }

    fn end(&mut self, _: &Totals, out: &mut Printer<'_>) -> io::Result<()> {
        self.end_suite(out.machine())?;
        out.machine().write_all(b"</testsuites>\n")
    }
}

/// Returns text for XML. Invisible characters are escaped, since XML does not allow most of them.
fn xml(text: &str) -> String {
    let shown = Shown(text).to_string();
    shown.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
