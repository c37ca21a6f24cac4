//! Reads tables of variable-length entries. Each entry is charged to the memory limit when it is read.

use crate::bytes::input::Input;
use crate::bytes::limits::{Debit, grown};
use crate::error::{Error, Result};
use everybyte::{BinRead, Endian, Layout, ParseError, Source, trace::read_next};
use std::cell::RefCell;
use std::ops::Range;

/// Entries, each with its position in the file.
pub(crate) struct Entries<'b, T> {
    pub entries: Vec<(T, Range<u64>)>,
    /// The position of the whole table.
    pub place: Range<u64>,
    /// The debit for the list itself.
    pub listed: Debit<'b>,
}

/// Reads the table that begins at `offset`. `begin` reads the fields before the entries, and returns their number.
///
/// The memory that the entries occupy is permanently debited from the input's budget. The list is debited for as long as it exists.
///
/// # Errors
/// Inner error: any error in the table. Outer error: [`Error::Limit`] or [`Error::Io`].
pub(crate) fn entries<'a, 'i, T>(
    input: &'i Input<'_>,
    offset: u64,
    name: &str,
    what: &'static str,
    begin: impl Fn(&mut Source<'_>) -> Result<u64, Box<ParseError>>,
    args: T::Args<'a>,
) -> Result<Result<Entries<'i, T>, Box<ParseError>>>
where
    T: BinRead + Layout,
    T::Args<'a>: Clone,
{
    let refused: RefCell<Option<Error>> = RefCell::default();
    let read = input.parse_at(offset, |mut source| {
        let (held, listed) = (Debit::new(input.budget()), Debit::new(input.budget()));
        let count = begin(&mut source)?;
        let mut entries: Vec<(T, Range<u64>)> = Vec::new();
        for number in 0..count {
            if let Err(error) = input.budget().ensure_time() {
                *refused.borrow_mut() = Some(error);
                break;
            }
            let start = source.position();
            let entry = read_next::<T>(&mut source, Endian::Little, args.clone()).map_err(|mut error| {
                error.path = format!("{name}[{number}].{}", error.path);
                error
            })?;
            let needed = grown::<(T, Range<u64>)>(1);
            let debited = held.take(entry.heap(), what).and_then(|()| listed.take(needed, what));
            let room =
                debited.and_then(|()| entries.try_reserve(1).map_err(|_| Error::Limit { what, needed, left: 0 }));
            if let Err(error) = room {
                *refused.borrow_mut() = Some(error);
                break;
            }
            entries.push((entry, start..source.position()));
        }
        held.keep();
        Ok(Entries { entries, place: offset..source.position(), listed })
    })?;
    match refused.into_inner() {
        Some(error) => Err(error),
        None => Ok(read),
    }
}
