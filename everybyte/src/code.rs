//! Codes: integers with named values, which also keep undefined values.

/// Expands a declaration of [`codes`](crate::codes) that has been checked.
#[doc(hidden)]
#[macro_export]
macro_rules! __codes {
    (
        $(#[doc = $about:literal])+
        $visibility:vis struct $Code:ident($integer:ty) $(in $width:literal bits)? {
            $(
                $(#[doc = $doc:literal])+
                $VALUE:ident = $value:literal => $name:literal $(, $number_of:ident = $number:literal)*;
            )+
        }
    ) => {
        $(#[doc = $about])+
        #[derive(
            Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, ::binrw::BinRead, ::binrw::BinWrite,
            $crate::Arbitrary,
        )]
        $visibility struct $Code(pub $integer);

        impl $Code {
            $($(#[doc = $doc])+ pub const $VALUE: Self = Self($value);)+

            /// All defined values.
            pub const ALL: &'static [Self] = &[$(Self::$VALUE),+];

            /// Its name, or `None` if the value is not defined.
            pub const fn name(self) -> Option<&'static str> {
                match self.0 {
                    $($value => Some($name),)+
                    _ => None,
                }
            }

            /// Its name, or `not defined`.
            pub const fn words(self) -> &'static str {
                match self.name() {
                    Some(name) => name,
                    None => "not defined",
                }
            }
        }

        impl $crate::Layout for $Code {
            const MIN_SIZE: u64 = <$integer as $crate::Layout>::MIN_SIZE;
            const SIZE: Option<u64> = <$integer as $crate::Layout>::SIZE;
            const NATURE: $crate::reference::Nature = $crate::reference::Nature::VALUE;

            fn type_name() -> ::std::string::String {
                stringify!($Code).into()
            }

            fn form() -> $crate::reference::Form {
                $crate::reference::Form::Page($crate::map::Name::new(stringify!($Code)), <Self as $crate::Layout>::SIZE)
            }

            fn value(&self) -> $crate::map::Value {
                <$integer as $crate::Layout>::value(&self.0)
            }

            fn meaning(&self) -> ::std::borrow::Cow<'static, str> {
                self.words().into()
            }

            fn describe(book: &mut $crate::reference::Book) {
                book.add(stringify!($Code), concat!($($about),+).trim_ascii(), || $crate::reference::TypeKind::Codes(vec![
                    $($crate::reference::CodeDoc {
                        code: $value,
                        constant: $crate::map::Name::new(stringify!($VALUE)),
                        name: $crate::map::Name::new($name),
                        doc: $crate::map::Name::new(concat!($($doc),+).trim_ascii()),
                        numbers: vec![$(($crate::map::Name::new(stringify!($number_of)), $number)),*],
                    }),+
                ]));
            }
        }

        impl $crate::view::Viewed for $Code {
            type View<'a> = Self;
            type Args = ();

            #[inline]
            fn at(
                frame: $crate::view::Frame<'_>,
                (): (),
            ) -> ::core::result::Result<Self, ::std::boxed::Box<$crate::ParseError>> {
                <$integer as $crate::view::Viewed>::at(frame, ()).map($Code)
            }

            #[inline]
            fn length(
                frame: $crate::view::Frame<'_>,
                (): (),
            ) -> ::core::result::Result<usize, ::std::boxed::Box<$crate::ParseError>> {
                <$integer as $crate::view::Viewed>::length(frame, ())
            }

            fn agrees(
                view: &Self,
                value: ::core::option::Option<&Self>,
            ) -> ::core::result::Result<bool, ::std::boxed::Box<$crate::ParseError>> {
                ::core::result::Result::Ok(value.is_none_or(|value| value == view))
            }
        }

        impl $crate::hook::OffsetValue for $Code {
            fn whole(&self) -> Option<u64> {
                $crate::hook::OffsetValue::whole(&self.0)
            }
        }

        $($crate::__run_of_bits!($Code($integer), $width);)?
    };
}

/// A code as a run of bits.
#[doc(hidden)]
#[macro_export]
macro_rules! __run_of_bits {
    ($Code:ident($integer:ty), $width:literal) => {
        impl $crate::bits::Specifier for $Code {
            const BITS: usize = $width;
            type Bytes = $integer;
            type InOut = Self;

            #[inline]
            fn into_bytes(code: Self) -> Result<$integer, $crate::bits::OutOfBounds> {
                Ok(code.0)
            }

            #[inline]
            fn from_bytes(bits: $integer) -> Result<Self, $crate::bits::InvalidBitPattern<$integer>> {
                Ok($Code(bits))
            }
        }

        impl $crate::bits::Named for $Code {
            fn type_name() -> &'static str {
                stringify!($Code)
            }

            fn meaning(bits: u64) -> &'static str {
                $Code(bits as $integer).words()
            }

            fn describe(book: &mut $crate::reference::Book) {
                <$Code as $crate::Layout>::describe(book);
            }
        }
    };
}
