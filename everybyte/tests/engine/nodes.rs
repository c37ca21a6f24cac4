//! Fields of a file as values: which ones are equal, and what stops a read.

use binrw::BinResult;
use binrw::io::{Read, Seek};
use everybyte::{Endian, Format, Source, error::Problem, explain, layout, read};
use std::io;

/// Returns whether the first fields of two files are equal.
macro_rules! are_equal {
    ($one:ty, $file:expr, $other:ty, $with:expr) => {{
        let (one, other) = (explain::<$one>($file), explain::<$other>($with));
        let [mut one, mut other] = [&one, &other].map(|explained| explained.spaces[0].nodes.iter());
        let (one, other) = (one.next().unwrap(), other.next().unwrap());
        assert_eq!(one == other, other == one);
        one == other
    }};
}

macro_rules! formats {
    ($($layout:ident)*) => { $(
        impl Format for $layout {
            const NAME: &'static str = "pair";
        }
    )* };
}

formats! { Pair Named Documented Typed Keyed Plain }

/// Two numbers.
#[layout]
struct Pair {
    numbers: Numbers,
}

/// The numbers.
#[layout]
struct Numbers {
    first: u8,
    second: u16,
}

/// A field of another name.
#[layout]
struct Named {
    others: Numbers,
}

/// A field with words.
#[layout]
struct Documented {
    /// Two numbers.
    numbers: Numbers,
}

/// A field of another type.
#[layout]
struct Typed {
    numbers: [u8; 3],
}

/// A field that is the key of its structure.
#[layout]
struct Keyed {
    #[layout(key)]
    numbers: u8,
}

/// The same field, which is none.
#[layout]
struct Plain {
    numbers: u8,
}

#[test]
fn fields_are_equal_if_all_that_they_say_is() {
    assert!(are_equal!(Pair, b"abc", Pair, b"abc"));
    // A part has another value.
    assert!(!are_equal!(Pair, b"abc", Pair, b"bbc"));
    // Bytes are missing.
    assert!(!are_equal!(Pair, b"abc", Pair, b"ab"));
    assert!(!are_equal!(Pair, b"abc", Named, b"abc"));
    assert!(!are_equal!(Pair, b"abc", Documented, b"abc"));
    assert!(!are_equal!(Pair, b"abc", Typed, b"abc"));
    assert!(!are_equal!(Keyed, b"a", Plain, b"a"));
    assert!(!are_equal!(Plain, b"a", Plain, b"b"));
}

/// A number that a clock has to confirm.
#[layout]
struct Timed {
    #[br(parse_with = confirmed)]
    number: u8,
}

fn confirmed<R: Read + Seek>(_: &mut R, _: Endian, (): ()) -> BinResult<u8> {
    Err(io::Error::other("the clock is wrong").into())
}

#[test]
fn an_error_of_a_parser_is_no_end_of_the_bytes() {
    let error = read::<Timed>(Source::new(b"a"), Endian::Little, ()).map(|timed| timed.number).unwrap_err();
    assert_eq!(error.problem, Problem::Invalid("the clock is wrong".to_owned()));
}
