//! `ndbytes diff`: compares two paths.
//!
//! The sides may be files, slices of arrays, stores or third-party files (see `opened`). Two directories are compared pair by pair
//! (`folders`), and two commits file by file (`range`). The comparison itself is in the crate `ndbytes-compare`.

mod arguments;
mod folders;
mod opened;
mod picture;
pub mod range;

pub use arguments::Arguments;

#[cfg(feature = "convert")]
use crate::commands::git::conflict;
use crate::commands::page;
use crate::commands::show::save;
use crate::context::{Context, Outcome};
use crate::contract::Contract;
use crate::report::{refuse, written};
use crate::show::json;
use crate::show::style::{ERROR, HEADING, OK, WARNING};
use crate::show::text::{self, Shown};
#[cfg(feature = "convert")]
use crate::values::open::Failure;
use crate::values::tolerate::{print_warnings, print_warnings_of};
use anstyle::Style;
use arguments::{Agreed, Pair};
use ndbytes::Input;
use ndbytes_compare::diff::Diff;
use ndbytes_pictures::{Medium, PictureBudget};
use opened::{Opened, compared, forget_bytes};
use picture::picture;
use std::io;
use std::path::Path;

/// Compares two paths (files, slices, stores or directories), or acts as git's diff driver.
pub fn run(arguments: &Arguments, context: &mut Context<'_>) -> io::Result<Outcome> {
    if let (true, [name]) = (arguments.git_driver, &arguments.paths[..]) {
        return unmerged(name, context);
    }
    if let Some((range, out)) = arguments.range() {
        return range::run(arguments, range, out, context);
    }
    // Both files share one time limit.
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
            if !arguments.git_driver {
                return Ok(Outcome::Unreadable);
            }
            None
        }
    };
    if folders::are_meant(&pair) {
        return folders::run(&pair, arguments, contract.as_ref(), context);
    }
    if let Some(folder) = folders::alone(&pair) {
        let folder = text::path(folder);
        context.complain(&format!(
            "{folder} is a directory, but the other path is not: compare two directories or two files"
        ))?;
        return Ok(Outcome::Unreadable);
    }
    if arguments.walking.is_given() {
        context.complain("`--glob`, `--gitignore` and `--unknown` work only with two directories")?;
        return Ok(Outcome::Unreadable);
    }
    let outcome = two_files(&pair, arguments, contract.as_ref(), context)?;
    // git stops if a driver fails, so it would not show the files after this one.
    Ok(if arguments.git_driver { Outcome::Clean } else { outcome })
}

/// Lists the conflicts of an unmerged file. Such a file does not have two versions, so git calls the driver with only its name.
fn unmerged(name: &Path, context: &mut Context<'_>) -> io::Result<Outcome> {
    writeln!(context.out, "{HEADING}{}{HEADING:#}: unmerged", Shown(&name.to_string_lossy()))?;
    #[cfg(feature = "convert")]
    for line in conflict::lines(name, context.limits.started()) {
        writeln!(context.out, "  {}", Shown(&line))?;
    }
    Ok(Outcome::Clean)
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
    #[cfg(feature = "convert")]
    let sides = match plain(sides, pair, context) {
        Ok(sides) => sides,
        Err((failure, path)) => return failure.refuse(path, context).map(|_| Outcome::Unreadable),
    };
    let has_values = sides.iter().any(|side| side.values().is_some());
    if has_values && (arguments.html.is_some() || arguments.structure_only) {
        context.complain("a slice or a file in a format without rules has only values: `--html` and `--structure-only` need whole files of the formats that `ndbytes --version` lists")?;
        return Ok(Outcome::Unreadable);
    }
    let [old, new] = pair.names.unwrap_or([pair.a, pair.b]);
    let agreed = arguments.agreed(contract, &[without_slice(new), without_slice(old)]);
    let options = arguments.options(context);
    let options = agreed.iter().fold(options, |options, agreed| options.tolerance(agreed.tolerance));
    let options = if has_values { options.structure(false) } else { options };
    let Some(compared) = compared(&sides[0], &sides[1], &options, context.limits) else {
        let store = if matches!(sides[0], Opened::Archive(_)) { pair.a } else { pair.b };
        context.complain(&format!("{}: a store is compared with another store only", text::path(store)))?;
        return Ok(Outcome::Unreadable);
    };
    match compared {
        Ok(found) => report(found, pair, &sides, (arguments, agreed), context),
        Err(error) => refuse(&error, pair.b, context).map(|_| Outcome::Unreadable),
    }
}

/// Returns the sides. If one of them is a table in a third-party format, both have columns of plain types.
#[cfg(feature = "convert")]
fn plain<'p>(
    mut sides: Vec<Opened>,
    pair: &Pair<'p>,
    context: &Context<'_>,
) -> Result<Vec<Opened>, (Failure, &'p Path)> {
    let (Some(b), Some(a)) = (sides.pop(), sides.pop()) else { return Ok(sides) };
    let a = a.plain_beside(pair.a, &b, context).map_err(|failure| (failure, pair.a))?;
    let b = b.plain_beside(pair.b, &a, context).map_err(|failure| (failure, pair.b))?;
    Ok(vec![a, b])
}

/// Shows the differences and returns the outcome.
fn report(
    mut found: Diff,
    pair: &Pair<'_>,
    sides: &[Opened],
    (arguments, agreed): (&Arguments, Option<Agreed>),
    context: &mut Context<'_>,
) -> io::Result<Outcome> {
    sides[0].name(&mut found.a, pair.a);
    sides[1].name(&mut found.b, pair.b);
    if sides.iter().any(|side| side.values().is_some()) {
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
        match (side.values(), side.file()) {
            (Some(values), _) => print_warnings(name, &values.warnings, context)?,
            (None, Some(input)) => print_warnings_of(name, input, context)?,
            (None, None) => {}
        }
    }
    Ok(arguments.outcome(!found.is_equal() || arguments.is_denied(&found)))
}

/// Returns the path before a slice.
fn without_slice(path: &Path) -> &Path {
    let text = path.to_str().filter(|text| text.ends_with(']') && !path.exists());
    text.and_then(|text| text.split_once('[')).map_or(path, |(path, _)| Path::new(path))
}

/// Writes the picture of the difference, if the arguments name a file for it.
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

/// Shows the differences in the requested form.
fn show(
    found: &Diff,
    pair: &Pair<'_>,
    files: [Option<&Input<'static>>; 2],
    arguments: &Arguments,
    context: &mut Context<'_>,
) -> io::Result<Outcome> {
    if let Some(out) = &arguments.html {
        // A page without a picture is good enough.
        let drawing = picture(found, [pair.a, pair.b], files, PictureBudget::PAGE_DIFFERENCE, context.limits).ok();
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

/// Prints JSON, with findings worded for the tool.
fn print_json(mut found: Diff, context: &mut Context<'_>) -> io::Result<()> {
    for findings in [&mut found.findings.gone, &mut found.findings.new] {
        findings.iter_mut().for_each(|finding| *finding = json::finding(finding));
    }
    json::line(context.out.machine(), &found)
}

/// Prints the report, with its lines in colour.
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
