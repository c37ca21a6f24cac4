//! `ndbytes show`

use crate::commands::out::{Content, Out};
use crate::commands::pictures::{GraphicsArgument, failure, print};
use crate::context::{Context, Outcome};
use crate::report::written;
use crate::show::style;
use crate::show::text;
use crate::values::grid::Grid;
use crate::values::open::{Failure, Named, named};
use crate::values::slice::Chosen;
use crate::values::tolerate::{Tolerate, print_known};
use clap::builder::{OsStringValueParser, TypedValueParser};
use ndbytes::{File, Limits};
use ndbytes_pictures::{Choice, Drawing, Kind, Medium, Scaling, choose, draw};
use std::io;
use std::path::{Path, PathBuf};

/// Draw an array as an image, heat map, line plot or histogram.
///
/// The shape and the element type determine the kind of picture; `--as` overrides it. All values are read. A path may
/// end with a slice in NumPy's syntax, as for `cat`: `volume.b2nd[12]`.
///
/// Terminals that support pixel graphics show pixels, and other terminals show coloured blocks. A pipe receives plain characters.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Draw this kind of picture.
    #[arg(long = "as", value_name = "KIND", value_enum)]
    kind: Option<KindArgument>,
    /// How a heat map maps numbers to colours.
    #[arg(long, value_name = "SCALE", value_enum, default_value_t)]
    scale: ScaleArgument,
    /// The graphics protocol to use. `auto` chooses one based on TERM, TERM_PROGRAM, KITTY_WINDOW_ID and other variables.
    #[arg(long, value_name = "WAY", value_enum, default_value_t, conflicts_with = "out")]
    graphics: GraphicsArgument,
    /// Write the picture to FILE (`.png` or `.svg`).
    #[arg(long, value_name = "FILE", value_parser = picture_file())]
    out: Option<PathBuf>,
    /// Overwrite an existing file in a known format.
    #[arg(long, requires = "out")]
    force: bool,
    #[command(flatten)]
    tolerate: Tolerate,
    /// A file, optionally with a slice; `-` is standard input.
    #[arg(help_heading = None::<&str>, value_name = "PATH")]
    path: PathBuf,
}

/// The kind of a picture.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum KindArgument {
    /// The first image, in grey or in colour.
    Image,
    /// Several images side by side.
    Sheet,
    /// Numbers as colours, with a colour scale.
    Heat,
    /// A line plot. Each pixel column spans the range of its items.
    Line,
    /// A histogram of the values.
    Histogram,
}

impl From<KindArgument> for Kind {
    fn from(kind: KindArgument) -> Self {
        match kind {
            KindArgument::Image => Kind::Image,
            KindArgument::Sheet => Kind::Sheet,
            KindArgument::Heat => Kind::Heat,
            KindArgument::Line => Kind::Line,
            KindArgument::Histogram => Kind::Histogram,
        }
    }
}

/// How numbers are mapped to colours.
#[derive(Debug, Clone, Copy, Default, clap::ValueEnum)]
enum ScaleArgument {
    /// Linear from the minimum to the maximum.
    #[default]
    Linear,
    /// By rank, so that outliers do not hide other differences.
    Rank,
}

impl From<ScaleArgument> for Scaling {
    fn from(scale: ScaleArgument) -> Self {
        match scale {
            ScaleArgument::Linear => Scaling::Linear,
            ScaleArgument::Rank => Scaling::Rank,
        }
    }
}

/// Returns the parser for the file name of a picture. The name need not be Unicode.
pub fn picture_file() -> impl TypedValueParser<Value = PathBuf> {
    OsStringValueParser::new().try_map(|path| match encoder(Path::new(&path)) {
        Some(_) => Ok(path.into()),
        None => Err("the name of a picture must end with .png or .svg"),
    })
}

/// Returns the encoding of a picture, by its extension.
fn encoder(path: &Path) -> Option<fn(&Drawing) -> Vec<u8>> {
    let extension = path.extension()?.to_str()?;
    if extension.eq_ignore_ascii_case("png") {
        Some(Drawing::to_png)
    } else if extension.eq_ignore_ascii_case("svg") {
        Some(|drawing| drawing.to_svg().into_bytes())
    } else {
        None
    }
}

/// Draws values in the terminal or, with `--out`, into a file.
pub fn run(arguments: &Arguments, context: &mut Context<'_>) -> io::Result<Outcome> {
    let path = &arguments.path;
    if let Some(out) = &arguments.out {
        let out = Out { path: out, input: path, is_walked: false, force: arguments.force, content: Content::Binary };
        if let Some(refusal) = out.refusal(context) {
            context.complain(&refusal)?;
            return Ok(Outcome::Unreadable);
        }
    }
    context.begin();
    let limits = context.limits;
    let (out, columns) = (arguments.out.as_deref(), context.width);
    let medium = if out.is_some() { Medium::IMAGE } else { arguments.graphics.medium(columns, context) };
    let opened = named(path, &arguments.tolerate.among(1), context);
    let drawn = opened.and_then(|named| Ok((drawing(&named, arguments, medium, limits)?, named)));
    let (drawing, named) = match drawn {
        Ok(drawn) => drawn,
        Err(failure) => return failure.refuse(path, context),
    };
    let outcome = match out {
        Some(out) => written(save(&drawing, out, context), path, context)?,
        None => print(&drawing, arguments.graphics, context).map(|()| Outcome::Clean)?,
    };
    match &named {
        Named::Values(values) => print_known(path, &values.file, context)?,
        #[cfg(feature = "convert")]
        Named::Foreign(_) => {}
    }
    Ok(outcome)
}

/// Returns the drawing of the values at a path.
fn drawing(named: &Named, arguments: &Arguments, medium: Medium, limits: Limits) -> Result<Drawing, Failure> {
    let refused =
        || Failure::Words("only arrays can be drawn, but this is a table; `stats` prints its histograms".into());
    match named {
        Named::Values(values) => {
            let File::Array(array) = &values.file else { return Err(refused()) };
            drawing_of(Grid::Array(array), &values.chosen()?, arguments, medium, limits)
        }
        #[cfg(feature = "convert")]
        Named::Foreign(foreign) if foreign.table().is_some() => Err(refused()),
        #[cfg(feature = "convert")]
        Named::Foreign(foreign) => {
            let array = foreign.array()?;
            let source = array.source();
            let chosen = crate::values::open::chosen(foreign.slice.as_ref(), source.shape())?;
            drawing_of(Grid::Foreign(&source, foreign.kind()), &chosen, arguments, medium, limits)
        }
    }
}

/// Returns the drawing of some items of an array.
fn drawing_of(
    grid: Grid<'_>,
    chosen: &Chosen,
    arguments: &Arguments,
    medium: Medium,
    limits: Limits,
) -> Result<Drawing, Failure> {
    let mut items = grid.select(chosen)?;
    let name = text::path(&arguments.path);
    let title = style::heading(&name, &items.item_type().to_string(), items.shape());
    let choice = Choice::new(medium.room()).scaling(arguments.scale.into());
    let choice = arguments.kind.map_or(choice, |kind| choice.kind(kind.into()));
    let pictures = choose(&mut *items, &choice, limits).map_err(failure)?;
    Ok(draw(&pictures, &title, medium))
}

/// Writes a picture to a file and prints its path.
pub fn save(drawing: &Drawing, out: &Path, context: &mut Context<'_>) -> ndbytes::Result<()> {
    let encoder = encoder(out).expect("the name was looked at when the arguments were read");
    let bytes = encoder(drawing);
    context.limits.ensure_output("the picture", bytes.len() as u64)?;
    ndbytes::replace_file(out, &bytes)?;
    // There is nowhere to report a failure here.
    let _ = writeln!(context.err, "wrote the picture {}", text::path(out));
    Ok(())
}
