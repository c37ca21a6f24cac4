//! `ndbytes cat`

use crate::axes::Axis;
use crate::commands::pictures::{self, GraphicsArgument, failure};
use crate::context::{Context, Outcome, Paths};
use crate::show::numpy_text::{Stop, write_array, write_whole};
use crate::show::printer::Text;
use crate::show::style::HEADING;
use crate::show::{array_json, table_json, table_text, text};
use crate::values::buffered::Buffered;
use crate::values::near::nearest;
use crate::values::open::{Failure, Values, values};
use crate::values::slice::Chosen;
use crate::values::tolerate::{Tolerate, print_known};
use ndbytes::idv::{Column, Table};
use ndbytes::{Array, Error, File, Items};
use ndbytes_pictures::{Choice, Drawing, Kind, Room, choose, draw};
use std::io;
use std::path::Path;

/// The lines of points of an image as text.
const TALLEST: usize = 2000;

/// Print the values: an array as NumPy would, a table row by row. If there are many, the first and the last ones.
///
/// A path may end with a slice in NumPy's syntax: `x.b2nd[6:12, :]`, `t.idv[10:20]`, `images.gz[-1]`, `x.npy[::2, ..., 0]`.
/// Only what holds wanted values is decoded. Quote such a path, so that the shell leaves it alone.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Print one JSON object a file, with all values.
    #[arg(long, conflicts_with_all = ["all", "images"])]
    json: bool,
    /// Print the first N items along the first axis, or the first N rows.
    #[arg(short = 'n', long, value_name = "N", alias = "rows")]
    head: Option<u64>,
    /// Print the last N items along the first axis, or the last N rows.
    #[arg(long, value_name = "N", conflicts_with = "head")]
    tail: Option<u64>,
    /// Print one item along the first axis, or one row; a negative number counts from the end. May be given several times.
    #[arg(long, value_name = "N", conflicts_with_all = ["head", "tail"], allow_negative_numbers = true)]
    item: Vec<i64>,
    /// Print all values, however many there are.
    #[arg(long)]
    all: bool,
    /// Print these columns of a table, in this order.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    columns: Vec<String>,
    /// Draw the first N items, as far as there is room, as `show --as sheet` does: the last two axes are lines and columns. A last
    /// axis of 3 or 4 after them is that of colours, if the items are of u1 or u2.
    #[arg(long, value_name = "N", conflicts_with = "all")]
    images: Option<u64>,
    #[command(flatten)]
    tolerate: Tolerate,
    #[command(flatten)]
    paths: Paths,
}

pub fn run(arguments: &Arguments, context: &mut Context<'_>) -> io::Result<Outcome> {
    let mut worst = Outcome::Clean;
    let paths = &arguments.paths.paths;
    let tolerate = arguments.tolerate.among(paths.len());
    for path in paths {
        context.begin();
        let opened = values(path, &tolerate, context).and_then(|values| {
            let wanted = wanted(&values, arguments)?;
            Ok((values, wanted))
        });
        let outcome = match opened {
            Ok((values, wanted)) => {
                if paths.len() > 1 && !arguments.json {
                    writeln!(context.out, "{HEADING}{}{HEADING:#}", text::path(path))?;
                }
                let outcome = print(&values, &wanted, path, arguments, context)?;
                if !arguments.json {
                    context.out.separate();
                }
                outcome
            }
            Err(failure) => failure.refuse(path, context)?,
        };
        worst = worst.max(outcome);
    }
    Ok(worst)
}

/// The parts to print, one after the other. Those of a table are parts of one list of rows.
fn wanted(values: &Values, arguments: &Arguments) -> Result<Vec<Chosen>, Failure> {
    let chosen = values.chosen()?;
    match (arguments.head, arguments.tail) {
        (Some(number), _) => Ok(vec![chosen.head(number)]),
        (_, Some(number)) => Ok(vec![chosen.tail(number)]),
        _ if arguments.item.is_empty() => Ok(vec![chosen]),
        _ => arguments.item.iter().map(|&item| chosen.item(item).map_err(Failure::Words)).collect(),
    }
}

fn print(
    values: &Values,
    wanted: &[Chosen],
    path: &Path,
    arguments: &Arguments,
    context: &mut Context<'_>,
) -> io::Result<Outcome> {
    let printed = match &values.file {
        File::Array(array) if arguments.columns.is_empty() => {
            print_array(array, values, wanted, path, arguments, context)?
        }
        File::Table(_) if arguments.images.is_some() => {
            Err(Failure::Words("`--images` is for arrays, and this is a table".into()))
        }
        File::Table(table) => match columns(table, &arguments.columns) {
            Ok(columns) => print_table(table, columns, values, wanted, arguments, context)?,
            Err(failure) => Err(failure),
        },
        _ => Err(Failure::Words("`--columns` is for tables, and this is an array".into())),
    };
    match printed {
        Ok(()) => print_known(path, &values.file, context).map(|()| Outcome::Clean),
        Err(failure) => failure.refuse(path, context),
    }
}

fn print_array(
    array: &Array<'_>,
    values: &Values,
    wanted: &[Chosen],
    path: &Path,
    arguments: &Arguments,
    context: &mut Context<'_>,
) -> io::Result<Result<(), Failure>> {
    for (place, chosen) in wanted.iter().enumerate() {
        let mut items = match selected(array, chosen) {
            Ok(items) => items,
            Err(failure) => return Ok(Err(failure)),
        };
        if arguments.json {
            // A value and its separator take at least two bytes.
            let shortest = items.count().saturating_mul(2);
            if let Err(error) = context.limits.ensure_output("the shortest JSON of the values", shortest) {
                return Ok(Err(error.into()));
            }
            let (slice, path) = (values.slice.as_ref().map(ToString::to_string), path.display().to_string());
            let printed = array_json::Printed { array, items: &mut *items, slice, path: &path };
            match array_json::print(printed, context.out.machine())? {
                Ok(()) => continue,
                Err(error) => return Ok(Err(error.into())),
            }
        }
        if place > 0 {
            writeln!(context.out)?;
        }
        // What was requested in so many words is not cut.
        let is_bounded = !arguments.all && arguments.images.is_none();
        if is_bounded {
            context.out.begin_room(values.length);
        }
        let printed = match arguments.images {
            Some(number) => match sheet(&mut *items, number, context) {
                Ok(drawing) => pictures::print(&drawing, GraphicsArgument::Auto, context).map(Ok)?,
                Err(failure) => return Ok(Err(failure)),
            },
            None => print_items(&mut *items, arguments.all, context)?,
        };
        if is_bounded {
            context.out.end_room()?;
        }
        if let Err(error) = printed {
            return Ok(Err(error.into()));
        }
    }
    Ok(Ok(()))
}

/// The chosen items. Errors that can be found before anything is printed are found here.
fn selected<'a>(array: &'a Array<'_>, chosen: &Chosen) -> Result<Box<dyn Items + 'a>, Failure> {
    let mut items = array.select(chosen.elements())?;
    let count = items.count().min(1);
    items.read(0, count)?;
    Ok(items)
}

/// The first items as images, or as planes of numbers.
fn sheet(items: &mut dyn Items, number: u64, context: &Context<'_>) -> Result<Drawing, Failure> {
    let medium = GraphicsArgument::Auto.medium(context.width, context);
    let room = medium.room();
    // Letters are few: images take the whole width, and what they need of the height.
    let sides = (TALLEST, room.alone.1);
    let room = if medium.is_fine() { room } else { Room { alone: sides, among: sides, ..room } };
    let choice = Choice::new(room).kind(Kind::Sheet).first(usize::try_from(number).unwrap_or(usize::MAX));
    let pictures = choose(items, &choice, context.limits.started()).map_err(failure)?;
    Ok(draw(&pictures, "", medium))
}

/// Prints items as NumPy would.
fn print_items(items: &mut dyn Items, all: bool, context: &mut Context<'_>) -> io::Result<Result<(), Error>> {
    let mut text = Text { printer: &mut context.out, error: None };
    let written = match all {
        true => write_whole(&mut text, &mut Buffered::new(items)),
        false => write_array(&mut text, items),
    };
    match written {
        Ok(()) => writeln!(context.out).map(Ok),
        // Without an error of the stream, the room is used up.
        Err(Stop::Output) => text.error.map_or(Ok(Ok(())), Err),
        Err(Stop::Input(error)) => Ok(Err(error)),
    }
}

fn print_table(
    table: &Table<'_>,
    columns: Option<Vec<Column<'_>>>,
    values: &Values,
    wanted: &[Chosen],
    arguments: &Arguments,
    context: &mut Context<'_>,
) -> io::Result<Result<(), Failure>> {
    let rows: Vec<Axis> = wanted.iter().flat_map(Chosen::axes).collect();
    let count = rows.iter().map(|axis| axis.count).fold(0, u64::saturating_add);
    let is_shown = arguments.json || arguments.all || count <= table_text::MOST_ROWS;
    if is_shown
        && columns.is_none()
        && count == table.rows()
        && let Err(error) = table.ensure_rest()
    {
        return Ok(Err(error.into()));
    }
    if arguments.json {
        let slice = values.slice.as_ref().map(ToString::to_string);
        let columns = columns.unwrap_or_else(|| table.columns().collect());
        let printed = table_json::Printed { table, columns, rows: &rows, slice };
        return Ok(table_json::print(&printed, context.out.machine())?.map_err(Failure::Error));
    }
    // Rows that were requested by their number are all shown.
    let all = arguments.all || arguments.head.is_some() || arguments.tail.is_some();
    if !all {
        context.out.begin_room(values.length);
    }
    let shown = table_text::Shown { table, columns, rows: &rows, all };
    let printed = table_text::print(&shown, context.width, &mut context.out)?;
    if !all {
        context.out.end_room()?;
    }
    Ok(printed.map_err(Failure::Error))
}

/// The columns of these names, or `None` if none is named.
fn columns<'t>(table: &'t Table<'_>, names: &[String]) -> Result<Option<Vec<Column<'t>>>, Failure> {
    let column = |name: &String| match table.column(name) {
        Err(Error::NoColumn { .. }) => {
            let near = nearest(name, table.columns().map(|column| column.name()));
            let near = near.map_or_else(String::new, |near| format!("; did you mean \"{near}\"?"));
            Err(Failure::Words(format!("there is no column \"{name}\"{near}")))
        }
        column => Ok(column?),
    };
    if names.is_empty() { Ok(None) } else { names.iter().map(column).collect::<Result<_, _>>().map(Some) }
}
