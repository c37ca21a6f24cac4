//! The declaration of rules: each is stated once.

/// Declares rules, and a list of them in the same order. The doc comment of a rule is its text.
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
/// A rule is an `error`, a `warning` or `allowed`. `tolerable` before that word says that a caller may ignore a
/// violation. A rule that is newer than the others of its list says so at its end: `, since "0.2.0"`.
macro_rules! rules {
    (
        $list:ident of $scope:expr, since $first:literal;
        $(
            $(#[doc = $line:literal])+
            $name:ident = $($weight:ident)+ $id:literal, $reference:ident, $source:expr $(, since $since:literal)?;
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
                reference: $crate::findings::rule::Reference::$reference,
                // Each line of a doc comment begins with the space that parts it from the one before.
                doc: concat!($($line),+).trim_ascii(),
                source: $source,
            };
        )+

        /// Every rule that is declared together, in the order of the declaration.
        pub(crate) static $list: &[&$crate::findings::rule::Rule] = &[$(&$name),+];
    };
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
    use crate::findings::rule::{Reference, Scope, Severity};

    super::rules! {
        LIST of Scope::Zip, since "0.1.0";

        /// One line.
        SHORT = error "zip/short", Refuses, "a source";
        /// Several lines, with `\` and "quotes",
        /// are one text.
        LONG = tolerable warning "zip/long", Accepts, SOURCE, since "0.2.0";
        /// The format allows it.
        FREE = allowed "zip/free", Refuses, SOURCE;
    }

    const SOURCE: &str = "another source";

    #[test]
    fn a_declaration_says_everything() {
        assert_eq!(LIST, [&SHORT, &LONG, &FREE]);
        assert_eq!((SHORT.id, SHORT.doc, SHORT.source), ("zip/short", "One line.", "a source"));
        assert_eq!((SHORT.scope, SHORT.since, SHORT.reference), (Scope::Zip, "0.1.0", Reference::Refuses));
        assert_eq!((SHORT.severity, SHORT.is_tolerable()), (Some(Severity::Error), false));
        assert_eq!((LONG.doc, LONG.source), ("Several lines, with `\\` and \"quotes\", are one text.", SOURCE));
        assert_eq!((LONG.since, LONG.reference), ("0.2.0", Reference::Accepts));
        assert_eq!((LONG.severity, LONG.is_tolerable()), (Some(Severity::Warning), true));
        assert_eq!((FREE.severity, FREE.is_tolerable()), (None, false));
    }
}
