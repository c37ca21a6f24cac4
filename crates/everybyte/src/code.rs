//! Codes whose values are not all known: integers that keep an unknown value, and name the others.

/// The declaration of [`codes`](crate::codes), after it was checked.
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

            /// Every value that is defined.
            pub const ALL: &'static [Self] = &[$(Self::$VALUE),+];

            /// Its name, or `None` if the value is not defined.
            pub const fn name(self) -> Option<&'static str> {
                match self.0 {
                    $($value => Some($name),)+
                    _ => None,
                }
            }

            /// Its name; `not defined` if it has none.
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

            fn form() -> $crate::Form {
                $crate::Form::Page($crate::Name::new(stringify!($Code)), <Self as $crate::Layout>::SIZE)
            }

            fn value(&self) -> $crate::Value {
                <$integer as $crate::Layout>::value(&self.0)
            }

            fn meaning(&self) -> ::std::borrow::Cow<'static, str> {
                self.words().into()
            }

            fn describe(book: &mut $crate::Book) {
                book.add(stringify!($Code), concat!($($about),+).trim_ascii(), || $crate::TypeKind::Codes(vec![
                    $($crate::CodeDoc {
                        code: $value,
                        constant: $crate::Name::new(stringify!($VALUE)),
                        name: $crate::Name::new($name),
                        doc: $crate::Name::new(concat!($($doc),+).trim_ascii()),
                        numbers: vec![$(($crate::Name::new(stringify!($number_of)), $number)),*],
                    }),+
                ]));
            }
        }

        impl $crate::hook::Whole for $Code {
            fn whole(&self) -> Option<u64> {
                $crate::hook::Whole::whole(&self.0)
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
        impl $crate::bits::BitField for $Code {
            const WIDTH: u32 = $width;
            type Value = Self;

            fn of_bits(bits: u64) -> Self {
                $Code(bits as $integer)
            }

            fn bits(code: Self) -> u64 {
                code.0.into()
            }

            fn type_name() -> &'static str {
                stringify!($Code)
            }

            fn meaning(bits: u64) -> &'static str {
                Self::of_bits(bits).words()
            }

            fn describe(book: &mut $crate::Book) {
                <$Code as $crate::Layout>::describe(book);
            }
        }
    };
}
