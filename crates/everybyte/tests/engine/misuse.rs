//! Declarations that `#[layout]` refuses, and its messages: every misuse has a message at the token that is wrong.

#[test]
#[ignore = "compiles a crate for each declaration: weekly"]
fn misuses_are_refused_with_a_helpful_message() {
    let cases = trybuild::TestCases::new();
    cases.pass("ui/pass.rs");
    cases.compile_fail("ui/refused/*.rs");
}
