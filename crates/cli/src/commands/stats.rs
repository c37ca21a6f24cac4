//! `ndbytes stats`

use crate::axes::{Axis, windows};
use crate::commands::check::walk::{Files, Unknown, Walking, words};
use crate::context::{Context, Outcome, Paths};
use crate::report::sentence;
use crate::show::progress::{AtHand, Progress};
use crate::show::stats_json::{Chunks, SeriesObject, StatsObject};
use crate::show::stats_text::{Line, bars, print_alone, print_list, short};
use crate::show::style::{FAINT, HEADING, counted, grouped, shape};
use crate::show::text::is_standard;
use crate::show::{json, text};
use crate::values::open::{Failure, Values, read, values};
use crate::values::tolerate::{Tolerate, print_known};
use ndbytes::archive::{self, Opened};
use ndbytes::idv::{Column, Table};
use ndbytes::{Decoded, Error, File, Items, Limits, Result, UNKNOWN_FORMAT, b2nd, stores};
use ndbytes_compare::stats::{Collector, ColumnCollector, Series};
use std::io;
use std::path::Path;

/// Rows that are read together.
const WINDOW: u64 = 1 << 16;

/// The maximum number of chunks whose ratios are shown as bars.
const MOST_BARS: usize = 64;

/// Summarise the values: extremes, mean, standard deviation, NaN, infinities, zeros, number of distinct values, a
/// histogram. For a table, one line per column; for a chunked array, the compression of its chunks.
///
/// All values are read, once. Directories are searched, and each member of an archive is summarised. A path may end
/// with a slice in NumPy's syntax: `x.b2nd[6:12, :]`, `t.idv[10:20]`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Print one JSON object a line.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    tolerate: Tolerate,
    #[command(flatten)]
    walking: Walking,
    #[command(flatten)]
    paths: Paths,
}

pub fn run(arguments: &Arguments, context: &mut Context<'_>) -> io::Result<Outcome> {
    let mut worst = Outcome::Clean;
    let paths = &arguments.paths.paths;
    let tolerate = arguments.tolerate.among(paths.len());
    let progress = context.progress();
    for (place, path) in paths.iter().enumerate() {
        let is_last = place + 1 == paths.len();
        let is_folder = stores::names_several(path)
            || !is_standard(path) && path.is_dir() && !b2nd::is_sparse_frame(path) && !archive::is_store(path);
        let ended = match is_folder {
            true => summarise_folder(path, arguments, &progress, context)?,
            false => {
                context.begin();
                let opened = values(path, &tolerate, context);
                if matches!(&opened, Err(Failure::Error(Error::Archive { members, .. })) if !members.is_empty()) {
                    worst = worst.max(summarise_members(path, arguments, &progress, context)?);
                    continue;
                }
                let found = summarised(path, opened, &progress, is_last, context);
                progress.aside(|| print(found, path, arguments, context))?
            }
        };
        worst = worst.max(ended);
    }
    Ok(worst)
}

/// The values of a file, and their statistics.
fn summarised(
    path: &Path,
    opened: std::result::Result<Values, Failure>,
    progress: &Progress,
    is_last: bool,
    context: &Context<'_>,
) -> std::result::Result<(Values, Found), Failure> {
    let values = opened?;
    progress.expect(values.length);
    if is_last {
        progress.all_found();
    }
    let at_hand = progress.begin(path, values.length);
    let found = find(&values, context.limits, at_hand)?;
    Ok((values, found))
}

fn print(
    found: std::result::Result<(Values, Found), Failure>,
    path: &Path,
    arguments: &Arguments,
    context: &mut Context<'_>,
) -> io::Result<Outcome> {
    match found {
        Ok((values, found)) => {
            tell(found, &values, path, arguments.json, context)?;
            print_known(path, &values.file, context)?;
            Ok(Outcome::Clean)
        }
        Err(failure) => failure.refuse(path, context),
    }
}

/// Summarises each member of an archive that was named.
fn summarise_members(
    path: &Path,
    arguments: &Arguments,
    progress: &Progress,
    context: &mut Context<'_>,
) -> io::Result<Outcome> {
    if is_standard(path) {
        let sentence = sentence(&Error::Archive { members: Vec::new(), more: 0 }, path);
        return context.complain(&sentence).map(|()| Outcome::Unreadable);
    }
    let mut worst = Outcome::Clean;
    each(path, &arguments.tolerate.among(usize::MAX), context, &mut |path, opened, context| {
        let found = summarised(path, opened, progress, false, context);
        worst = worst.max(progress.aside(|| print(found, path, arguments, context))?);
        Ok(())
    })?;
    Ok(worst)
}

/// Summarises each file in a folder that has a known format, and each member of an archive.
fn summarise_folder(
    folder: &Path,
    arguments: &Arguments,
    progress: &Progress,
    context: &mut Context<'_>,
) -> io::Result<Outcome> {
    // A rule that is tolerated need not be about each of the files.
    let tolerate = &arguments.tolerate.among(usize::MAX);
    let folders = [folder.to_owned()];
    let mut files = match Files::new(&folders, &arguments.walking, context.limits, progress) {
        Ok(files) => files,
        Err(message) => return context.complain(&message).map(|()| Outcome::Unreadable),
    };
    let (mut worst, mut count, mut others) = (Outcome::Clean, 0, 0);
    for file in files.by_ref() {
        let file = match file {
            Ok(file) => file,
            Err(problem) => {
                progress.aside(|| context.complain(&words(&problem)))?;
                worst = Outcome::Unreadable;
                continue;
            }
        };
        each(&file.path, tolerate, context, &mut |path, opened, context| {
            let found = summarised(path, opened, progress, false, context);
            if arguments.walking.unknown != Unknown::Error && found.as_ref().is_err_and(is_foreign) {
                others += 1;
                return Ok(());
            }
            count += 1;
            worst = worst.max(progress.aside(|| print(found, path, arguments, context))?);
            Ok(())
        })?;
    }
    let passed = files.passed().to_string();
    progress.aside(|| print_sum([count, others], &passed, arguments, context))?;
    match (count, worst) {
        (0, Outcome::Clean) => {
            context.complain(&format!("{}: no file of a known format was found", text::path(folder)))?;
            Ok(Outcome::Unreadable)
        }
        _ => Ok(worst),
    }
}

/// The work on the values of a path.
type Then<'t> = &'t mut dyn FnMut(&Path, std::result::Result<Values, Failure>, &mut Context<'_>) -> io::Result<()>;

/// Opens a file that a walk has found, or each member of an archive, whose directory is read once.
fn each(path: &Path, tolerate: &Tolerate, context: &mut Context<'_>, then: Then<'_>) -> io::Result<()> {
    context.begin();
    match Opened::open(path, context.limits) {
        Ok(Opened::Archive(archive)) => archive.load_each().try_for_each(|(member, loaded)| {
            let address = archive.address(member);
            let opened = loaded.map_err(Failure::from).and_then(|input| read(&address, input, tolerate, context));
            then(&address, opened, context)
        }),
        Ok(Opened::File(input)) => {
            let opened = read(path, input, tolerate, context);
            then(path, opened, context)
        }
        Err(error) => then(path, Err(error.into()), context),
    }
}

/// Returns whether a file has no known format.
fn is_foreign(failure: &Failure) -> bool {
    matches!(failure, Failure::Error(Error::Invalid(finding)) if finding.rule == &UNKNOWN_FORMAT)
}

/// Prints how many files of a folder were summarised, and what was skipped.
fn print_sum(
    [count, others]: [u64; 2],
    passed: &str,
    arguments: &Arguments,
    context: &mut Context<'_>,
) -> io::Result<()> {
    if arguments.json {
        return context.note_passed(passed);
    }
    let mut words = counted(count, "file");
    if others > 0 && arguments.walking.unknown == Unknown::Count {
        words += &format!("; {} of other formats", grouped(others));
    }
    if !passed.is_empty() {
        words += &format!("; skipped: {passed}");
    }
    writeln!(context.out, "{FAINT}{words}{FAINT:#}")
}

/// The statistics of a file.
struct Found {
    lines: Vec<Line>,
    chunks: Option<Chunks>,
    /// A description of the values.
    holds: String,
}

fn find(values: &Values, limits: Limits, mut at_hand: AtHand<'_>) -> Result<Found, Failure> {
    let chosen = values.chosen()?;
    let limits = limits.started();
    match &values.file {
        File::Array(array) => {
            let mut items = array.select(chosen.elements())?;
            let extents: Vec<u64> = items.shape().iter().map(|&extent| extent as u64).collect();
            let holds = format!("{} of {}", shape(&extents), array.item_type());
            let item_type = array.item_type();
            let series = if values.slice.is_none() && array.is_fortran_order() {
                // The order does not matter, so that of the file is taken.
                let bytes = array.bytes()?;
                let shape = [bytes.len() / item_type.stride().max(1) as usize];
                collect(&mut Decoded::new(&bytes, &item_type, &shape)?, values.length, limits, &mut at_hand)?
            } else {
                collect(&mut *items, values.length, limits, &mut at_hand)?
            };
            let type_name = item_type.to_string();
            let line =
                |Series { name, statistics, .. }| Line { name, type_name: type_name.clone(), item: None, statistics };
            let chunks = if values.slice.is_none() { Chunks::of(array)? } else { None };
            Ok(Found { lines: series.into_iter().map(line).collect(), chunks, holds })
        }
        File::Table(table) => {
            let rows: Vec<Axis> = chosen.axes().collect();
            let lines = columns(table, &rows, limits, &mut at_hand)?;
            if values.slice.is_none() {
                table.ensure_rest()?;
            }
            let count = rows.iter().map(|axis| axis.count).sum();
            let holds = format!("{}, {}", counted(count, "row"), counted(table.columns().len() as u64, "column"));
            Ok(Found { lines, chunks: None, holds })
        }
    }
}

/// The statistics of items, with progress in the bytes of their file.
fn collect(items: &mut dyn Items, length: u64, limits: Limits, at_hand: &mut AtHand<'_>) -> Result<Vec<Series>> {
    let mut collector = Collector::new(items.item_type());
    let (count, piece) = (items.count(), items.piece());
    let mut start = 0;
    while start < count {
        limits.ensure_time()?;
        let asked = piece.min(count - start);
        collector.add(items.read(start, asked)?);
        start += asked;
        at_hand.advance((u128::from(length) * u128::from(asked) / u128::from(count)) as u64);
    }
    Ok(collector.finish())
}

/// The statistics of the columns that can be read and are not hidden.
fn columns(table: &Table<'_>, rows: &[Axis], limits: Limits, at_hand: &mut AtHand<'_>) -> Result<Vec<Line>> {
    let mut lines = Vec::new();
    for column in table.columns().filter(|column| column.is_readable() && !column.is_hidden()) {
        let Some(column_type) = column.column_type() else { continue };
        let mut collector = ColumnCollector::new(column_type);
        for window in windows(rows, block_rows(&column)) {
            limits.ensure_time()?;
            let values = column.read_rows(window.span.clone())?;
            if window.places.len() as u64 == window.span.end - window.span.start {
                collector.add(&values);
            } else {
                window.places.iter().for_each(|&place| collector.add(&values.slice(place..place + 1)));
            }
        }
        at_hand.advance(column.stored_bytes());
        let (name, type_name) = (column.name(), column_type.to_string());
        lines.push(Line { name, type_name, item: Some(column_type.item), statistics: collector.finish() });
    }
    Ok(lines)
}

/// The rows of the first block, so that no block is decoded twice.
fn block_rows(column: &Column<'_>) -> u64 {
    let first = if column.block_count() > 0 { column.rows_of_block(0) } else { 0..1 };
    (first.end - first.start).clamp(1, WINDOW)
}

fn tell(found: Found, values: &Values, path: &Path, as_json: bool, context: &mut Context<'_>) -> io::Result<()> {
    let Found { lines, chunks, holds } = found;
    let format = values.file.format();
    if as_json {
        let series = |line: Line| SeriesObject::new(line.type_name, line.name, line.statistics);
        let object = StatsObject {
            path: Some(path.display().to_string()),
            format: Some(format),
            slice: values.slice.as_ref().map(ToString::to_string),
            series: lines.into_iter().map(series).collect(),
            chunks,
        };
        return json::line(context.out.machine(), &object);
    }
    context.out.begin_room(values.length);
    writeln!(context.out, "{HEADING}{}{HEADING:#}  {}  {holds}", text::path(path), format.title())?;
    match &lines[..] {
        [line] if line.name.is_empty() => print_alone(line, context.width, &mut context.out)?,
        lines => print_list(lines, context.width, &mut context.out)?,
    }
    if let Some(chunks) = chunks {
        print_chunks(&chunks, context)?;
    }
    context.out.end_room()?;
    context.out.separate();
    Ok(())
}

/// Prints how much smaller the chunks are as they are stored.
fn print_chunks(chunks: &Chunks, context: &mut Context<'_>) -> io::Result<()> {
    let Chunks { lengths, stored } = chunks;
    let (length, together): (u64, u64) = (lengths.iter().sum(), stored.iter().sum());
    let ratio = |length: u64, stored: u64| length as f64 / stored as f64;
    let ratios: Vec<f64> =
        lengths.iter().zip(stored).filter(|(_, stored)| **stored > 0).map(|(&l, &s)| ratio(l, s)).collect();
    let empty = (stored.len() - ratios.len()) as u64;
    let mut words = format!("{}, {} of {} bytes", grouped(stored.len() as u64), grouped(together), grouped(length));
    if together > 0 {
        words += &format!(", {} ×", short(ratio(length, together)));
    }
    if empty > 0 {
        words += &format!(", {} of one value without stored bytes", grouped(empty));
    }
    writeln!(context.out, "  {FAINT}{:<12}{FAINT:#}{words}", "chunks")?;
    let (least, greatest) =
        ratios.iter().fold((f64::INFINITY, 0.0_f64), |(least, greatest), &it| (least.min(it), greatest.max(it)));
    if ratios.len() > 1 {
        // Neighbours share a bar, so that all chunks have one.
        let room = context.width.unwrap_or(MOST_BARS).saturating_sub(14).clamp(8, MOST_BARS);
        let share = ratios.len().div_ceil(room);
        let mean = |ratios: &[f64]| (1000.0 * ratios.iter().sum::<f64>() / ratios.len() as f64) as u64;
        let heights: Vec<u64> = ratios.chunks(share).map(mean).collect();
        writeln!(context.out, "  {FAINT}{:<12}{FAINT:#}{}", "ratio", bars(&heights))?;
        writeln!(context.out, "  {:<12}{} to {} ×", "", short(least), short(greatest))?;
    }
    Ok(())
}
