//! Hostile specifications and hostile files: their cost is proportional to the file.

use super::{findings, spec, values};
use everybyte::map::Name;
use everybyte_ksy::Spec;

/// Returns the rules of the findings.
fn rules(spec: &Spec, file: &[u8]) -> Vec<Name> {
    let mut rules: Vec<_> = spec.check(file).iter().map(|finding| finding.rule.clone()).collect();
    rules.dedup();
    rules
}

#[test]
fn a_count_decides_no_allocation() {
    let text = "{meta: {id: x}, seq: [{id: n, size: 0, repeat: expr, repeat-expr: 0x7fffffffffff}]}";
    assert_eq!(rules(&spec(text), b"abc"), ["limit"]);
}

#[test]
fn structures_without_end_are_refused() {
    let text = "{meta: {id: rec}, seq: [{id: next, type: rec}]}";
    let found = findings(&spec(text), b"abc");
    assert_eq!(found.len(), 1);
    assert!(found[0].contains("structures and instances are nested more than 256 deep"), "{found:?}");
}

#[test]
fn instances_that_ask_for_each_other_are_an_error() {
    let text = "
meta: {id: cyc}
instances:
  a: {pos: b, type: u1}
  b: {pos: a, type: u1}
";
    assert_eq!(values(text, b"abc", &["a"]), "error: `a` depends on itself: `a`");
}

#[test]
fn instances_at_the_same_place_end() {
    let text = "{meta: {id: same}, seq: [{id: a, type: u1}], instances: {again: {pos: 0, type: same}}}";
    assert_eq!(rules(&spec(text), b"a"), [""; 0]);
}

#[test]
fn expressions_and_nodes_are_nested_up_to_a_bound() {
    let parentheses =
        format!("{{meta: {{id: x}}, instances: {{a: {{value: {}1{}}}}}}}", "(".repeat(500), ")".repeat(500));
    assert!(
        parentheses.parse::<Spec>().unwrap_err().message.starts_with("the expression is nested more than 100 deep")
    );
    let chain = format!("{{meta: {{id: x}}, instances: {{a: {{value: 1{}}}}}}}", " + 1".repeat(500));
    assert!(chain.parse::<Spec>().unwrap_err().message.starts_with("the expression has more than 128 levels"));
    let lists = format!("{}{}", "[".repeat(80), "]".repeat(80));
    assert_eq!(lists.parse::<Spec>().unwrap_err().message, "nodes are nested more than 64 deep");
}

#[test]
fn values_that_refer_to_each_other_are_nested_up_to_a_bound() {
    let values: String = (0..5000).map(|n| format!("  a{n}: {{value: a{} + 1}}\n", n + 1)).collect();
    let text = format!("meta: {{id: x}}\ninstances:\n{values}  a5000: {{value: 1}}\n");
    assert_eq!(text.parse::<Spec>().unwrap_err().message, "values refer to each other more than 100 deep");
}

#[test]
fn kinds_that_are_asked_for_on_both_sides_are_found_once() {
    // Each value requests the next one twice: 2^90 requests if nothing is kept.
    let values: String = (0..90).map(|n| format!("  a{n}: {{value: a{0} + a{0}}}\n", n + 1)).collect();
    let text = format!(
        "meta: {{id: x}}\nseq: [{{id: b, type: t, parent: 'a0 > 0 ? _root : _root'}}]\ntypes: {{t: {{seq: []}}}}\ninstances:\n{values}  a90: {{value: 1}}\n"
    );
    spec(&text);
}

#[test]
fn sizes_of_sizes_are_resolved_once() {
    let chain = "._sizeof".repeat(90);
    spec(&format!("{{meta: {{id: x}}, seq: [{{id: a, type: u1}}], instances: {{v: {{value: a.as<any>{chain}}}}}}}"));
}

#[test]
fn the_deepest_expressions_in_the_deepest_structures_have_room() {
    // 90 signs before each operand, in 256 structures, each of which requests an instance of the structure around it.
    let signs = "-".repeat(90);
    let text = format!(
        "
meta: {{id: deep}}
seq:
  - {{id: a, type: deep, if: not _io.eof}}
instances:
  v: {{value: '{signs}(_parent.as<deep>._io.pos)'}}
"
    );
    assert!(rules(&spec(&text), &[0; 4]).contains(&"limit".into()));
}

#[test]
fn megabytes_of_the_smallest_parts_are_read_or_refused_by_the_bound() {
    let text = "{meta: {id: x}, seq: [{id: a, type: u1, repeat: eos}]}";
    assert_eq!(rules(&spec(text), &vec![0; 4 << 20]), [""; 0]);
    let text = "{meta: {id: x}, seq: [{id: a, type: one, repeat: eos}], types: {one: {seq: [{id: b, type: u1}]}}}";
    assert_eq!(rules(&spec(text), &vec![0; 1 << 20]), ["limit"]);
}

#[test]
fn the_same_bytes_are_not_decoded_for_each_element() {
    let text = "
meta: {id: again}
seq: [{id: a, type: one, repeat: eos}]
types:
  one:
    seq: [{id: b, type: u1}]
    instances: {all: {pos: 0, type: str, size-eos: true, encoding: UTF-8}}
";
    assert!(rules(&spec(text), &vec![b'x'; 1 << 20]).contains(&"limit".into()));
}

#[test]
fn lists_that_instances_hold_are_not_copied_without_end() {
    let text = "
meta: {id: held}
seq: [{id: a, type: one, repeat: eos}]
types:
  one:
    seq: [{id: b, type: u1, if: all.size < 1000000000}]
    instances: {all: {value: _parent.a}}
";
    assert!(rules(&spec(text), &vec![b'x'; 1 << 20]).contains(&"limit".into()));
}

#[test]
fn values_that_refer_to_each_other_without_bound_are_no_source() {
    // Conditions of values are not evaluated when a specification is loaded.
    let values: String = (0..50_000).map(|n| format!("  a{n}: {{value: 1, if: a{} == 1}}\n", n + 1)).collect();
    let text = format!("meta: {{id: x}}\nseq: [{{id: b, size: a0}}]\ninstances:\n{values}  a50000: {{value: 1}}\n");
    let reasons = spec(&text).rust().unwrap_err();
    assert!(reasons[0].message.contains("values refer to each other more than 50 deep"), "{}", reasons[0]);
}

/// Structures inside each other, each with an expression of some levels.
fn nested(levels: usize, terms: usize) -> Spec {
    let size = format!("1{}", " + 0 * _root.at".repeat(terms));
    let mut text = "meta: {id: nested}\nseq: [{id: at, type: u1}, {id: inner, type: t1}]\ntypes:\n".to_owned();
    for level in 1..levels {
        let inner = if level + 1 < levels { format!(", {{id: inner, type: t{}}}", level + 1) } else { String::new() };
        text += &format!("  t{level}: {{seq: [{{id: some, size: '{size}'}}{inner}]}}\n");
    }
    text.parse().unwrap()
}

#[test]
fn a_file_of_few_levels_is_read_on_a_small_stack() {
    let small = std::thread::Builder::new().stack_size(256 << 10);
    let read = small.spawn(|| {
        for (levels, terms) in [(2, 0), (12, 5), (13, 5), (12, 6), (200, 1), (40, 100)] {
            let explained = nested(levels, terms).explain(&vec![7; levels]);
            assert_eq!((explained.findings.len(), explained.spaces[0].nodes.all().count()), (0, 2 * levels - 1));
        }
    });
    read.unwrap().join().unwrap();
}

#[test]
fn a_key_as_long_as_the_file_is_not_kept_for_each_element() {
    let text = "
meta: {id: x}
seq: [{id: key, size: _io.size / 2}, {id: some, size: 1, process: KEY, repeat: eos}]
";
    // Only one byte of the key is used for each element, so the cost is linear.
    let spec_of = |key: &str| spec(&text.replace("KEY", key));
    let file = vec![7; 60_000];
    assert_eq!(rules(&spec_of("xor(key)"), &file), [""; 0]);
    let text_of = text.replace("KEY", "xor(key)");
    assert_eq!(values(&text_of, &[1, 2, 3, 7, 8, 9], &["some[0][0] * 256 + some[2][0]"]), (6 * 256 + 8).to_string());
    // The cost is also linear for a list, and for the bytes of a list.
    let text = "
meta: {id: x}
seq: [{id: key, type: u1, repeat: expr, repeat-expr: _io.size / 2}, {id: some, size: 1, process: xor(KEY), repeat: eos}]
";
    for key in ["key", "key.as<bytes>"] {
        assert_eq!(rules(&spec(&text.replace("KEY", key)), &file), [""; 0], "{key}");
    }
}

/// The list is half of the file, and each byte in the other half requests the bytes of the list.
#[test]
fn bytes_of_a_list_are_not_copied_for_each_element() {
    let text = "
meta: {id: x}
seq:
  - {id: key, type: u1, repeat: expr, repeat-expr: _io.size / 2}
  - {id: some, type: u1, repeat: eos, valid: {expr: 'key.as<bytes>.size >= 0 and key.as<bytes>[1] == 7'}}
";
    // If they were copied, they would far exceed the limit on copied bytes.
    assert_eq!(rules(&spec(text), &vec![7; 200_000]), [""; 0]);
}

#[test]
fn values_that_expressions_make_and_that_stay_are_charged() {
    for value in ["_root.t + _root.t", "f\"{_root.t}\"", "[_root.t + _root.t]", "_root.b.to_s('ASCII')"] {
        let text = "
meta: {id: x}
seq: [{id: a, type: one, repeat: eos}]
types: {one: {seq: [{id: b, type: u1}], instances: {kept: {value: 'VALUE'}}}}
instances:
  b: {pos: 0, size-eos: true}
  l: {pos: 0, type: u1, repeat: eos}
  t: {pos: 0, type: str, size-eos: true, encoding: ASCII}
";
        let text = text.replace("VALUE", &value.replace('\'', "''"));
        assert!(rules(&spec(&text), &[b'x'; 40_000]).contains(&"limit".into()), "{value}");
    }
}

#[test]
fn a_long_expression_is_shown_by_its_beginning() {
    let items = vec!["a"; 1000].join(", ");
    let text = format!("{{meta: {{id: x}}, seq: [{{id: a, type: u1}}, {{id: b, size: '[{items}].first - 300'}}]}}");
    let found = findings(&spec(&text), b"abc");
    assert!(found[0].len() < 500 && found[0].contains('…'), "{found:?}");
}

#[test]
fn an_expression_and_a_specification_have_a_bound_of_parts() {
    let items = vec!["1"; 1 << 16].join(",");
    let text = format!("{{meta: {{id: x}}, instances: {{a: {{value: '[{items}]'}}}}}}");
    let message = text.parse::<Spec>().unwrap_err().message;
    assert!(message.starts_with("the expression has more than 65536 words and signs"), "{message}");
    let text = format!("{{meta: {{id: x}}, -x: [{}]}}", "1, ".repeat(1 << 19));
    assert_eq!(text.parse::<Spec>().unwrap_err().message, "the specification has more than 524288 nodes");
}

#[test]
fn sizes_of_types_are_added_up_once() {
    let fields = (0..2000).map(|n| format!("{{id: a{n}, type: u1}}")).collect::<Vec<_>>().join(", ");
    let sizes = (0..2000).map(|n| format!("v{n}: {{value: sizeof<t>}}")).collect::<Vec<_>>().join(", ");
    let text = format!("{{meta: {{id: x}}, instances: {{{sizes}}}, types: {{t: {{seq: [{fields}]}}}}}}");
    assert_eq!(values(&text, b"", &["v1999"]), "2000");
}
