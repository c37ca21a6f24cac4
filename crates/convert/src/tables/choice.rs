//! Chooses the options for converting IDV to batches, which depend on the target and on the data.
//!
//! IDV counts time in ticks of 100 ns, which neither microseconds nor nanoseconds of Arrow can always represent. Unless
//! the user chooses a unit, the first one that is exact for every time in the tables is used. To find it, only the
//! columns of times are read.

use super::source::{Content, TableSource};
use crate::error::{Error, Loss, Result, Weight};
use crate::kind::FileKind;
use crate::options::Options;
use ndbytes::idv::{Column, ItemType};
use ndbytes_arrow::table::{self, Keys, Sparse, TextPolicy, Times};
use std::sync::Arc;

/// Chooses the options for converting IDV to batches, including the unit of times. Also returns the losses of text formats.
pub fn choose(
    tables: &[&TableSource],
    kind: FileKind,
    options: &Options<'_>,
) -> Result<(table::Options, Times, Vec<Loss>)> {
    let wanted = &options.tables;
    let choice = table::Options::new().limits(options.limits);
    let mut losses = Vec::new();
    let choice = match kind {
        // Ticks and sparse vectors survive a round trip.
        FileKind::Idv => choice.sparse(Sparse::Struct).keys(Keys::Dictionary),
        _ => choice.keys(wanted.keys).sparse(wanted.sparse),
    };
    let times = match (kind, wanted.times) {
        (FileKind::Idv, _) => Times::Ticks,
        (_, Some(times)) => times,
        (_, None) => exact_times(tables, kind, &choice, &mut losses)?,
    };
    let mut choice = choice.times(times);
    // The pass over all texts is only worthwhile if they may be dropped.
    if options.lossy {
        for table in tables {
            let is_text = |item| item == ItemType::Text;
            if let Some(error) = misfit(table, &choice, is_text)? {
                let what = format!("all texts of {}: {error}", table.name());
                let instead = "whose unpaired surrogates become U+FFFD".into();
                losses.push(Loss { kind, what, instead, weight: Weight::Values });
                choice = choice.text(TextPolicy::Lossy);
            }
        }
    }
    Ok((choice, times, losses))
}

/// Finds the first unit that holds all times exactly. The last one is the ticks of the file, with all digits.
fn exact_times(
    tables: &[&TableSource],
    kind: FileKind,
    choice: &table::Options,
    losses: &mut Vec<Loss>,
) -> Result<Times> {
    let is_time = |item| matches!(item, ItemType::DateTime | ItemType::TimeSpan | ItemType::DateTimeOffset);
    let mut failed = None;
    for times in [Times::Micros, Times::Nanos] {
        let choice = choice.clone().times(times);
        failed = None;
        for table in tables {
            if let Some(error) = misfit(table, &choice, is_time)? {
                failed = Some((table.name(), error));
                break;
            }
        }
        if failed.is_none() {
            return Ok(times);
        }
    }
    if let (Some((name, error)), false) = (failed, kind.is_lines()) {
        let what = format!("all times of {name} in microseconds or in nanoseconds ({error})");
        let instead = "so all become ticks of 100 ns; `--times` chooses another unit".into();
        losses.push(Loss { kind, what, instead, weight: Weight::Unit });
    }
    Ok(Times::Ticks)
}

/// Returns the first value of some columns that batches with these options cannot hold.
fn misfit(
    table: &TableSource,
    choice: &table::Options,
    is_meant: impl Fn(ItemType) -> bool,
) -> Result<Option<ndbytes_arrow::Error>> {
    let Content::Idv(content) = table.content() else { return Ok(None) };
    let is_wanted = |column: &Column<'_>| {
        let chosen = table.chosen().is_none_or(|names| names.contains(&column.name()));
        let is_meant = column.column_type().is_some_and(|column_type| is_meant(column_type.item));
        chosen && is_meant && column.is_readable() && !column.is_hidden()
    };
    let names: Vec<String> = content.columns().filter(is_wanted).map(|column| column.name()).collect();
    if names.is_empty() {
        return Ok(None);
    }
    let named = |error| Error::of_table(error, table.name());
    let meant = table::ArrowTable::new(Arc::clone(content), choice.clone().columns(names)).map_err(named)?;
    let mut batches = meant.batches_of(table.range(meant.rows())).map_err(named)?;
    while let Some(batch) = batches.next_batch() {
        match batch {
            Ok(_) => {}
            Err(error @ ndbytes_arrow::Error::Value { .. }) => return Ok(Some(error)),
            Err(error) => return Err(named(error)),
        }
    }
    Ok(None)
}
