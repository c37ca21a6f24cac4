//! `ndbytes diff`

mod arguments;
mod folders;
mod opened;
mod picture;
mod range;

pub use arguments::Arguments;

use crate::commands::page;
use crate::commands::show::save;
use crate::context::{Context, Outcome};
use crate::contract::Contract;
use crate::report::{refuse, written};
use crate::show::json;
use crate::show::style::{ERROR, HEADING, OK, WARNING};
use crate::show::text::{self, Shown};
use crate::values::tolerate::{print_warnings, print_warnings_of};
use anstyle::Style;
use arguments::{Agreed, Pair};
use ndbytes::Input;
use ndbytes_compare::diff::Diff;
use ndbytes_pictures::{Medium, Room};
use opened::{Opened, compared, forget_bytes};
use picture::picture;
use std::io;
use std::path::Path;

pub fn run(arguments: &Arguments, context: &mut Context<'_>) -> io::Result<Outcome> {
    // A path that is in conflict has no two versions: git calls the driver with its name alone.
    if let (true, [name]) = (arguments.git_driver, &arguments.paths[..]) {
        writeln!(context.out, "{HEADING}{}{HEADING:#}: unmerged", Shown(&name.to_string_lossy()))?;
        return Ok(Outcome::Clean);
    }
    if let Some((range, out)) = arguments.range() {
        return range::run(arguments, range, out, context);
    }
    // Both files are one piece of work.
    context.limits = context.limits.started();
    let pair = match arguments.pair() {
        Ok(pair) => pair,
        Err(message) => {
            context.complain(message)?;
            return Ok(Outcome::Unreadable);
        }
    };
    if let Some(refusal) = arguments.refusal(&pair, context) {
        context.complain(&refusal)?;
        return Ok(Outcome::Unreadable);
    }
    let contract = match arguments.config.contract() {
        Ok(contract) => contract,
        Err(problem) => {
            context.complain(&problem)?;
            return Ok(Outcome::Unreadable);
        }
    };
    if folders::are_meant(&pair) {
        return folders::run(&pair, arguments, contract.as_ref(), context);
    }
    if let Some(folder) = folders::alone(&pair) {
        let folder = text::path(folder);
        context.complain(&format!("{folder} is a folder, and the other path is none: two folders are compared"))?;
        return Ok(Outcome::Unreadable);
    }
    if arguments.walking.is_given() {
        context.complain("`--glob`, `--gitignore` and `--unknown` are for two folders")?;
        return Ok(Outcome::Unreadable);
    }
    two_files(&pair, arguments, contract.as_ref(), context)
}

/// Compares two files, slices or stores.
fn two_files(
    pair: &Pair<'_>,
    arguments: &Arguments,
    contract: Option<&Contract>,
    context: &mut Context<'_>,
) -> io::Result<Outcome> {
    let mut sides = Vec::new();
    for path in [pair.a, pair.b] {
        match Opened::new(path, context) {
            Ok(opened) => sides.push(opened),
            Err(failure) => return failure.refuse(path, context).map(|_| Outcome::Unreadable),
        }
    }
    let has_slice = sides.iter().any(|side| side.slice().is_some());
    if has_slice && (arguments.html.is_some() || arguments.structure_only) {
        context.complain("a slice has values alone: pages and structures are of whole files")?;
        return Ok(Outcome::Unreadable);
    }
    let [old, new] = pair.names.unwrap_or([pair.a, pair.b]);
    let agreed = arguments.agreed(contract, &[without_slice(new), without_slice(old)]);
    let options = arguments.options(context);
    let options = agreed.iter().fold(options, |options, agreed| options.tolerance(agreed.tolerance));
    let options = if has_slice { options.structure(false) } else { options };
    let Some(compared) = compared(&sides[0], &sides[1], &options) else {
        let store = if matches!(sides[0], Opened::Archive(_)) { pair.a } else { pair.b };
        context.complain(&format!("{}: a store is compared with another store only", text::path(store)))?;
        return Ok(Outcome::Unreadable);
    };
    match compared {
        Ok(found) => report(found, pair, &sides, (arguments, agreed), context),
        Err(error) => refuse(&error, pair.b, context).map(|_| Outcome::Unreadable),
    }
}

/// Shows what was found, and ends as the arguments ask for.
fn report(
    mut found: Diff,
    pair: &Pair<'_>,
    sides: &[Opened],
    (arguments, agreed): (&Arguments, Option<Agreed>),
    context: &mut Context<'_>,
) -> io::Result<Outcome> {
    sides[0].name(&mut found.a, pair.a);
    sides[1].name(&mut found.b, pair.b);
    if sides.iter().any(|side| side.slice().is_some()) {
        forget_bytes(&mut found);
    }
    if let Some([old, new]) = pair.names {
        found.a.name = Some(old.to_string_lossy().into_owned());
        found.b.name = Some(new.to_string_lossy().into_owned());
    }
    let files = [sides[0].file(), sides[1].file()];
    let shown = show(&found, pair, files, arguments, context)?;
    if let (Some(agreed), false, None) = (&agreed, arguments.json, &arguments.html) {
        writeln!(context.out, "\n{}", agreed.note)?;
    }
    let outcome = match shown {
        Outcome::Clean => save_picture(&found, pair, files, arguments, context)?,
        outcome => outcome,
    };
    if outcome != Outcome::Clean {
        return Ok(outcome);
    }
    let names = pair.names.unwrap_or([pair.a, pair.b]);
    for (name, side) in names.into_iter().zip(sides) {
        match (side.slice(), side.file()) {
            (Some(slice), _) => print_warnings(name, &slice.warnings, context)?,
            (None, Some(input)) => print_warnings_of(name, input, context)?,
            (None, None) => {}
        }
    }
    Ok(arguments.outcome(!found.is_equal() || arguments.is_denied(&found)))
}

/// The path before a slice.
fn without_slice(path: &Path) -> &Path {
    let text = path.to_str().filter(|text| text.ends_with(']') && !path.exists());
    text.and_then(|text| text.split_once('[')).map_or(path, |(path, _)| Path::new(path))
}

/// Writes the picture of the difference, if the arguments name its file.
fn save_picture(
    found: &Diff,
    pair: &Pair<'_>,
    files: [Option<&Input<'static>>; 2],
    arguments: &Arguments,
    context: &mut Context<'_>,
) -> io::Result<Outcome> {
    let Some(out) = &arguments.picture else { return Ok(Outcome::Clean) };
    match picture(found, [pair.a, pair.b], files, Medium::DIFFERENCE.room(), context.limits) {
        Ok(drawing) => written(save(&drawing, out, context), pair.b, context),
        Err(failure) => failure.refuse(pair.b, context),
    }
}

/// Shows the differences in the form that the arguments ask for.
fn show(
    found: &Diff,
    pair: &Pair<'_>,
    files: [Option<&Input<'static>>; 2],
    arguments: &Arguments,
    context: &mut Context<'_>,
) -> io::Result<Outcome> {
    if let Some(out) = &arguments.html {
        // A page without a picture says enough.
        let drawing = picture(found, [pair.a, pair.b], files, Room::PAGE_DIFFERENCE, context.limits).ok();
        let page = page::of_two(found, [pair.a, pair.b], files, drawing.as_ref(), context);
        return written(page.and_then(|page| page::save(&page, out, context)), pair.b, context);
    }
    if arguments.json {
        print_json(found.clone(), context)?;
    } else {
        print(found, context)?;
    }
    Ok(Outcome::Clean)
}

/// Findings are in the words of the tool.
fn print_json(mut found: Diff, context: &mut Context<'_>) -> io::Result<()> {
    for findings in [&mut found.findings.gone, &mut found.findings.new] {
        findings.iter_mut().for_each(|finding| *finding = json::finding(finding));
    }
    json::line(context.out.machine(), &found)
}

/// Prints the report, with the lines in colours of their own.
fn print(found: &Diff, context: &mut Context<'_>) -> io::Result<()> {
    let verdict = if found.is_equal() { OK } else { WARNING };
    for (number, line) in found.to_string().lines().enumerate() {
        let style = match (number, line) {
            (0, _) => HEADING,
            (1, _) => verdict,
            (_, line) if line.starts_with("  + ") => OK,
            (_, line) if line.starts_with("  - ") => ERROR,
            (_, line) if line.starts_with(|letter: char| letter.is_alphabetic()) => HEADING,
            _ => Style::new(),
        };
        writeln!(context.out, "{style}{}{style:#}", Shown(line))?;
    }
    Ok(())
}
