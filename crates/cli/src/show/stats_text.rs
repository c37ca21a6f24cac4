//! The output of `stats`, for people.

use crate::show::clock;
use crate::show::printer::Printer;
use crate::show::style::{FAINT, HEADING, counted, grouped};
use crate::show::text::{cut, named, width};
use ndbytes::idv::ItemType;
use ndbytes_compare::stats::{Histogram, MOST_DISTINCT, Real, Statistics};
use std::io;

/// The characters of a histogram, from few to many.
const LEVELS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// The maximum number of ranges of a histogram on its own, and in a list.
const ALONE: usize = 64;
const IN_LIST: usize = 16;

/// The width of output without a terminal.
const WIDTH: usize = 120;

/// The maximum width of a series' name.
const WIDEST_NAME: usize = 40;

/// The width of row labels.
const LABEL: usize = 12;

/// Statistics with their labels.
pub struct Line {
    /// The name of a column or a field.
    pub name: String,
    pub type_name: String,
    /// The type of a column's items, which determines how extremes are shown.
    pub item: Option<ItemType>,
    pub statistics: Statistics,
}

impl Line {
    /// Returns a number of the series as text, or a time as a time.
    fn real(&self, real: Option<Real>) -> String {
        let Some(real) = real else { return String::new() };
        let ticks = |number: i128| i64::try_from(number).ok();
        match (self.item, real) {
            (Some(ItemType::Key(_)), _) => String::new(),
            (Some(ItemType::TimeSpan), Real::Int(number)) => ticks(number).map(clock::time_span).unwrap_or_default(),
            (Some(ItemType::DateTime | ItemType::DateTimeOffset), Real::Int(number)) => {
                ticks(number).and_then(clock::date_time).unwrap_or_else(|| number.to_string())
            }
            (_, real) => real.to_string(),
        }
    }

    /// Returns the minimum and maximum as text; for texts, the minimum and maximum length.
    fn extremes(&self) -> [String; 2] {
        match self.statistics.lengths {
            Some((shortest, longest)) => [shortest, longest].map(|characters| counted(characters, "character")),
            None => [self.statistics.min, self.statistics.max].map(|real| self.real(real)),
        }
    }
}

/// Returns a number with at most six significant digits.
pub fn short(number: f64) -> String {
    if number == 0.0 {
        return "0".into();
    }
    if number.is_infinite() {
        return number.to_string();
    }
    let power = number.abs().log10().floor();
    if !(-4.0..9.0).contains(&power) {
        let text = format!("{number:.5e}");
        let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        return format!("{}e{exponent}", digits.trim_end_matches('0').trim_end_matches('.'));
    }
    let digits = (5.0 - power).max(0.0) as usize;
    let text = format!("{number:.digits$}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

/// Like `short`, but for a number of any width.
fn short_real(number: Real) -> String {
    number.near_f64().map_or_else(|| number.to_string(), short)
}

/// Returns a histogram as a line of characters. A range with values is never blank.
pub fn bars(counts: &[u64]) -> String {
    let most = counts.iter().copied().max().unwrap_or(0).max(1);
    let letter = |&count: &u64| match count {
        0 => ' ',
        count => LEVELS[(u128::from(count) * 8).div_ceil(u128::from(most)) as usize - 1],
    };
    counts.iter().map(letter).collect()
}

/// Formats an integer with its digits in groups.
fn signed(number: i128) -> String {
    format!("{}{}", if number < 0 { "-" } else { "" }, grouped(number.unsigned_abs()))
}

fn distinct(statistics: &Statistics) -> String {
    statistics.distinct.map_or_else(|| format!("> {}", grouped(MOST_DISTINCT)), grouped)
}

/// Prints the statistics of one series, one per line.
pub fn print_alone(line: &Line, terminal: Option<usize>, out: &mut Printer<'_>) -> io::Result<()> {
    let statistics = &line.statistics;
    let mut row = |name: &str, value: String| match value.is_empty() {
        true => Ok(()),
        false => writeln!(out, "  {FAINT}{name:<LABEL$}{FAINT:#}{value}"),
    };
    let nonzero = |count: u64| if count == 0 { String::new() } else { grouped(count) };
    let [least, greatest] = line.extremes();
    row("values", grouped(statistics.values))?;
    row("min", least)?;
    row("max", greatest)?;
    row("mean", statistics.mean.map(short_real).unwrap_or_default())?;
    row("std", statistics.std.map(short_real).unwrap_or_default())?;
    row("sum", statistics.sum.map(signed).unwrap_or_default())?;
    row("zeros", nonzero(statistics.zeros))?;
    row("NaN", nonzero(statistics.nan))?;
    row("infinite", nonzero(statistics.infinite))?;
    row("missing", nonzero(statistics.missing))?;
    row("distinct", distinct(statistics))?;
    if let Some(histogram) = &statistics.histogram {
        let room = terminal.unwrap_or(WIDTH).saturating_sub(LABEL + 2).clamp(8, ALONE);
        let histogram = histogram.clone().folded(room);
        row("histogram", bars(&histogram.counts))?;
        row("", range(&histogram))?;
    }
    Ok(())
}

/// Formats the range of a histogram.
fn range(histogram: &Histogram) -> String {
    let end = histogram.edge(histogram.counts.len());
    let each = if histogram.counts.len() == 1 { "" } else { " each" };
    format!("{} to {}, {}{each}", short(histogram.start), short(end), short(histogram.width))
}

/// The columns of the list, and the order in which a narrow terminal drops them.
const HEADS: [&str; 11] =
    ["column", "type", "min", "max", "mean", "std", "NaN", "missing", "zeros", "distinct", "histogram"];
const LEFT_OUT: [usize; 8] = [1, 5, 8, 10, 9, 6, 7, 4];

/// The indices of the columns that contain text.
const TEXTS: [usize; 3] = [0, 1, 10];

/// Prints the statistics of several series, one per line.
pub fn print_list(lines: &[Line], terminal: Option<usize>, out: &mut Printer<'_>) -> io::Result<()> {
    let rows: Vec<[String; 11]> = lines.iter().map(cells).collect();
    let mut widths: Vec<usize> = HEADS.iter().map(|head| width(head)).collect();
    for row in &rows {
        for (most, cell) in widths.iter_mut().zip(row) {
            *most = width(cell).max(*most);
        }
    }
    // Empty columns are not shown.
    let is_empty = |column: usize| rows.iter().all(|row| row[column].is_empty());
    let mut shown: Vec<usize> = (0..HEADS.len()).filter(|&column| column < 2 || !is_empty(column)).collect();
    let room = terminal.unwrap_or(WIDTH);
    for left_out in LEFT_OUT {
        if shown.iter().map(|&column| widths[column] + 2).sum::<usize>() <= room {
            break;
        }
        shown.retain(|&column| column != left_out);
    }
    let line = |cell: &dyn Fn(usize) -> String| {
        let padded = shown.iter().map(|&column| {
            let text = cell(column);
            let padding = " ".repeat(widths[column].saturating_sub(width(&text)));
            if TEXTS.contains(&column) { format!("  {text}{padding}") } else { format!("  {padding}{text}") }
        });
        padded.collect::<String>().trim_end().to_owned()
    };
    writeln!(out, "{HEADING}{}{HEADING:#}", line(&|column| HEADS[column].to_owned()))?;
    rows.iter().try_for_each(|row| writeln!(out, "{}", line(&|column| row[column].clone())))?;
    let hidden: Vec<&str> = (0..HEADS.len())
        .filter(|column| !shown.contains(column) && !is_empty(*column))
        .map(|column| HEADS[column])
        .collect();
    if hidden.is_empty() {
        return Ok(());
    }
    let named = format!("not shown, because the terminal is too narrow: {}", hidden.join(", "));
    let short = format!("{} columns not shown", hidden.len());
    writeln!(out, "  {FAINT}{}{FAINT:#}", if width(&named) + 2 <= room { named } else { short })
}

fn cells(line: &Line) -> [String; 11] {
    let statistics = &line.statistics;
    let nonzero = |count: u64| if count == 0 { String::new() } else { grouped(count) };
    let [least, greatest] = line.extremes();
    // A histogram of categories would look like a distribution of numbers.
    let histogram = statistics.histogram.clone().filter(|_| !matches!(line.item, Some(ItemType::Key(_))));
    [
        named(&line.name, WIDEST_NAME),
        cut(&line.type_name, WIDEST_NAME),
        least,
        greatest,
        statistics.mean.map(short_real).unwrap_or_default(),
        statistics.std.map(short_real).unwrap_or_default(),
        nonzero(statistics.nan),
        nonzero(statistics.missing),
        nonzero(statistics.zeros),
        distinct(statistics),
        histogram.map(|histogram| bars(&histogram.folded(IN_LIST).counts)).unwrap_or_default(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_told_in_six_digits() {
        let told = [0.0, 24.2, 1234567.8, -0.000123456789, 1.5e12, 1e-9, 232.380952].map(short);
        assert_eq!(told, ["0", "24.2", "1234568", "-0.000123457", "1.5e12", "1e-9", "232.381"]);
    }

    #[test]
    fn ranges_with_values_are_never_empty() {
        assert_eq!(bars(&[0, 1, 500, 1000]), " ▁▄█");
        assert_eq!(bars(&[]), "");
    }
}
