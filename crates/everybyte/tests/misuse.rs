//! Declarations that `#[layout]` refuses, and its messages: every misuse has a message at the token that is wrong.

#[test]
fn misuses_are_refused_with_a_helpful_message() {
    let cases = trybuild::TestCases::new();
    cases.pass("tests/ui/pass.rs");
    cases.compile_fail("tests/ui/refused/*.rs");
}
