//! Differences as text for people: a report of bounded length.
//!
//! The report goes to terminals and logs, and much of its text comes from the files. Every line is escaped and cut to
//! 2,000 characters, and every list is bounded, so a hostile name can neither control a terminal nor fill a log.

use super::datum::Datum;
use super::report::{Diff, Side};
use super::values::{ColumnChange, ColumnDifference, Difference, Distance, Extreme, Row, RowChange, Rows, Values};
use super::verdict::Verdict;
use everybyte::diff::{Kind, Structure};
use everybyte::escape;
use everybyte::numerals::{counted, grouped, with_groups};
use std::fmt::{self, Display, Formatter};

/// The maximum number of characters on a line; the rest is left out.
const LONGEST_LINE: usize = 2000;

/// The minimum number of sentences about values that are printed, even if fewer differences are requested.
const LEAST_NOTES: usize = 10;

/// The maximum number of characters of a row.
const WIDEST_ROW: usize = 160;

/// The maximum width that values are padded to, so that the text after them is aligned.
const PADDED: usize = 48;

/// Formats a distance with three digits, enough to show its magnitude.
fn rounded(number: f64) -> String {
    match number {
        number if number == 0.0 || !number.is_finite() => number.to_string(),
        number if number.fract() == 0.0 && number < 1e15 => grouped(number as u64),
        number if (1e-4..1e6).contains(&number) => {
            let digits: f64 = format!("{number:.2e}").parse().unwrap_or(number);
            digits.to_string()
        }
        number => {
            let text = format!("{number:.2e}");
            let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
            format!("{}e{exponent}", digits.trim_end_matches('0').trim_end_matches('.'))
        }
    }
}

/// Returns a line, cut to a limited length.
fn cut(line: &str) -> String {
    match line.char_indices().nth(LONGEST_LINE) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}

/// Formats numbers in brackets, such as a shape.
fn list(numbers: &[u64]) -> String {
    format!("[{}]", numbers.iter().map(u64::to_string).collect::<Vec<_>>().join(", "))
}

impl Display for Diff {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.heading(f)?;
        let has_values = self.write_values(f)?;
        let lines: Vec<String> = match &self.structure {
            Some(structure) if !self.is_about_values_alone(structure) => structure.lines(self.asked.all).collect(),
            _ => Vec::new(),
        };
        let has_more = !lines.is_empty() || !self.has_no_news() || !self.members.is_empty();
        if has_more && !has_values {
            writeln!(f)?;
        }
        if !lines.is_empty() {
            writeln!(f, "structure")?;
            lines.iter().try_for_each(|line| writeln!(f, "  {}", cut(line)))?;
        }
        self.write_findings(f)?;
        self.write_members(f)
    }
}

/// Returns the kind of a file for the heading.
fn kind_of(side: &Side) -> String {
    let other = if side.is_archive { "archive" } else { "unknown format" };
    let format: &str = match (side.format, &side.kind) {
        (Some(format), _) => format.title(),
        (None, Some(kind)) => kind,
        (None, None) => other,
    };
    format!("{format}{}", if side.is_gzip { " in gzip" } else { "" })
}

impl Diff {
    /// Returns the line about the files and the line with the verdict.
    fn heading(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let name = |side: &Side, other: &str| match (&side.name, side.exists) {
            (_, false) => "no file".to_owned(),
            (Some(name), _) => cut(&escape(name)),
            (None, _) => other.to_owned(),
        };
        let (a, b) = (name(&self.a, "first"), name(&self.b, "second"));
        let sides: Vec<&Side> = [&self.a, &self.b].into_iter().filter(|side| side.exists).collect();
        let mut formats: Vec<String> = sides.iter().map(|side| kind_of(side)).collect();
        formats.dedup();
        if sides.is_empty() {
            return writeln!(f, "{a} → {b}\n{}", cut(&self.conclusion()));
        }
        let sizes: Vec<String> = sides.iter().map(|side| grouped(side.size)).collect();
        let is_one = sides.iter().all(|side| side.size == 1);
        writeln!(f, "{a} → {b}  {}  {} byte{}", formats.join(" → "), sizes.join(" → "), if is_one { "" } else { "s" })?;
        writeln!(f, "{}", cut(&self.conclusion()))
    }

    /// The verdict as text, with numbers.
    pub fn conclusion(&self) -> String {
        let number = |number: fn(&Values) -> u64| self.values.as_ref().map_or(0, number);
        if !self.members.is_empty() {
            return self.conclusion_of_members();
        }
        let note = || self.values.as_ref().and_then(|values| values.notes.first()).map_or("", String::as_str);
        match self.verdict {
            Verdict::Identical => "identical".into(),
            Verdict::SameValues => "values equal, encoding differs".into(),
            Verdict::SameWithinTolerance => {
                let [within, compared] =
                    [number(|values| values.within), number(|values| values.compared)].map(grouped);
                format!("same within tolerance: {within} of {compared} differ, all within it")
            }
            Verdict::ValuesDiffer => self.values.as_ref().map_or_else(
                || "values differ".into(),
                |values| match (&values.rows, self.first_byte) {
                    (Some(rows), _) => conclusion_of_rows(rows),
                    (None, Some(at)) if self.is_of_bytes() => self.conclusion_of_bytes(at),
                    (None, _) => conclusion_of_values(values),
                },
            ),
            Verdict::Incomplete => format!("values: {}", note()),
            Verdict::Incomparable => match self.first_byte {
                Some(at) => format!("incomparable: {}; the first byte that differs is at {at:#x}", note()),
                None => format!("incomparable: {}", note()),
            },
            Verdict::OneSided => if self.a.exists { "removed" } else { "added" }.into(),
            Verdict::SameItemsOtherShape
            | Verdict::TypeDiffers
            | Verdict::SameStructure
            | Verdict::StructureDiffers => self.verdict.name().into(),
        }
    }

    /// The numbers behind the verdict, or the reason for it, in one line, for lists of files that already show the verdict.
    pub fn in_a_line(&self) -> String {
        let conclusion = self.conclusion();
        let told = conclusion.strip_prefix(self.verdict.name()).and_then(|rest| rest.strip_prefix(": "));
        let mut parts = vec![told.unwrap_or(&conclusion).to_owned()];
        if let Some(values) = &self.values {
            let is_said = matches!(self.verdict, Verdict::Incomplete | Verdict::Incomparable);
            parts.extend(values.notes.first().filter(|_| !is_said).cloned());
            let largest = values.largest.absolute.as_ref();
            parts.extend(largest.map(|largest| format!("largest |Δ| {} at {}", number(largest), place_of(largest))));
        }
        cut(&parts.join("; "))
    }

    /// Returns whether bytes in an unknown format were compared, so there are neither items nor columns.
    fn is_of_bytes(&self) -> bool {
        let is_none = |values: &Values| values.compared == 0 && values.columns.is_empty() && values.rows.is_none();
        self.verdict == Verdict::ValuesDiffer && self.a.format.is_none() && self.values.as_ref().is_some_and(is_none)
    }

    /// Returns the verdict on bytes in an unknown format that differ from an offset on.
    fn conclusion_of_bytes(&self, at: u64) -> String {
        if let Some(texts) = self.values.as_ref().and_then(|values| values.notes.first()) {
            return texts.clone();
        }
        let sizes = match self.a.size == self.b.size {
            true => grouped(self.a.size),
            false => format!("{} → {}", grouped(self.a.size), grouped(self.b.size)),
        };
        format!("{sizes} bytes, which differ from {at:#x} on")
    }

    /// Returns the verdict on two archives.
    fn conclusion_of_members(&self) -> String {
        let count = |is: &dyn Fn(&Diff) -> bool| self.members.iter().filter(|member| is(&member.diff)).count() as u64;
        let added = count(&|diff| diff.verdict == Verdict::OneSided && !diff.a.exists);
        let removed = count(&|diff| diff.verdict == Verdict::OneSided && diff.a.exists);
        let same = count(&|diff| matches!(diff.verdict, Verdict::SameValues | Verdict::SameStructure));
        let renamed = count(&|diff| diff.verdict == Verdict::Identical);
        let other = self.members.len() as u64 - added - removed - same - renamed;
        let counts = [
            (self.equal_members, "identical"),
            (renamed, "renamed"),
            (same, "equal in another encoding"),
            (other, "different"),
            (added, "added"),
            (removed, "removed"),
        ];
        let parts = counts.iter().filter(|(count, _)| *count > 0);
        let parts: Vec<String> = parts.map(|(count, what)| format!("{} {what}", grouped(*count))).collect();
        let verdict =
            if self.verdict == Verdict::SameValues { "values equal, encoding differs" } else { self.verdict.name() };
        format!("{verdict}: members: {}", parts.join(", "))
    }

    /// Writes the differences of the values, after an empty line. Returns whether there are any.
    fn write_values(&self, f: &mut Formatter<'_>) -> Result<bool, fmt::Error> {
        let Some(values) = &self.values else { return Ok(false) };
        let mut lines: Vec<String> = values.columns.iter().filter_map(whole_column).take(self.asked.most).collect();
        if let Some(rows) = &values.rows {
            let row = |sign: char, row: &Row| {
                let line = format!("{sign} row {}: {}", row.row, row.values);
                if line.chars().count() > WIDEST_ROW {
                    format!("{}…", line.chars().take(WIDEST_ROW).collect::<String>())
                } else {
                    line
                }
            };
            lines.extend(rows.deleted.iter().map(|deleted| row('-', deleted)));
            lines.extend(rows.inserted.iter().map(|inserted| row('+', inserted)));
            lines.extend(rows.changed.iter().filter(|row| !row.cells.is_empty()).map(changed_row));
            let total = rows.inserted_count + rows.deleted_count;
            let left = total - (rows.inserted.len() + rows.deleted.len()) as u64;
            lines.extend((left > 0).then(|| format!("… {} more", counted(left, "row"))));
        }
        // The changed rows list their cells themselves.
        let is_in_rows = values.rows.as_ref().is_some_and(|rows| rows.changed.iter().any(|row| !row.cells.is_empty()));
        if !is_in_rows {
            lines.extend(differences(&values.first));
            let left = values.different.saturating_sub(values.first.len() as u64);
            lines.extend((left > 0).then(|| format!("… {} more", counted(left, "difference"))));
        }
        lines.extend(summary(values, !is_in_rows));
        lines.extend(values.whereabouts());
        if !lines.is_empty() {
            writeln!(f)?;
        }
        lines.iter().try_for_each(|line| writeln!(f, "  {}", cut(line)))?;
        // The first sentence of some verdicts is their reason.
        let is_said = matches!(self.verdict, Verdict::Incomplete | Verdict::Incomparable) || self.is_of_bytes();
        let mut notes: Vec<String> = values.notes.iter().skip(usize::from(is_said)).cloned().collect();
        notes.extend(values.columns.iter().filter(|column| column.different > 0).map(|column| {
            let differ = if column.different == 1 { "differs" } else { "differ" };
            format!("column {}: {} {differ}", quoted(&column.name), counted(column.different, "value"))
        }));
        notes.truncate(self.asked.most.max(LEAST_NOTES));
        if !notes.is_empty() {
            if lines.is_empty() {
                writeln!(f)?;
            }
            writeln!(f, "values")?;
            notes.iter().try_for_each(|note| writeln!(f, "  {}", cut(note)))?;
        }
        Ok(!(lines.is_empty() && notes.is_empty()))
    }

    /// Returns whether all differences in the structure follow from values that differ or are missing.
    fn is_about_values_alone(&self, structure: &Structure) -> bool {
        let follows = structure.further == 0 && structure.changes.iter().all(|change| change.kind == Kind::Follows);
        matches!(self.verdict, Verdict::ValuesDiffer | Verdict::Incomplete) && follows && !self.asked.all
    }

    /// Returns whether both files have the same findings.
    fn has_no_news(&self) -> bool {
        self.findings.gone.is_empty() && self.findings.new.is_empty()
    }

    /// Writes the findings that only one of the files has.
    fn write_findings(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.has_no_news() {
            return Ok(());
        }
        writeln!(f, "findings")?;
        for (sign, findings) in [('-', &self.findings.gone), ('+', &self.findings.new)] {
            for finding in findings.iter().take(self.asked.most) {
                let place = if finding.field.is_empty() { String::new() } else { format!(" at {}", finding.field) };
                let member = finding.member.as_ref().map_or_else(String::new, |member| format!(" in {member}"));
                let line = format!(
                    "{} {}{place}{member}: {}",
                    finding.severity,
                    finding.rule.id,
                    with_groups(&finding.message)
                );
                writeln!(f, "  {sign} {}", cut(&escape(&line)))?;
            }
            let left = findings.len().saturating_sub(self.asked.most);
            if left > 0 {
                writeln!(f, "  {sign} … {} more", counted(left as u64, "finding"))?;
            }
        }
        Ok(())
    }

    /// Writes the members that differ, up to the requested number.
    fn write_members(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.members.is_empty() {
            return Ok(());
        }
        writeln!(f, "members")?;
        for member in self.members.iter().take(self.asked.most) {
            if let (Verdict::Identical, Some(before)) = (member.diff.verdict, &member.diff.a.name) {
                writeln!(f, "  {}: renamed, from {}", cut(&escape(&member.name)), cut(&escape(before)))?;
                continue;
            }
            writeln!(f, "  {}: {}", cut(&escape(&member.name)), cut(&member.diff.conclusion()))?;
            let text = member.diff.to_string();
            let rest = text.lines().skip(2).filter(|line| !line.is_empty());
            rest.take(self.asked.most).try_for_each(|line| writeln!(f, "  {}", cut(line)))?;
        }
        let left = self.members.len().saturating_sub(self.asked.most);
        if left > 0 {
            writeln!(f, "  … {} more", counted(left as u64, "member"))?;
        }
        Ok(())
    }
}

/// Returns the verdict on rows that were aligned.
fn conclusion_of_rows(rows: &Rows) -> String {
    let axis = if rows.axis == 0 { String::new() } else { format!(" along axis {}", rows.axis) };
    let [inserted, deleted, changed] = [rows.inserted_count, rows.deleted_count, rows.changed_count].map(grouped);
    let extents = match rows.a == rows.b {
        true => grouped(rows.a),
        false => format!("{} → {}", grouped(rows.a), grouped(rows.b)),
    };
    format!("values differ: rows {extents}{axis}: {inserted} inserted, {deleted} deleted, {changed} changed")
}

/// Returns the verdict on values that differ, or on columns that only one of the files has.
fn conclusion_of_values(values: &Values) -> String {
    let columns = |change: ColumnChange| {
        values.columns.iter().filter(|column| column.change.as_ref() == Some(&change)).count() as u64
    };
    let mut parts = Vec::new();
    if values.different > 0 {
        parts.push(format!("{} of {}", grouped(values.different), grouped(values.compared)));
    }
    for (change, what) in [(ColumnChange::Added, "added"), (ColumnChange::Removed, "removed")] {
        let count = columns(change);
        parts.extend((count > 0).then(|| format!("{} {what}", counted(count, "column"))));
    }
    match parts.is_empty() {
        true => "values differ".into(),
        false => format!("values differ: {}", parts.join(", ")),
    }
}

/// Writes a column that only one of the files has.
fn whole_column(column: &ColumnDifference) -> Option<String> {
    let sign = match column.change {
        Some(ColumnChange::Added) => '+',
        Some(ColumnChange::Removed) => '-',
        _ => return None,
    };
    Some(format!("{sign} column {}", quoted(&column.name)))
}

/// Writes a changed row of a table, with its cells.
fn changed_row(row: &RowChange) -> String {
    let place = if row.a == row.b { row.a.to_string() } else { format!("{} → {}", row.a, row.b) };
    let cells = row.cells.iter().map(|cell| {
        let column = cell.column.as_deref().map_or_else(String::new, |name| format!("{} ", quoted(name)));
        format!("{column}{} → {}", cell.a, cell.b)
    });
    format!("~ row {place}: {}", cells.collect::<Vec<_>>().join(", "))
}

/// Returns a name from a file in quotes, escaped.
fn quoted(name: &str) -> String {
    format!("\"{}\"", escape(name))
}

/// Writes lines of items that differ, with everything after the values aligned.
fn differences(first: &[Difference]) -> Vec<String> {
    let values: Vec<String> = first
        .iter()
        .map(|difference| {
            let column = difference.column.as_deref().map_or_else(String::new, |name| format!(" {}", quoted(name)));
            format!("{}{column}  {} → {}", list(&difference.index), difference.a, difference.b)
        })
        .collect();
    let width = |text: &String| text.chars().count();
    let widest = values.iter().map(width).filter(|&width| width <= PADDED).max().unwrap_or(0);
    let lines = values.iter().zip(first).map(|(value, difference)| {
        let distance =
            difference.distance.filter(|distance| distance.ulp.is_some()).map(|distance| measured(&distance));
        let place = difference.offset.map(|offset| format!("at byte {offset:#x}"));
        let parts: Vec<String> = distance.into_iter().chain(place).collect();
        if parts.is_empty() {
            return value.clone();
        }
        let padding = " ".repeat(widest.saturating_sub(width(value)));
        format!("{value}{padding}   {}", parts.join("   "))
    });
    lines.collect()
}

/// Writes `|Δ| 0.5, 262,144 ulp`, or another description of how close two numbers are.
fn measured(distance: &Distance) -> String {
    let more = match distance.steps() {
        Some(steps) => format!(", {} ulp", grouped(steps)),
        None if distance.relative < 1.0 => format!(", relative {}", rounded(distance.relative)),
        // One of them is zero, or their signs differ.
        None => String::new(),
    };
    match (distance.shown(), distance.ulp) {
        (Datum::F64(0.0), Some(0)) => "sign of zero".into(),
        (Datum::F64(absolute), _) => format!("|Δ| {}{more}", rounded(absolute)),
        (beyond, _) => format!("|Δ| {beyond}{more}"),
    }
}

/// Returns the index of an item; for a table, with the name of its column.
fn place_of(extreme: &Extreme) -> String {
    let column = extreme.column.as_deref().map_or_else(String::new, |name| format!(" {}", quoted(name)));
    format!("{}{column}", list(&extreme.index))
}

/// Returns the distance of an extreme in a short form.
fn number(extreme: &Extreme) -> String {
    match &extreme.difference {
        Datum::Uint(number) => grouped(*number),
        Datum::F64(number) => rounded(*number),
        other => other.to_string(),
    }
}

/// Returns the line about all differences, if it adds anything to the list.
fn summary(values: &Values, is_listed: bool) -> Option<String> {
    let mut parts: Vec<String> = Vec::new();
    let differing = values.different + values.within;
    // The only one that is listed has its relative distance there, unless it has steps.
    let is_said = is_listed && differing == 1 && !values.first.is_empty() && values.largest.steps().is_none();
    if (differing > 1 || values.largest.ulp.is_some()) && !is_said {
        let largest = &values.largest;
        for (name, extreme) in [("|Δ|", &largest.absolute), ("relative", &largest.relative)] {
            let Some(extreme) = extreme.as_ref().filter(|extreme| extreme.difference != Datum::F64(0.0)) else {
                continue;
            };
            let at = if differing > 1 { format!(" at {}", place_of(extreme)) } else { String::new() };
            parts.push(format!("largest {name} {}{at}", number(extreme)));
        }
        if let Some(extreme) = largest.steps().filter(|_| differing > 1) {
            parts.push(format!("largest distance {} ulp at {}", number(extreme), place_of(extreme)));
        }
    }
    let mut sentences = vec![parts.join(", ")];
    let nan = values.nan.a_only + values.nan.b_only;
    let counts = [
        (nan, "NaN on one side only"),
        (values.nan.other_payload, "NaN with different payloads"),
        (values.infinite, "infinities"),
        (if differing > 1 { values.sign_of_zero } else { 0 }, "sign of zero"),
        (if values.different > 0 { values.within } else { 0 }, "within the tolerance"),
    ];
    sentences.extend(
        counts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{what}: {}", grouped(*count))),
    );
    sentences.retain(|sentence| !sentence.is_empty());
    (!sentences.is_empty()).then(|| sentences.join("; "))
}
