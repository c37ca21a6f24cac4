//! Compares two directories by comparing pairs of files with the same relative path, in order.

use super::arguments::{Arguments, Pair};
use super::picture::picture;
use crate::commands::check::walk::Unknown;
use crate::commands::page;
use crate::context::{Context, Outcome};
use crate::contract::Contract;
use crate::report::{refuse, written};
use crate::show::json;
use crate::show::progress::Progress;
use crate::show::style::{ERROR, OK, WARNING, counted, grouped};
use crate::show::text::{self, Shown};
use crate::values::folder::is_walked;
use ndbytes::{Error, Input};
use ndbytes_compare::diff::Diff;
use ndbytes_compare::folders::{self, Compared, Comparer, Pairs, Row, Totals};
use ndbytes_page::Folders;
use ndbytes_pictures::{Drawing, PictureBudget};
use std::fs;
use std::io;
use std::path::Path;

/// The width to which outcomes are padded.
const PADDED: usize = 22;

/// Returns whether both paths are directories to search. Two stores are compared as archives.
pub fn are_meant(pair: &Pair<'_>) -> bool {
    let paths = [pair.a, pair.b];
    pair.names.is_none() && paths.into_iter().all(is_walked)
}

/// Returns the directory, if exactly one of two paths is a directory.
pub fn alone<'p>(pair: &Pair<'p>) -> Option<&'p Path> {
    match (is_walked(pair.a), is_walked(pair.b)) {
        (true, false) => Some(pair.a),
        (false, true) => Some(pair.b),
        _ => None,
    }
}

/// Compares two directories pair by pair, in the order of their paths.
pub fn run(
    pair: &Pair<'_>,
    arguments: &Arguments,
    contract: Option<&Contract>,
    context: &mut Context<'_>,
) -> io::Result<Outcome> {
    if arguments.picture.is_some() {
        context.complain("`--picture` draws two arrays; `--html` has pictures of all files that differ")?;
        return Ok(Outcome::Unreadable);
    }
    let walking = match arguments.walking.options(context.limits) {
        Ok(options) => options,
        Err(problem) => {
            context.complain(&problem)?;
            return Ok(Outcome::Unreadable);
        }
    };
    let exact = Comparer::new(arguments.options(context)).unknown(arguments.walking.unknown != Unknown::Error);
    let progress = &context.progress();
    let mut pairs = Pairs::new(pair.a, pair.b, &walking);
    let mut run = Run {
        names: [pair.a, pair.b].map(text::path),
        arguments,
        totals: Totals::default(),
        page: arguments.html.as_ref().map(|_| Folders::new(&pair.a.to_string_lossy(), &pair.b.to_string_lossy())),
        outcome: Outcome::Clean,
    };
    run.begin(pair, context)?;
    let mut ended = Ok(());
    for found in pairs.by_ref() {
        let length = if progress.is_visible() { length(&found) } else { 0 };
        progress.expect(length);
        let _at_hand = progress.begin(&found.path, length);
        let paths: Vec<&Path> = [&found.b, &found.a].into_iter().flatten().map(|path| &**path).collect();
        let agreed = arguments.agreed(contract, &paths).map(|agreed| agreed.tolerance);
        let comparer = agreed.map(|tolerance| exact.with(|options| options.tolerance(tolerance)));
        match comparer.as_ref().unwrap_or(&exact).compare(&found) {
            Ok(compared) => progress.aside(|| run.take(&found, &compared, context))?,
            Err(error) => {
                ended = Err((error, found.b.or(found.a).unwrap_or_default()));
                break;
            }
        }
    }
    run.end(&pairs, progress, context)?;
    match ended {
        Ok(()) => run.finish(pair, context),
        Err((error, path)) => refuse(&error, &path, context).map(|_| Outcome::Unreadable),
    }
}

/// Returns the number of bytes in both files, for the progress bar. A file that is missing or cannot be examined counts
/// as 0.
fn length(pair: &folders::Pair) -> u64 {
    let files = [&pair.a, &pair.b].into_iter().flatten();
    files.filter_map(|path| Some(fs::metadata(path).ok()?.len())).sum()
}

/// A comparison of two directories in progress.
struct Run<'r> {
    names: [String; 2],
    arguments: &'r Arguments,
    totals: Totals,
    page: Option<Folders>,
    outcome: Outcome,
}

impl Run<'_> {
    /// Begins the JSON object. The files follow one by one.
    fn begin(&self, pair: &Pair<'_>, context: &mut Context<'_>) -> io::Result<()> {
        if !self.arguments.json {
            return Ok(());
        }
        let out = context.out.machine();
        for (key, path) in [("{\"a\":", pair.a), (",\"b\":", pair.b)] {
            out.write_all(key.as_bytes())?;
            json::value(out, &path.to_string_lossy())?;
        }
        out.write_all(b",\"files\":[")
    }

    /// Counts a compared pair and prints it.
    fn take(&mut self, pair: &folders::Pair, compared: &Compared, context: &mut Context<'_>) -> io::Result<()> {
        let row = &compared.row;
        if !row.known && self.arguments.walking.unknown == Unknown::Skip {
            return Ok(());
        }
        let is_denied = compared.diff.as_ref().is_some_and(|found| self.arguments.is_denied(found));
        self.outcome = self.outcome.max(match row.unreadable {
            true => Outcome::Unreadable,
            false => self.arguments.outcome(!row.equal || is_denied),
        });
        let is_first = self.totals.files() == 0;
        self.totals.add(row);
        if self.arguments.json {
            let out = context.out.machine();
            out.write_all(if is_first { b"" } else { b"," })?;
            json::value(out, row)?;
        }
        let Some(page) = &mut self.page else {
            return if self.arguments.json { Ok(()) } else { self.print(row, context) };
        };
        page.push(compared, |found| drawn(pair, found, context));
        Ok(())
    }

    /// Prints the line of a pair, coloured by its verdict.
    fn print(&self, row: &Row, context: &mut Context<'_>) -> io::Result<()> {
        let style = match (row.unreadable, row.equal) {
            (true, _) => ERROR,
            (_, true) => OK,
            (_, false) => WARNING,
        };
        let outcome = row.outcome.in_words(&self.names[0], &self.names[1]);
        let path = if row.path.is_empty() { "." } else { &row.path };
        let detail = if row.detail.is_empty() { String::new() } else { format!(": {}", text::readable(&row.detail)) };
        writeln!(context.out, "{style}{outcome:PADDED$}{style:#} {}{detail}", Shown(path))
    }

    /// Ends the list of files.
    fn end(&self, pairs: &Pairs, progress: &Progress, context: &mut Context<'_>) -> io::Result<()> {
        progress.all_found();
        if self.arguments.json {
            let out = context.out.machine();
            out.write_all(b"],\"totals\":")?;
            json::value(out, &self.totals)?;
            out.write_all(b"}\n")?;
        } else if self.page.is_none() {
            let [a, b] = &self.names;
            let counts = self.totals.counts().filter(|(_, count)| *count > 0);
            let counts = counts.map(|(outcome, count)| format!("{}: {}", outcome.in_words(a, b), grouped(count)));
            let counts: Vec<String> = counts.collect();
            let list = if counts.is_empty() { String::new() } else { format!(". {}", counts.join(", ")) };
            writeln!(context.out, "{}{list}", counted(self.totals.files(), "file"))?;
            if self.totals.unknown > 0 {
                let unknown = counted(self.totals.unknown, "file");
                writeln!(context.out, "{unknown} of no known format: compared by bytes")?;
            }
        }
        for (name, passed) in self.names.iter().zip(pairs.passed()).filter(|(_, passed)| !passed.is_empty()) {
            context.note_passed(&format!("in {name}: {passed}"))?;
        }
        Ok(())
    }

    /// Saves the page and returns the overall outcome.
    fn finish(self, pair: &Pair<'_>, context: &mut Context<'_>) -> io::Result<Outcome> {
        if let (Some(page), Some(out)) = (&self.page, &self.arguments.html) {
            let html = page.to_html(&self.totals);
            let saved = written(page::save(&html, out, context), pair.b, context)?;
            return Ok(saved.max(self.outcome));
        }
        Ok(self.outcome)
    }
}

/// Returns the picture of a pair, if it can be drawn. A page without a picture is good enough.
fn drawn(pair: &folders::Pair, found: &Diff, context: &Context<'_>) -> Option<Drawing> {
    let (a, b) = (pair.a.as_deref()?, pair.b.as_deref()?);
    // Equal values have no picture.
    found.values.as_ref().filter(|values| values.different + values.within > 0)?;
    let open = |path: &Path| -> Result<Input<'static>, Error> { Input::open(path, context.limits) };
    let files = [open(a).ok()?, open(b).ok()?];
    picture(found, [a, b], [Some(&files[0]), Some(&files[1])], PictureBudget::PAGE_DIFFERENCE, context.limits).ok()
}
