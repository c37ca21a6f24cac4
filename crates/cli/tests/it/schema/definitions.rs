//! Definitions for Kaitai Struct and ImHex. Kaitai's own compiler reads the former in `peers::definitions`. For ImHex,
//! only the structure is tested, since no reader of that language is available.

use crate::support::tool::run;
use ndbytes::everybyte::reference::TypeKind;
use ndbytes::layouts;
use std::collections::HashSet;

fn definition(format: &str, language: &str) -> String {
    let ended = run(&["schema", format, language]);
    assert_eq!((ended.status, ended.stderr.as_str()), (0, ""), "{format}");
    ended.stdout
}

#[test]
fn every_field_of_every_format_is_in_both_definitions() {
    for layout in layouts() {
        let (ksy, hexpat) = (definition(layout.name, "--ksy"), definition(layout.name, "--hexpat"));
        let mut fields = 0;
        for page in layout.books.iter().flat_map(|book| &book.types) {
            let names: Vec<&str> = match &page.kind {
                TypeKind::Structure(fields) => fields.iter().map(|field| &*field.name).collect(),
                TypeKind::Choice(variants) => variants.iter().flat_map(|it| &it.fields).map(|it| &*it.name).collect(),
                TypeKind::Bits(runs) => runs.iter().map(|run| &*run.name).collect(),
                _ => Vec::new(),
            };
            for name in names {
                // If the byte order of an integer is not fixed, its bits are computed.
                let in_ksy = ksy.contains(&format!("- id: {name}\n")) || ksy.contains(&format!(" {name}:\n"));
                assert!(in_ksy, "{}: {}.{name}", layout.name, page.name);
                let declared = [";", "[", " :", " @"].map(|end| hexpat.contains(&format!(" {name}{end}")));
                // Otherwise, it states that it omits the field.
                let is_left_out = hexpat.contains(&format!("NOT EXACT: `{name}` is omitted"));
                assert!(declared.contains(&true) || is_left_out, "{}: {}.{name}", layout.name, page.name);
                fields += 1;
            }
        }
        assert!(fields > 3, "{}", layout.name);
    }
}

#[test]
fn what_a_definition_does_not_say_exactly_is_said_there() {
    let ksy = definition("idx", "--ksy");
    let expected = "  # NOT EXACT: its length is `payload_length(element_type, &dims)`; here it extends to the end\n  - id: payload\n    size-eos: true\n";
    assert!(ksy.contains(expected), "{ksy}");
    let hexpat = definition("idx", "--hexpat");
    let expected =
        "    // NOT EXACT: its length is `payload_length(element_type, &dims)`; here it extends to the end\n";
    assert!(hexpat.contains(expected), "{hexpat}");
    // An alternative that only Rust code can select is a parameter, with the expression.
    let ksy = definition("b2nd", "--ksy");
    let expected = "- id: is_empty\n        type: bool\n        doc: \"An expression of the declaration: `content == ChunkContent::Empty`\"\n";
    assert!(ksy.contains(expected), "{ksy}");
}

#[test]
fn conditions_counts_and_lengths_are_translated() {
    let gzip = definition("gzip", "--ksy");
    assert!(
        gzip.contains("- id: name\n        type: strz\n        encoding: ISO-8859-1\n        if: \"flags.name\"\n"),
        "{gzip}"
    );
    let idv = definition("idv", "--ksy");
    assert!(idv.contains("if: \"(name.text == \\\"VBuffer\\\")\""), "{idv}");
    assert!(idv.contains("repeat-expr: \"(count < 0 ? 0 : count)\""), "{idv}");
    let idv = definition("idv", "--hexpat");
    assert!(idv.contains("if ((name.text == \"VBuffer\")) ParametersVector<"), "{idv}");
    let npy = definition("npy", "--hexpat");
    assert!(
        npy.contains("    if ((major <= 1)) HeaderShort<major> short_;") || npy.contains("HeaderShort<major> "),
        "{npy}"
    );
}

#[test]
fn definitions_for_imhex_have_balanced_brackets_and_known_types() {
    for layout in layouts() {
        let text = definition(layout.name, "--hexpat");
        let code: Vec<&str> = text.lines().map(|line| line.split("//").next().unwrap()).collect();
        let count = |letter: char| code.iter().flat_map(|line| line.chars()).filter(|&it| it == letter).count();
        assert_eq!([count('{'), count('('), count('[')], [count('}'), count(')'), count(']')], "{}", layout.name);
        let mut known: HashSet<&str> = "u8 u16 u32 u64 u128 s8 s16 s32 s64 char bool float double".split(' ').collect();
        for line in &code {
            let declared = ["struct ", "enum ", "bitfield ", "using "].iter().find_map(|word| line.strip_prefix(word));
            if let Some(name) = declared {
                known.insert(name.split([' ', '<', ';']).next().unwrap());
                continue;
            }
            let Some(member) = line.strip_prefix("    ").filter(|line| line.ends_with(';') && !line.starts_with(' '))
            else {
                continue;
            };
            let member = member.strip_prefix("if ").map_or(member, |rest| &rest[closing(rest) + 2..]);
            let member = member.strip_prefix("be ").or(member.strip_prefix("le ")).unwrap_or(member);
            let ty = member.split([' ', '<']).next().unwrap();
            // A member may also be a number of bits or a computed value.
            let is_typed = !member.contains(" : ") || member.starts_with(char::is_uppercase);
            assert!(known.contains(ty) || !is_typed, "{}: {line}", layout.name);
        }
    }
}

/// The offset of the bracket that closes the first one.
fn closing(text: &str) -> usize {
    let mut depth = 0;
    text.find(|letter| {
        depth += i32::from(letter == '(') - i32::from(letter == ')');
        depth == 0
    })
    .unwrap()
}

#[test]
fn a_definition_is_made_of_one_format() {
    for language in ["--ksy", "--hexpat"] {
        let ended = run(&["schema", language]);
        assert_eq!(ended.status, 2);
        assert!(ended.stderr.contains("FORMAT"), "{}", ended.stderr);
    }
}
