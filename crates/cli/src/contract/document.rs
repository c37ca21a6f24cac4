//! The document of a contract, as TOML. `docs/src/contract.schema.json` has the same keys.

use super::lines::{Lined, at, line};
use super::terms::{Clause, ItemTypeTerm, Pattern, Shape};
use ndbytes_compare::diff::Tolerance;
use serde::Deserialize;
use serde::de::{Deserializer, Error, Visitor};
use std::collections::BTreeMap;
use std::fmt;
use toml::Spanned;

/// The limits of a contract: its length in bytes, the number of globs, the length of a glob, and the number of axes in a shape.
pub const LONGEST: u64 = 256 << 10;
const MOST_GLOBS: usize = 1000;
const LONGEST_GLOB: usize = 1000;
const MOST_AXES: usize = 255;

/// The maximum number of bytes in all globs, and the maximum number of wildcards. Each wildcard takes a few hundred
/// bytes of memory. In the worst case, all of them are examined for each byte of a path.
const LONGEST_GLOBS: usize = 32 << 10;
const MOST_WILDCARDS: usize = 4096;

/// The special characters in a glob.
pub const WILDCARDS: [char; 5] = ['*', '?', '[', '{', ','];

/// The complete document.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    #[serde(default)]
    files: BTreeMap<Spanned<String>, Table>,
}

/// The table of a glob.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    r#type: Option<Spanned<String>>,
    shape: Option<Spanned<Vec<Length>>>,
    range: Option<Spanned<[f64; 2]>>,
    nan: Option<Spanned<bool>>,
    pair: Option<Spanned<String>>,
    tolerance: Option<Spanned<ToleranceTable>>,
}

/// The tolerance of comparisons, as in the options of `diff`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ToleranceTable {
    #[serde(default)]
    atol: f64,
    #[serde(default)]
    rtol: f64,
    #[serde(default)]
    ulp: u64,
}

/// The length of an axis: a number, or `_` for any length.
struct Length(Option<u64>);

impl<'de> Deserialize<'de> for Length {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Lengths;

        impl Visitor<'_> for Lengths {
            type Value = Length;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a length, or \"_\" for any length")
            }

            fn visit_i64<E: Error>(self, number: i64) -> Result<Length, E> {
                let length = u64::try_from(number).map_err(|_| E::custom("a length is not negative"))?;
                Ok(Length(Some(length)))
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Length, E> {
                match text {
                    "_" => Ok(Length(None)),
                    _ => Err(E::custom("a length is a number, or \"_\" for any length")),
                }
            }
        }

        from.deserialize_any(Lengths)
    }
}

/// Returns the clauses of a contract, in the order of the text.
///
/// # Errors
/// A sentence that names the line.
pub fn read(text: &str) -> Result<Vec<Clause>, String> {
    let document: Document =
        toml::from_str(text).map_err(|error| at(text, error.span(), error.message().trim_end()))?;
    if document.files.len() > MOST_GLOBS {
        return Err(format!("it has {} globs, but at most {MOST_GLOBS} are allowed", document.files.len()));
    }
    let globs = || document.files.keys().map(Spanned::get_ref);
    let (length, wildcards) =
        (globs().map(String::len).sum::<usize>(), globs().map(|it| it.matches(WILDCARDS).count()));
    let wildcards: usize = wildcards.sum();
    if length > LONGEST_GLOBS || wildcards > MOST_WILDCARDS {
        return Err(format!(
            "its globs have {length} bytes with {wildcards} of `*`, `?`, `[`, `{{` and `,`; \
             {LONGEST_GLOBS} bytes with {MOST_WILDCARDS} of these are allowed"
        ));
    }
    let mut tables: Vec<_> = document.files.into_iter().collect();
    tables.sort_by_key(|(glob, _)| glob.span().start);
    tables.into_iter().map(|(glob, table)| clause(text, &glob, table)).collect()
}

/// Reads the table of a glob. Errors name the line of the key.
fn clause(text: &str, glob: &Spanned<String>, table: Table) -> Result<Clause, String> {
    let about = |span, reason: &str| at(text, Some(span), reason);
    let name = glob.get_ref();
    if name.len() > LONGEST_GLOB {
        return Err(about(glob.span(), &format!("a glob has at most {LONGEST_GLOB} bytes")));
    }
    let glob = Pattern::new(name).map_err(|reason| about(glob.span(), &reason))?;
    Ok(Clause {
        item_type: lined(text, table.r#type, |name| ItemTypeTerm::new(&name))?,
        shape: lined(text, table.shape, shape)?,
        range: lined(text, table.range, range)?,
        nan: lined(text, table.nan, Ok)?,
        pair: lined(text, table.pair, |pair| glob.pair(&pair))?,
        tolerance: lined(text, table.tolerance, |table| tolerance(&table))?,
        glob,
    })
}

/// Returns a value with its line, converted by `make`.
fn lined<A, B>(
    text: &str,
    value: Option<Spanned<A>>,
    make: impl FnOnce(A) -> Result<B, String>,
) -> Result<Option<Lined<B>>, String> {
    let Some(value) = value else { return Ok(None) };
    let span = value.span();
    let made = make(value.into_inner()).map_err(|reason| at(text, Some(span.clone()), &reason))?;
    Ok(Some(Lined { value: made, line: line(text, span.start) }))
}

/// Reads a shape with a limited number of axes.
fn shape(lengths: Vec<Length>) -> Result<Shape, String> {
    match lengths.len() > MOST_AXES {
        true => Err(format!("a shape has at most {MOST_AXES} axes")),
        false => Ok(Shape(lengths.into_iter().map(|length| length.0).collect())),
    }
}

/// Reads a range, which must not be empty. NaN as a bound is also refused.
fn range([least, most]: [f64; 2]) -> Result<[f64; 2], String> {
    match least <= most {
        true => Ok([least, most]),
        false => Err("a range is the minimum and the maximum, in this order".to_owned()),
    }
}

/// Reads a tolerance: finite numbers that are not negative.
fn tolerance(table: &ToleranceTable) -> Result<Tolerance, String> {
    let is_number = |number: f64| number >= 0.0 && number.is_finite();
    match is_number(table.atol) && is_number(table.rtol) {
        true => Ok(Tolerance::exact().absolute(table.atol).relative(table.rtol).ulp(table.ulp)),
        false => Err("`atol` and `rtol` must not be negative".to_owned()),
    }
}
