//! Lists, which are indexed if all elements have the same size and walked otherwise.
//!
//! Creating a list parses nothing. It only checks that the bytes can hold the stated number of elements, so its length can be
//! trusted afterwards. Elements of one size are split off a slice in a loop whose number of iterations the compiler can determine.
//! Elements of different sizes are measured one by one, and the first error ends the iteration.

use super::frame::{Frame, element, element_of};
use super::viewed::Viewed;
use crate::error::ParseError;
use std::fmt;

/// A list whose length the file states.
///
/// ```
/// use everybyte::{Endian, layout, view::view};
///
/// #[layout(view)]
/// struct Numbers {
///     #[br(temp)]
///     count: u8,
///     #[br(count = count)]
///     numbers: Vec<u16>,
/// }
///
/// let file = b"\x02\x07\0\x08\0";
/// let numbers = view::<Numbers>(file, Endian::Little)?.numbers()?;
/// assert_eq!((numbers.len(), numbers.get(1)?, numbers.get(2)?), (2, Some(8), None));
/// # Ok::<(), Box<everybyte::ParseError>>(())
/// ```
pub struct List<'a, T: Viewed> {
    walk: Walk<'a, T>,
    count: usize,
}

/// The elements that fill a number of bytes.
///
/// ```
/// use everybyte::{Endian, layout, list::filling, view::view};
///
/// #[layout(view)]
/// struct Numbers {
///     #[br(parse_with = filling(u64::MAX))]
///     numbers: Vec<u16>,
/// }
///
/// let file = b"\x07\0\x08\0";
/// let numbers = view::<Numbers>(file, Endian::Little)?.numbers()?;
/// assert_eq!((numbers.count()?, numbers.get(1)?, numbers.get(2)?), (2, Some(8), None));
/// # Ok::<(), Box<everybyte::ParseError>>(())
/// ```
pub struct Filling<'a, T: Viewed> {
    walk: Walk<'a, T>,
}

/// An iterator over the elements of a list. It ends after an element that cannot be skipped.
///
/// ```
/// use everybyte::{Endian, layout, list::filling, view::view};
///
/// #[layout(view)]
/// struct Numbers {
///     #[br(parse_with = filling(u64::MAX))]
///     numbers: Vec<u16>,
/// }
///
/// let file = b"\x07\0\x08\0\x09";
/// let numbers = view::<Numbers>(file, Endian::Little)?.numbers()?;
/// let mut iter = numbers.iter();
/// assert_eq!((iter.next(), iter.next()), (Some(Ok(7)), Some(Ok(8))));
/// assert!(iter.next().is_some_and(|cut| cut.is_err()) && iter.next().is_none());
/// # Ok::<(), Box<everybyte::ParseError>>(())
/// ```
pub struct Iter<'a, T: Viewed> {
    walk: Walk<'a, T>,
}

/// Walks the elements from an index on.
struct Walk<'a, T: Viewed> {
    /// The bytes from the next element; for fixed-size elements, they end with the last element.
    frame: Frame<'a>,
    args: T::Args,
    /// The number of elements left, if they have different sizes.
    left: usize,
    /// The number of bytes in which further elements may begin, if they have different sizes.
    room: usize,
}

impl<'a, T: Viewed> List<'a, T> {
    /// Creates a list of this many elements.
    ///
    /// # Errors
    /// Fails if there are too few bytes.
    #[doc(hidden)]
    #[inline]
    pub fn new(frame: Frame<'a>, count: usize, args: T::Args) -> Result<Self, Box<ParseError>> {
        const { assert!(T::MIN_SIZE > 0, "elements without a least size would make their count unbounded") };
        let Some(least) = (count as u64).checked_mul(T::MIN_SIZE).and_then(|least| frame.holds(least)) else {
            return Err(frame.too_many(count as u64, T::MIN_SIZE));
        };
        let frame = if T::SIZE.is_some() { frame.cut(least) } else { frame };
        Ok(List { walk: Walk { frame, args, left: count, room: usize::MAX }, count })
    }

    /// The number of elements.
    #[inline]
    pub fn len(&self) -> usize {
        self.count
    }

    /// Returns whether the list is empty.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Returns an element; `None` after the last one. This walks all elements before it, unless they all have the same
    /// size.
    ///
    /// # Errors
    /// Fails if the element cannot be viewed or if an element before it cannot be skipped.
    #[inline]
    pub fn get(&self, index: usize) -> Result<Option<T::View<'a>>, Box<ParseError>> {
        if index < self.count { self.walk.at(index) } else { Ok(None) }
    }

    /// The elements.
    #[inline]
    pub fn iter(&self) -> Iter<'a, T> {
        Iter { walk: self.walk }
    }

    /// The number of bytes that the elements take.
    #[doc(hidden)]
    #[inline]
    pub fn length(&self) -> Result<usize, Box<ParseError>> {
        self.walk.length()
    }

    /// Visits all elements and returns whether they equal the elements of a list.
    #[doc(hidden)]
    pub fn agrees(&self, values: Option<&[T]>) -> Result<bool, Box<ParseError>> {
        Ok(self.walk.agree(values)? && values.is_none_or(|values| values.len() == self.count))
    }
}

impl<'a, T: Viewed> Filling<'a, T> {
    /// Creates the list of elements that start within the first `length` bytes.
    #[doc(hidden)]
    #[inline]
    pub fn new(frame: Frame<'a>, length: u64, args: T::Args) -> Self {
        const { assert!(T::MIN_SIZE > 0, "elements that can be empty would make their number unbounded") };
        let room = frame.holds(length).unwrap_or(frame.bytes().len());
        // The last element may extend further.
        let frame = match T::SIZE.and_then(|size| usize::try_from(size).ok()) {
            Some(size) => frame.cut(room.div_ceil(size).saturating_mul(size)),
            None => frame,
        };
        Filling { walk: Walk { frame, args, left: usize::MAX, room } }
    }

    /// The number of elements. This walks all elements, unless they all have the same size.
    ///
    /// # Errors
    /// Fails if an element cannot be skipped.
    pub fn count(&self) -> Result<usize, Box<ParseError>> {
        match T::SIZE.and_then(|size| usize::try_from(size).ok()) {
            Some(size) => Ok(self.walk.room.div_ceil(size)),
            None => {
                let (mut walk, mut count) = (self.walk, 0);
                while walk.pass()?.is_some() {
                    count += 1;
                }
                Ok(count)
            }
        }
    }

    /// Returns an element; `None` after the last one. This walks all elements before it, unless they all have the same
    /// size.
    ///
    /// # Errors
    /// Fails if the element cannot be viewed or if an element before it cannot be skipped.
    #[inline]
    pub fn get(&self, index: usize) -> Result<Option<T::View<'a>>, Box<ParseError>> {
        self.walk.at(index)
    }

    /// The elements.
    #[inline]
    pub fn iter(&self) -> Iter<'a, T> {
        Iter { walk: self.walk }
    }

    /// The number of bytes that the elements take.
    #[doc(hidden)]
    #[inline]
    pub fn length(&self) -> Result<usize, Box<ParseError>> {
        self.walk.length()
    }

    /// Visits all elements and returns whether they equal the elements of a list.
    #[doc(hidden)]
    pub fn agrees(&self, values: Option<&[T]>) -> Result<bool, Box<ParseError>> {
        Ok(self.walk.agree(values)? && values.is_none_or(|values| Ok(values.len()) == self.count()))
    }
}

impl<'a, T: Viewed> Walk<'a, T> {
    /// The size of every element.
    const SIZE: Option<usize> = match T::SIZE {
        Some(size) => Some(size as usize),
        None => None,
    };

    /// The frame of the next element.
    fn here(&self) -> Option<Frame<'a>> {
        match Self::SIZE {
            Some(size) => (!self.frame.bytes().is_empty()).then(|| self.frame.cut(size)),
            None => (self.left > 0 && self.room > 0).then_some(self.frame),
        }
    }

    /// Moves past the next element, which takes this many bytes.
    #[inline]
    fn move_by(&mut self, length: usize) {
        self.frame = self.frame.past(length);
        (self.left, self.room) = (self.left.saturating_sub(1), self.room.saturating_sub(length));
    }

    /// Moves past the next element. Returns its length.
    fn pass(&mut self) -> Result<Option<usize>, Box<ParseError>> {
        let Some(frame) = self.here() else { return Ok(None) };
        let length = T::length(frame, self.args);
        match &length {
            Ok(length) => self.move_by(*length),
            Err(_) => self.end(),
        }
        length.map(Some)
    }

    /// Ends the list.
    fn end(&mut self) {
        (self.left, self.room, self.frame) = (0, 0, self.frame.past(usize::MAX));
    }

    /// The next element.
    #[inline]
    fn next(&mut self) -> Option<Result<T::View<'a>, Box<ParseError>>> {
        let Some(size) = Self::SIZE else { return self.next_of_any_size() };
        // The compiler can determine the number of iterations, because it depends only on the slice.
        if let Some((first, rest)) = self.frame.split(size) {
            self.frame = rest;
            return Some(T::at(first, self.args));
        }
        let cut = self.frame;
        self.end();
        refused::<T>(cut, self.args).map(Err)
    }

    #[inline]
    fn next_of_any_size(&mut self) -> Option<Result<T::View<'a>, Box<ParseError>>> {
        if self.left == 0 || self.room == 0 {
            return None;
        }
        let frame = self.frame;
        let view = T::length(frame, self.args).and_then(|length| {
            self.move_by(length);
            T::at(frame, self.args)
        });
        if view.is_err() {
            self.end();
        }
        Some(view)
    }

    /// Returns the element after this many other elements.
    #[inline]
    fn at(mut self, index: usize) -> Result<Option<T::View<'a>>, Box<ParseError>> {
        if let Some(size) = Self::SIZE {
            self.frame = self.frame.past(index.saturating_mul(size));
        } else {
            for before in 0..index {
                if self.pass().map_err(|error| element(error, before))?.is_none() {
                    return Ok(None);
                }
            }
        }
        self.next().transpose().map_err(|error| element(error, index))
    }

    fn length(mut self) -> Result<usize, Box<ParseError>> {
        if let Some(size) = Self::SIZE
            && self.frame.bytes().len().is_multiple_of(size)
        {
            return Ok(self.frame.bytes().len());
        }
        let (mut length, mut index) = (0, 0);
        while let Some(frame) = self.here() {
            let taken = self.pass().map_err(|error| element_of::<T>(error, frame, index))?;
            (length, index) = (length + taken.unwrap_or(0), index + 1);
        }
        Ok(length)
    }

    fn agree(mut self, values: Option<&[T]>) -> Result<bool, Box<ParseError>> {
        let (mut agree, mut index) = (true, 0);
        while let Some(frame) = self.here() {
            let value = values.and_then(|values| values.get(index));
            let view = T::at(frame, self.args);
            agree &= value.is_some() || values.is_none();
            let agrees = view.and_then(|view| T::agrees(&view, value));
            agree &= agrees.map_err(|error| element_of::<T>(error, frame, index))?;
            self.pass().map_err(|error| element(error, index))?;
            index += 1;
        }
        Ok(agree)
    }
}

/// Returns the error of a fixed-size element with missing bytes; `None` if no bytes are missing. If such an element had
/// a view, all other elements would need this check.
#[cold]
#[inline(never)]
fn refused<T: Viewed>(cut: Frame<'_>, args: T::Args) -> Option<Box<ParseError>> {
    let error = || T::length(cut, args).err().unwrap_or_else(|| cut.short(T::MIN_SIZE));
    (!cut.bytes().is_empty()).then(error)
}

impl<'a, T: Viewed> Iterator for Iter<'a, T> {
    type Item = Result<T::View<'a>, Box<ParseError>>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        self.walk.next()
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.walk.frame.bytes().len();
        match Walk::<T>::SIZE {
            Some(size) => (left.div_ceil(size).min(1), Some(left.div_ceil(size))),
            None => (0, Some(self.walk.left.min(left))),
        }
    }
}

impl<T: Viewed> Clone for Walk<'_, T> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Viewed> Copy for Walk<'_, T> {}

impl<T: Viewed> Clone for Iter<'_, T> {
    #[inline]
    fn clone(&self) -> Self {
        Iter { walk: self.walk }
    }
}

impl<T: Viewed> Clone for List<'_, T> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Viewed> Copy for List<'_, T> {}

impl<T: Viewed> Clone for Filling<'_, T> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Viewed> Copy for Filling<'_, T> {}

impl<T: Viewed> fmt::Debug for List<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} elements at byte {}", self.count, self.walk.frame.start())
    }
}

impl<T: Viewed> fmt::Debug for Filling<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "elements at byte {}", self.walk.frame.start())
    }
}

impl<'a, T: Viewed> IntoIterator for List<'a, T> {
    type Item = Result<T::View<'a>, Box<ParseError>>;
    type IntoIter = Iter<'a, T>;

    fn into_iter(self) -> Iter<'a, T> {
        Iter { walk: self.walk }
    }
}

impl<'a, T: Viewed> IntoIterator for Filling<'a, T> {
    type Item = Result<T::View<'a>, Box<ParseError>>;
    type IntoIter = Iter<'a, T>;

    fn into_iter(self) -> Iter<'a, T> {
        Iter { walk: self.walk }
    }
}
