//! The words around pictures: numbers, ticks of axes, captions.

use crate::drawing::Medium;
use crate::images::Grid;
use crate::numbers::Quantity;
use crate::planes::{Heat, Scaling};
use crate::survey::{Line, Numbers};
use ndbytes::everybyte::numerals::{counted, grouped};

/// Returns a number with the digits that a reader needs.
pub fn short(number: f64) -> String {
    with_digits(number, 5)
}

/// Returns a number with at most this many significant digits.
fn with_digits(number: f64, digits: usize) -> String {
    let size = number.abs();
    if number.fract() == 0.0 && size < 1e9 {
        let sign = if number < 0.0 { "-" } else { "" };
        return format!("{sign}{}", grouped(size as u128));
    }
    let text = format!("{number:.*e}", digits.max(1) - 1);
    let Some((mantissa, exponent)) = text.split_once('e') else { return text };
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..9).contains(&exponent) {
        let places = (digits as i32 - 1 - exponent).max(0) as usize;
        return trimmed(&format!("{number:.places$}"));
    }
    format!("{}e{exponent}", trimmed(mantissa))
}

/// Returns a decimal number without trailing zeros.
fn trimmed(number: &str) -> String {
    if number.contains('.') { number.trim_end_matches('0').trim_end_matches('.').to_owned() } else { number.to_owned() }
}

/// Returns at most `most + 1` round numbers between two others, with as many digits as are needed to distinguish them.
pub fn ticks(low: f64, high: f64, most: usize) -> Vec<(f64, String)> {
    if low >= high {
        return vec![(low, with_digits(low, 17))];
    }
    // Halves, since the distance may be beyond the floats.
    let least = (high / 2.0 - low / 2.0) / (most.max(1) as f64 / 2.0);
    let power = 10_f64.powf(least.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power).into_iter().find(|step| *step >= least);
    let step = step.unwrap_or(f64::INFINITY);
    let first = (low / step).ceil();
    let places = (0..=most).map(|place| (first + place as f64) * step);
    let round: Vec<f64> = places.filter(|value| *value <= high).collect();
    // No shorter decimal number lies between neighbours in the last digit.
    let is_close = power <= 0.0 || !step.is_finite() || low + step == low || round.len() < 2;
    let digits = (low.abs().max(high.abs()) / step).log10().ceil().clamp(1.0, 16.0) as usize + 1;
    let (values, digits) = if is_close { (vec![low, high], 17) } else { (round, digits) };
    // Zero with a sign is zero.
    values.into_iter().map(|value| (value + 0.0, with_digits(value + 0.0, digits))).collect()
}

/// Returns the number of items that a point of a picture represents, if there are several.
fn reduced(cells: (usize, usize), (rows, columns): (usize, usize), is_sample: bool, what: &str) -> String {
    if cells == (rows, columns) {
        return String::new();
    }
    let size = format!("{} × {} {what}s", grouped(rows as u128), grouped(columns as u128));
    if is_sample {
        return format!("a sample: {} × {} of {size}", grouped(cells.0 as u128), grouped(cells.1 as u128));
    }
    let each = (rows as f64 / cells.0.max(1) as f64) * (columns as f64 / cells.1.max(1) as f64);
    format!("each point is the mean of about {} of {size}", grouped(each.round().max(1.0) as u128))
}

/// Joins properties on one line.
fn joined(facts: impl IntoIterator<Item = String>) -> String {
    facts.into_iter().filter(|fact| !fact.is_empty()).collect::<Vec<_>>().join("; ")
}

/// Returns the caption of images.
pub fn of_grid(grid: &Grid) -> String {
    let size = format!("{} × {} pixels", grouped(grid.rows as u128), grouped(grid.columns as u128));
    let number = match (grid.items, grid.shown) {
        (1, _) => size,
        (items, shown) if (shown as u64) < items => format!("the first {shown} of {} images of {size}", grouped(items)),
        (items, _) => format!("{} of {size}", counted(items, "image")),
    };
    let colours = match grid.channels {
        3 => " in red, green, blue",
        4 => " in red, green, blue, alpha",
        _ => "",
    };
    let less = reduced((grid.height, grid.width), (grid.rows, grid.columns), grid.is_sample, "pixel");
    joined([number + colours, less])
}

fn named(quantity: Quantity) -> &'static str {
    match quantity {
        Quantity::Value => "",
        Quantity::Magnitude => "magnitude",
        Quantity::Phase => "phase, in radians",
    }
}

/// Returns the caption of planes of one quantity.
pub fn of_heats(heats: &[&Heat], medium: Medium) -> String {
    let Some(first) = heats.first() else { return String::new() };
    let planes = match heats {
        [one] if one.planes > 1 => format!("{}, 1 of {} planes", one.plane, grouped(one.planes)),
        [_] => String::new(),
        several if several.len() as u64 == first.planes => counted(first.planes, "plane"),
        several => format!("{} of {} planes", several.len(), grouped(first.planes)),
    };
    let scaling = match (first.scaling, first.scale) {
        (Scaling::Rank, Some([_, middle, _])) => format!("colours by rank; the middle one is {}", short(middle)),
        _ => String::new(),
    };
    let less = reduced((first.height, first.width), (first.rows, first.columns), first.is_sample, "item");
    let has_none = heats.iter().any(|heat| heat.has_none());
    let none = if has_none { medium.no_number() } else { "" };
    joined([named(first.quantity).into(), planes, scaling, less, none.into()])
}

/// Returns the caption of a line.
pub fn of_line(line: &Line, medium: Medium) -> String {
    let sample = if line.is_sample { " of a sample" } else { "" };
    let less = match (line.runs.len() as u64) < line.items {
        true => format!("each column spans the minimum to the maximum of its items{sample}"),
        false => String::new(),
    };
    let none = if line.broken.is_empty() { "" } else { medium.no_number() };
    joined([named(line.quantity).into(), counted(line.items, "item"), less, none.into()])
}

/// Returns the statistics of numbers in one line.
pub fn of_numbers(numbers: &Numbers) -> String {
    let statistics = &numbers.series.statistics;
    let name = match numbers.series.name.as_str() {
        "re" => "real part: ",
        "im" => "imaginary part: ",
        _ => "",
    };
    let mut facts = Vec::new();
    let real = |number: Option<ndbytes_compare::stats::Real>| {
        number.map(|number| number.near_f64().map_or_else(|| number.to_string(), short))
    };
    let known = [
        ("min", real(statistics.min)),
        ("mean", real(statistics.mean)),
        ("max", real(statistics.max)),
        ("std", real(statistics.std)),
    ];
    facts.extend(known.into_iter().filter_map(|(label, number)| Some(format!("{label} {}", number?))));
    for (label, count) in [("NaN", statistics.nan), ("infinite", statistics.infinite), ("missing", statistics.missing)]
    {
        if count > 0 {
            facts.push(format!("{} {label}", grouped(count)));
        }
    }
    let sample = match statistics.values < numbers.all {
        true => format!("; of a sample of {} of {} items", grouped(statistics.values), grouped(numbers.all)),
        false => String::new(),
    };
    format!("{name}{}{sample}", facts.join("  "))
}
