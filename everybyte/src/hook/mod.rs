//! The hooks that `#[layout]` adds to fields: parsers that wrap the field's own parser and record its position.
//!
//! Recording is off unless [`crate::trace`] runs. While it is off, a hook costs one check of a thread-local number.

mod arithmetic;
mod bits;
mod chained;
mod constants;
mod derived;
mod field;
mod inline;
mod joined;
mod limited;
mod lists;
mod offset_value;
mod opens;
mod placed;
mod placing;
mod shown;
mod single;
mod states;

/// For generated code that must not depend on the user's version of binrw.
pub use binrw;

pub use crate::fields::{Counted, OfBytes};
pub use crate::label::{Label, Show};
pub use crate::passes::is_all;
pub use arithmetic::{Arithmetic, Operand, Operator, computed};
pub use bits::{
    NamesOf, Run, RunOfCodes, RunOfNumbers, ShownRun, bits_at, read_runs, refused_run, run, run_at, with_run,
};
pub use chained::{chain_offsets, chained, link};
pub use constants::{Constant, Named, Number};
pub use derived::{
    Asked, AskedNothing, AskedNumber, At, Kept, Settled, blank, count_of, ensure_check, ensure_stated, judged_later,
    number, own, rule, summed, wanted, wanted_run, words,
};
pub use field::{Field, Held, NoArguments, Readable, Writable, bare, field, recorded, written};
#[cfg(feature = "arbitrary")]
pub use field::{Made, alternative_of, nested};
pub use inline::{Inline, inline, inline_counted, sized_inline, value_or_name};
pub use joined::{joined, piece};
pub use limited::{Limited, exactly, size, sized};
pub use lists::{Array, Element, Text, array, bare_array, counted, counted_text};
pub use offset_value::OffsetValue;
pub use opens::{codec, ensure_content, opened, packed};
pub use placed::{Place, UNSIZED, arguments, each_placed, each_placed_or_none, placed, placed_or_none, places};
pub use placing::{
    SettledList, Slots, unset_list, write_each_placed, write_each_placed_option, write_placed, write_placed_option,
};
pub use shown::{calculated, valued};
pub use single::{bytes, one_of, ordered_form, single_form};

use crate::depth;
use crate::error::Problem;
use crate::peek;
use crate::pieces;
use crate::reading;
use crate::recorder;
use crate::reference::Layout;
use binrw::io::{Read, Seek};
use binrw::{BinRead, BinResult, BinWrite, Endian};

/// The binrw version that everybyte uses. A crate that uses `#[layout]` must depend on the same version.
#[diagnostic::on_unimplemented(
    message = "this crate depends on another version of `binrw` than `everybyte`",
    label = "another version",
    note = "write `binrw = \"0.15\"` into the dependencies of this crate"
)]
pub trait SameBinrw {}

impl SameBinrw for Endian {}

/// Compiles only for a type from the binrw version that everybyte uses.
pub const fn assert_same_binrw<T: SameBinrw>() {}

/// Returns a parser for a mapped field: the argument of the mapping function is read as its type specifies.
pub fn mapped<'a, V: BinRead + Layout, R: Read + Seek>(
    label: &'static Label,
) -> impl Fn(&mut R, Endian, V::Args<'a>) -> BinResult<V> {
    move |reader, endian, args| reading::field(reader, (label, endian), |reader| V::read_options(reader, endian, args))
}

/// Returns a parser for a field with assertions, which are checked after the field is read. Its node is complete once they hold.
pub fn asserted<V, A, R>(
    parse: impl Fn(&mut R, Endian, A) -> BinResult<V>,
) -> impl Fn(&mut R, Endian, A) -> BinResult<V> {
    move |reader, endian, args| {
        let value = parse(reader, endian, args)?;
        if recorder::is_on() {
            recorder::set_last_child_complete(false);
        }
        Ok(value)
    }
}

/// Runs after the assertions of a field hold.
pub fn assertions_hold() -> bool {
    if recorder::is_on() {
        recorder::set_last_child_complete(true);
    }
    true
}

/// Runs before the fields of an enum variant. Discards everything that an earlier variant recorded before it failed.
pub fn alternative<R: Seek>(name: &'static str) -> impl Fn(&mut R, Endian, ()) -> BinResult<()> {
    move |reader, _, ()| {
        depth::ensure()?;
        pieces::give_up(reader)?;
        match recorder::is_on() {
            true => recorder::begin_alternative(name),
            false => peek::start_over(),
        }
        Ok(())
    }
}

/// The problem for a value that selects no alternative.
pub fn no_alternative(value: &dyn std::fmt::Debug) -> Problem {
    Problem::Invalid(format!("no alternative is declared for {value:?}"))
}

/// The index of the alternative that a value selects. If there is no such alternative, an error is recorded for the last one.
pub fn alternative_for(place: Option<usize>, last: &'static str, value: &dyn std::fmt::Debug) -> BinResult<usize> {
    place.ok_or_else(|| {
        let problem = no_alternative(value);
        recorder::note(Some(last), &problem);
        binrw::Error::Custom { pos: 0, err: Box::new(problem) }
    })
}

/// The error for an alternative whose condition does not hold.
#[derive(Debug, Clone, Copy)]
pub struct Otherwise;

impl std::fmt::Display for Otherwise {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("another alternative is here")
    }
}

/// Returns a parser for fixed bytes.
pub fn magic<V, R: Read + Seek>(label: &'static Label, expected: V) -> impl Fn(&mut R, Endian, ()) -> BinResult<V>
where
    V: Layout + PartialEq + for<'a> BinRead<Args<'a> = ()> + for<'a> BinWrite<Args<'a> = ()>,
{
    move |reader, endian, ()| {
        reading::field(reader, (label, endian), |reader| one_of(reader, endian, std::slice::from_ref(&expected)))
    }
}
