//! Options with names.

/// Declares an option with a few values, each with a name.
macro_rules! choices {
    ($(#[$doc:meta])* $choice:ident: $what:literal { $($(#[$variant_doc:meta])* $variant:ident = $name:literal,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
        #[non_exhaustive]
        pub enum $choice {
            $($(#[$variant_doc])* $variant,)*
        }

        impl $choice {
            /// All values.
            pub const ALL: &[$choice] = &[$($choice::$variant),*];

            /// Returns the name of the value.
            pub fn name(self) -> &'static str {
                match self {
                    $($choice::$variant => $name,)*
                }
            }
        }

        impl std::fmt::Display for $choice {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }

        impl std::str::FromStr for $choice {
            type Err = String;

            fn from_str(name: &str) -> Result<Self, String> {
                let found = $choice::ALL.iter().find(|choice| choice.name() == name).copied();
                found.ok_or_else(|| {
                    let names: Vec<_> = $choice::ALL.iter().map(|choice| choice.name()).collect();
                    format!("{name:?} is not one of the {}: {}", $what, names.join(", "))
                })
            }
        }
    };
}
pub(crate) use choices;
