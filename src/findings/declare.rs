//! The declaration of rules, each of which is stated only once.

/// Declares rules and a list of them in the same order. The doc comment of a rule is its text.
///
/// ```text
/// rules! {
///     ALL of Scope::Gzip, since "0.1.0";
///
///     /// The requirement, and the consequence of a violation.
///     LENGTH = error "gzip/length", Refuses, "RFC 1952";
/// }
/// ```
///
/// Archives have several readers, so their rules state the reactions of all three, such as `{ dotnet: Refuses, numpy: Accepts,
/// blosc2: Accepts }`.
///
/// A rule is an `error`, a `warning` or `allowed`. `tolerable` before that word means that a caller may ignore a violation. A rule
/// that is newer than the others in its list states this at its end: `, since "0.2.0"`.
macro_rules! rules {
    (
        $list:ident of $scope:expr, since $first:literal;
        $(
            $(#[doc = $line:literal])+
            $name:ident = $($weight:ident)+ $id:literal, $reference:tt, $source:expr $(, since $since:literal)?;
        )+
    ) => {
        $(
            $(#[doc = $line])+
            pub static $name: $crate::findings::rule::Rule = $crate::findings::rule::Rule {
                id: $id,
                scope: $scope,
                since: $crate::findings::declare::rules!(@since $first $($since)?),
                severity: $crate::findings::declare::rules!(@severity $($weight)+),
                tolerable: $crate::findings::declare::rules!(@tolerable $($weight)+),
                reference: $crate::findings::declare::rules!(@reference $reference),
                reactions: $crate::findings::declare::rules!(@reactions $reference),
                // Each line of a doc comment begins with the space that separates it from the previous one.
                doc: concat!($($line),+).trim_ascii(),
                source: $source,
            };
        )+

        /// All rules that are declared together, in the order of the declaration.
        pub(crate) static $list: &[&$crate::findings::rule::Rule] = &[$(&$name),+];
    };
    (@reference { $($reader:ident: $reference:ident),+ }) => { $crate::findings::rule::Reference::NotConcerned };
    (@reference $reference:ident) => { $crate::findings::rule::Reference::$reference };
    (@reactions { $($reader:ident: $reference:ident),+ }) => {
        Some($crate::findings::rule::Reactions { $($reader: $crate::findings::rule::Reference::$reference),+ })
    };
    (@reactions $reference:ident) => { None };
    (@since $first:literal) => { $first };
    (@since $first:literal $since:literal) => { $since };
    (@tolerable tolerable $weight:ident) => { true };
    (@tolerable $weight:ident) => { false };
    (@severity tolerable $weight:ident) => { $crate::findings::declare::rules!(@severity $weight) };
    (@severity error) => { Some($crate::findings::rule::Severity::Error) };
    (@severity warning) => { Some($crate::findings::rule::Severity::Warning) };
    (@severity allowed) => { None };
}

pub(crate) use rules;

#[cfg(test)]
mod tests {
    use crate::findings::rule::{Reactions, Reference, Scope, Severity};

    super::rules! {
        LIST of Scope::Zip, since "0.1.0";

        /// One line.
        SHORT = error "zip/short", Refuses, "a source";
        /// Several lines, with `\` and "quotes", are joined.
        LONG = tolerable warning "zip/long", Accepts, SOURCE, since "0.2.0";
        /// The format allows it.
        FREE = allowed "zip/free", Refuses, SOURCE;
        /// Readers differ.
        SEVERAL = error "zip/several", { dotnet: Refuses, numpy: Unforeseen, blosc2: Accepts }, SOURCE;
    }

    const SOURCE: &str = "another source";

    #[test]
    fn a_declaration_says_everything() {
        assert_eq!(LIST, [&SHORT, &LONG, &FREE, &SEVERAL]);
        assert_eq!((SHORT.id, SHORT.doc, SHORT.source), ("zip/short", "One line.", "a source"));
        assert_eq!((SHORT.scope, SHORT.since, SHORT.reference), (Scope::Zip, "0.1.0", Reference::Refuses));
        assert_eq!((SHORT.severity, SHORT.is_tolerable()), (Some(Severity::Error), false));
        assert_eq!((LONG.doc, LONG.source), ("Several lines, with `\\` and \"quotes\", are joined.", SOURCE));
        assert_eq!((LONG.since, LONG.reference), ("0.2.0", Reference::Accepts));
        assert_eq!((LONG.severity, LONG.is_tolerable()), (Some(Severity::Warning), true));
        assert_eq!((FREE.severity, FREE.is_tolerable(), FREE.reactions), (None, false, None));
        let (dotnet, numpy, blosc2) = (Reference::Refuses, Reference::Unforeseen, Reference::Accepts);
        assert_eq!(SEVERAL.reactions, Some(Reactions { dotnet, numpy, blosc2 }));
        assert_eq!(SEVERAL.reference, Reference::NotConcerned);
    }
}
