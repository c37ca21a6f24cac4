//! `ndbytes show`

use crate::commands::out::{Content, Out};
use crate::commands::pictures::{GraphicsArgument, failure, print};
use crate::context::{Context, Outcome};
use crate::report::written;
use crate::show::style;
use crate::show::text;
use crate::values::open::{Failure, Values, values};
use crate::values::tolerate::{Tolerate, print_known};
use clap::builder::{OsStringValueParser, TypedValueParser};
use ndbytes::{File, Limits};
use ndbytes_pictures::{Choice, Drawing, Kind, Medium, Scaling, choose, draw};
use std::io;
use std::path::{Path, PathBuf};

/// Draw arrays: images in grey or in colours, sheets of images, planes of numbers as heat maps, lists as lines, histograms.
///
/// The shape and the type choose the picture, and `--as` another one. All values are read. The terminal shows pixels where its
/// environment says that it does, and else coloured blocks. In a pipe there are plain characters. A path may end with a slice
/// in NumPy's syntax, as for `cat`: `volume.b2nd[12]`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Draw this kind of picture.
    #[arg(long = "as", value_name = "KIND", value_enum)]
    kind: Option<KindArgument>,
    /// How numbers of a heat map become colours.
    #[arg(long, value_name = "SCALE", value_enum, default_value_t)]
    scale: ScaleArgument,
    /// How the terminal gets the picture. `auto` asks its environment: TERM, TERM_PROGRAM, KITTY_WINDOW_ID and others.
    #[arg(long, value_name = "WAY", value_enum, default_value_t, conflicts_with = "out")]
    graphics: GraphicsArgument,
    /// Write the picture to FILE, which ends with `.png` or `.svg`.
    #[arg(long, value_name = "FILE", value_parser = picture_file())]
    out: Option<PathBuf>,
    /// Replace a file of a format that ndbytes knows.
    #[arg(long, requires = "out")]
    force: bool,
    #[command(flatten)]
    tolerate: Tolerate,
    /// A file, with a slice if need be; `-` is standard input.
    #[arg(value_name = "PATH")]
    path: PathBuf,
}

/// The kind of a picture.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum KindArgument {
    /// The first image, in grey or in colours.
    Image,
    /// Images, side by side.
    Sheet,
    /// Planes of numbers as colours, with a scale.
    Heat,
    /// All items one after the other, with axes. Each column spans the least and the greatest of its items.
    Line,
    /// The number of values in ranges.
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

/// How numbers become colours.
#[derive(Debug, Clone, Copy, Default, clap::ValueEnum)]
enum ScaleArgument {
    /// From the least to the greatest.
    #[default]
    Linear,
    /// By rank, which shows differences next to outliers.
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

/// The parser of the name of a picture's file, which need not be Unicode.
pub fn picture_file() -> impl TypedValueParser<Value = PathBuf> {
    OsStringValueParser::new().try_map(|path| match encoder(Path::new(&path)) {
        Some(_) => Ok(path.into()),
        None => Err("the name of a picture ends with .png or .svg"),
    })
}

/// The encoding of a picture, by the end of its name.
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
    let opened = values(path, &arguments.tolerate.among(1), context);
    let drawn = opened.and_then(|values| Ok((drawing(&values, arguments, medium, limits)?, values)));
    let (drawing, values) = match drawn {
        Ok(drawn) => drawn,
        Err(failure) => return failure.refuse(path, context),
    };
    let outcome = match out {
        Some(out) => written(save(&drawing, out, context), path, context)?,
        None => print(&drawing, arguments.graphics, context).map(|()| Outcome::Clean)?,
    };
    print_known(path, &values.file, context)?;
    Ok(outcome)
}

/// The drawing of the values that a path names.
fn drawing(values: &Values, arguments: &Arguments, medium: Medium, limits: Limits) -> Result<Drawing, Failure> {
    let File::Array(array) = &values.file else {
        return Err(Failure::Words(
            "pictures are made of arrays, and this is a table; `stats` has its histograms".into(),
        ));
    };
    let mut items = array.select(values.chosen()?.elements())?;
    let name = text::path(&arguments.path);
    let title = style::heading(&name, &items.item_type().to_string(), items.shape());
    let choice = Choice::new(medium.room()).scaling(arguments.scale.into());
    let choice = arguments.kind.map_or(choice, |kind| choice.kind(kind.into()));
    let pictures = choose(&mut *items, &choice, limits).map_err(failure)?;
    Ok(draw(&pictures, &title, medium))
}

/// Writes a picture to a file, and prints its path.
pub fn save(drawing: &Drawing, out: &Path, context: &mut Context<'_>) -> ndbytes::Result<()> {
    let encoder = encoder(out).expect("the name was looked at when the arguments were read");
    let bytes = encoder(drawing);
    context.limits.ensure_output("the picture", bytes.len() as u64)?;
    ndbytes::replace_file(out, &bytes)?;
    // A failure here cannot be reported to anybody.
    let _ = writeln!(context.err, "the picture is in {}", text::path(out));
    Ok(())
}
