//! The output of `stats`.

use super::find::Found;
use crate::context::Context;
use crate::show::stats_json::{Chunks, SeriesObject, StatsObject};
use crate::show::stats_text::{Line, bars, print_alone, print_list, short};
use crate::show::style::{FAINT, HEADING, grouped};
use crate::show::{json, text};
use std::io;
use std::path::Path;

/// The maximum number of chunks whose ratios are shown as bars.
const MOST_BARS: usize = 64;

/// Prints the statistics of the values at a path.
pub fn tell(found: Found, path: &Path, as_json: bool, context: &mut Context<'_>) -> io::Result<()> {
    let Found { lines, chunks, holds, format: [format, title], slice, length } = found;
    if as_json {
        let series = |line: Line| SeriesObject::new(line.type_name, line.name, line.statistics);
        let object = StatsObject {
            path: Some(path.display().to_string()),
            format: Some(format),
            slice,
            series: lines.into_iter().map(series).collect(),
            chunks,
        };
        return json::line(context.out.machine(), &object);
    }
    context.out.begin_room(length);
    writeln!(context.out, "{HEADING}{}{HEADING:#}  {title}  {holds}", text::path(path))?;
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

/// Prints the compression ratios of the chunks.
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
        // Neighbours share a bar, so that all chunks are covered.
        let room = context.width.unwrap_or(MOST_BARS).saturating_sub(14).clamp(8, MOST_BARS);
        let share = ratios.len().div_ceil(room);
        let mean = |ratios: &[f64]| (1000.0 * ratios.iter().sum::<f64>() / ratios.len() as f64) as u64;
        let heights: Vec<u64> = ratios.chunks(share).map(mean).collect();
        writeln!(context.out, "  {FAINT}{:<12}{FAINT:#}{}", "ratio", bars(&heights))?;
        writeln!(context.out, "  {:<12}{} to {} ×", "", short(least), short(greatest))?;
    }
    Ok(())
}
