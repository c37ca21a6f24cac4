//! The values of an array.

use super::arguments::Arguments;
use crate::commands::pictures::{self, GraphicsArgument, failure};
use crate::context::Context;
use crate::show::array_json;
use crate::show::numpy_text::{Stop, write_array, write_whole};
use crate::show::printer::Text;
use crate::values::buffered::Buffered;
use crate::values::grid::Grid;
use crate::values::open::Failure;
use crate::values::slice::{Chosen, Slice};
use ndbytes::{Error, Items};
use ndbytes_pictures::{Choice, Drawing, Kind, PictureBudget, choose, draw};
use std::io;
use std::path::Path;

/// The maximum number of lines of an image that is drawn as text.
const TALLEST: usize = 2000;

/// The file that values come from.
#[derive(Clone, Copy)]
pub struct Source<'s> {
    /// The path as given by the user.
    pub path: &'s Path,
    pub slice: Option<&'s Slice>,
    /// The length of the file in bytes.
    pub length: u64,
}

/// Prints parts of an array.
///
/// # Errors
/// Inner error: the values cannot be read. Outer error: the output cannot be written.
pub fn print_array(
    grid: Grid<'_>,
    values: Source<'_>,
    wanted: &[Chosen],
    arguments: &Arguments,
    context: &mut Context<'_>,
) -> io::Result<Result<(), Failure>> {
    for (place, chosen) in wanted.iter().enumerate() {
        let mut items = match selected(grid, chosen) {
            Ok(items) => items,
            Err(failure) => return Ok(Err(failure)),
        };
        if arguments.json {
            // A value and its separator take at least two bytes.
            let shortest = items.count().saturating_mul(2);
            if let Err(error) = context.limits.ensure_output("the shortest JSON of the values", shortest) {
                return Ok(Err(error.into()));
            }
            let (slice, path) = (values.slice.map(ToString::to_string), values.path.display().to_string());
            let (format, item_type, is_fortran_order) = (grid.format(), grid.item_type(), grid.is_fortran_order());
            let items = &mut *items;
            let printed = array_json::Printed { format, item_type, is_fortran_order, items, slice, path: &path };
            match array_json::print(printed, context.out.machine())? {
                Ok(()) => continue,
                Err(error) => return Ok(Err(error.into())),
            }
        }
        if place > 0 {
            writeln!(context.out)?;
        }
        // An explicitly requested slice is not abbreviated.
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

/// Returns the selected items. This detects all errors that can be detected before anything is printed.
fn selected<'a>(grid: Grid<'a>, chosen: &Chosen) -> Result<Box<dyn Items + 'a>, Failure> {
    let mut items = grid.select(chosen)?;
    let count = items.count().min(1);
    items.read(0, count)?;
    Ok(items)
}

/// Returns the first items as images, or as planes of numbers.
fn sheet(items: &mut dyn Items, number: u64, context: &Context<'_>) -> Result<Drawing, Failure> {
    let medium = GraphicsArgument::Auto.medium(context.width, context);
    let room = medium.room();
    // Characters are coarse, so images take the whole width, and as much of the height as they need.
    let sides = (TALLEST, room.alone.1);
    let room = if medium.is_fine() { room } else { PictureBudget { alone: sides, among: sides, ..room } };
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
        // If the stream did not fail, the budget is used up.
        Err(Stop::Output) => text.error.map_or(Ok(Ok(())), Err),
        Err(Stop::Input(error)) => Ok(Err(error)),
    }
}
