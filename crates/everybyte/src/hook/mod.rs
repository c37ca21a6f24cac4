//! The hooks that `#[layout]` gives to fields: parsers that stand in for a field's own, and record where it stands.
//!
//! Recording is off unless [`crate::trace`] runs. While it is off, a hook costs one look at a thread-local number.

mod arithmetic;
mod constants;
mod derived;
mod field;
mod inline;
mod joined;
mod limited;
mod lists;
mod opens;
mod placed;
mod placing;
mod shown;
mod single;
mod whole;

/// For what the macro itself implements, where the binrw of its user makes no difference.
pub use binrw;

pub use crate::fields::{Counted, OfBytes};
pub use crate::label::{Label, Show};
pub use crate::passes::is_all;
pub use arithmetic::{Arithmetic, Operand, Operator, computed};
pub use constants::{Constant, Named, Number};
pub use derived::{
    Asked, AskedNothing, AskedNumber, At, Kept, Settled, count_of, judged_later, number, own, rule, summed, wanted,
    wanted_run, words,
};
pub use field::{Field, Held, NoArguments, Readable, Writable, bare, field, recorded, written};
#[cfg(feature = "arbitrary")]
pub use field::{Made, alternative_of, nested};
pub use inline::{Inline, inline, inline_counted, sized_inline, value_or_name};
pub use joined::{joined, piece};
pub use limited::{Limited, exactly, size, sized};
pub use lists::{Array, Element, Text, array, bare_array, counted, counted_text};
pub use opens::{codec, ensure_content, opened, packed};
pub use placed::{Place, UNSIZED, arguments, each_placed, each_placed_or_none, placed, placed_or_none, places};
pub use placing::{
    SettledList, Slots, unset_list, write_each_placed, write_each_placed_option, write_placed, write_placed_option,
};
pub use shown::{calculated, valued};
pub use single::{bytes, one_of, ordered_form, single_form};
pub use whole::Whole;

use crate::depth;
use crate::error::Problem;
use crate::glance;
use crate::pieces;
use crate::reading;
use crate::recorder;
use crate::reference::Layout;
use binrw::io::{Read, Seek};
use binrw::{BinRead, BinResult, BinWrite, Endian};

/// The binrw that everybyte uses. `#[layout]` requires it of the crate that it stands in.
#[diagnostic::on_unimplemented(
    message = "this crate depends on another version of `binrw` than `everybyte`",
    label = "another version",
    note = "write `binrw = \"0.15\"` into the dependencies of this crate"
)]
pub trait SameBinrw {}

impl SameBinrw for Endian {}

/// Compiles only for a type of the binrw that everybyte uses.
pub const fn assert_same_binrw<T: SameBinrw>() {}

/// A field that is mapped: the argument of the function that maps it is read the way its type says.
pub fn mapped<'a, V: BinRead + Layout, R: Read + Seek>(
    label: &'static Label,
) -> impl Fn(&mut R, Endian, V::Args<'a>) -> BinResult<V> {
    move |reader, endian, args| reading::field(reader, (label, endian), |reader| V::read_options(reader, endian, args))
}

/// A field with assertions, which are looked at after it was read. Its node is complete once they hold.
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

/// Stands after the assertions of a field.
pub fn assertions_hold() -> bool {
    if recorder::is_on() {
        recorder::set_last_child_complete(true);
    }
    true
}

/// Stands before the fields of a data enum's variant: forgets what an earlier variant recorded before it failed.
pub fn alternative<R: Seek>(name: &'static str) -> impl Fn(&mut R, Endian, ()) -> BinResult<()> {
    move |reader, _, ()| {
        depth::ensure()?;
        pieces::give_up(reader)?;
        match recorder::is_on() {
            true => recorder::begin_alternative(name),
            false => glance::start_over(),
        }
        Ok(())
    }
}

/// The place of the alternative that a value chooses. Of a value that chooses none, this is an error, noted under the last one.
pub fn alternative_for(place: Option<usize>, last: &'static str, value: &dyn std::fmt::Debug) -> BinResult<usize> {
    place.ok_or_else(|| {
        let problem = Problem::Invalid(format!("no alternative is declared for {value:?}"));
        recorder::note(Some(last), &problem);
        binrw::Error::Custom { pos: 0, err: Box::new(problem) }
    })
}

/// The error of an alternative whose condition does not hold.
#[derive(Debug, Clone, Copy)]
pub struct Otherwise;

impl std::fmt::Display for Otherwise {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("another alternative stands here")
    }
}

/// Fixed bytes.
pub fn magic<V, R: Read + Seek>(label: &'static Label, expected: V) -> impl Fn(&mut R, Endian, ()) -> BinResult<V>
where
    V: Layout + PartialEq + for<'a> BinRead<Args<'a> = ()> + for<'a> BinWrite<Args<'a> = ()>,
{
    move |reader, endian, ()| {
        reading::field(reader, (label, endian), |reader| one_of(reader, endian, std::slice::from_ref(&expected)))
    }
}
