//! Arithmetic in declarations: a result that no integer can hold is a finding about its field.

use everybyte::{
    Endian, Finding, Format, Source,
    bytes::{Bytes, Region},
    check,
    format::rewrite,
    fuzzing, layout,
    list::filling,
    read, write,
};

/// Returns the rule, the field and the message of the only finding.
fn only(findings: &[Finding]) -> (&str, &str, &str) {
    let [finding] = findings else { panic!("{findings:?}") };
    (finding.rule.as_str(), finding.path.as_str(), finding.message.as_str())
}

macro_rules! formats {
    ($($name:ident)*) => {$(
        impl Format for $name {
            const NAME: &'static str = stringify!($name);
        }
    )*};
}

formats!(Sized Absent Argued Listed Conditional Guarded Mapped Computed Asserted Ruled Nested Filled);

/// A length that counts itself.
#[layout]
#[brw(little)]
struct Sized {
    length: u32,
    #[br(args { length: (length - 4).into() })]
    body: Region,
}

#[test]
fn a_length_below_zero_is_a_finding_of_the_field_that_it_measures() {
    assert_eq!(check::<Sized>(b"\x06\0\0\0ab"), []);
    let words = "`length - 4` has no result: 3 - 4 is out of the range of u32";
    assert_eq!(only(&check::<Sized>(b"\x03\0\0\0")), ("invalid", "body", words));
    let error = read::<Sized>(Source::new(b"\x03\0\0\0ab"), Endian::Little, ()).unwrap_err();
    assert_eq!((error.path.as_str(), error.offset), ("body", 4));
}

/// A field that is absent has arguments without a result.
#[layout]
struct Absent {
    length: u8,
    #[br(if(length >= 6), args { length: u64::from(length - 6) })]
    body: Option<Bytes>,
    #[br(if(length >= 7), count = length - 7)]
    list: Vec<u8>,
    last: u8,
}

#[test]
fn arguments_of_an_absent_field_need_no_result() {
    assert_eq!(check::<Absent>(&[2, 9]), []);
    assert_eq!(check::<Absent>(&[7, 1, 9]), []);
    assert_eq!(rewrite::<Absent>(&[2, 9]).unwrap(), [2, 9]);
}

/// A structure that is read with a number.
#[layout]
#[br(import(depth: u8))]
struct Inner {
    #[br(count = 2 * depth)]
    items: Vec<u8>,
}

#[layout]
struct Argued {
    depth: u8,
    #[br(args(depth + 100))]
    inner: Inner,
}

#[test]
fn an_argument_over_the_top_is_a_finding_of_its_field_in_the_structure_that_is_read_with_it() {
    let words = "`depth + 100` has no result: 200 + 100 is out of the range of u8";
    assert_eq!(only(&check::<Argued>(&[200])), ("invalid", "inner", words));
    let words = "`2 * depth` has no result: 2 * 130 is out of the range of u8";
    assert_eq!(only(&check::<Argued>(&[30])), ("invalid", "inner.items", words));
}

#[layout]
#[brw(big)]
struct Listed {
    #[brw(little)]
    count: i32,
    shift: u8,
    #[br(count = count - (1 << shift))]
    items: Vec<u16>,
}

#[test]
fn a_count_without_a_result_is_a_finding_of_the_list() {
    assert_eq!(check::<Listed>(b"\x02\0\0\0\0ab"), []);
    let words = "`count - (1 << shift)` is not a number of elements: it is negative, or exceeds memory";
    assert_eq!(only(&check::<Listed>(b"\x02\0\0\0\x03")), ("invalid", "items", words));
    let words = "`1 << shift` has no result: 1 << 32 shifts by all 32 bits of i32, or by more";
    assert_eq!(only(&check::<Listed>(b"\x02\0\0\0\x20")), ("invalid", "items", words));
    let words = "`count - (1 << shift)` has no result: -2147483648 - 1 is out of the range of i32";
    assert_eq!(only(&check::<Listed>(b"\0\0\0\x80\0")), ("invalid", "items", words));
}

#[layout]
struct Conditional {
    whole: u8,
    part: u8,
    #[brw(if(whole / part > 2))]
    more: Option<u8>,
}

#[test]
fn a_condition_that_divides_by_zero_is_a_finding_of_its_field_and_an_error_of_its_writer() {
    assert_eq!(check::<Conditional>(&[9, 3, 1]), []);
    let words = "`whole / part` has no result: 9 / 0 divides by zero";
    assert_eq!(only(&check::<Conditional>(&[9, 0])), ("invalid", "more", words));
    let error = write(&Conditional { whole: 9, part: 0, more: None }, Endian::Big).unwrap_err();
    assert!(error.to_string().contains(words), "{error}");
}

#[layout]
#[br(import(kind: u8))]
enum Choice {
    #[br(pre_assert(kind == 0))]
    First { value: u8 },
    #[br(pre_assert(kind - 5 > 0))]
    Second { value: u16 },
}

#[layout]
struct Guarded {
    kind: u8,
    #[br(args(kind))]
    choice: Choice,
}

#[test]
fn a_guard_without_a_result_is_a_finding_of_the_choice() {
    assert_eq!(check::<Guarded>(&[0, 1]), []);
    assert_eq!(check::<Guarded>(&[6, 1, 1]), []);
    let words = "`kind - 5` has no result: 1 - 5 is out of the range of u8";
    assert_eq!(only(&check::<Guarded>(&[1, 1, 1])), ("invalid", "choice", words));
}

#[layout]
struct Mapped {
    #[br(map = |raw: u8| raw - 1)]
    #[bw(map = |value: &u8| *value + 1)]
    value: u8,
    #[br(try_map = |raw: u8| u8::try_from(u16::from(raw) * 2).map(|twice| -i16::from(twice)))]
    #[bw(map = |value| (-*value / 2) as u8)]
    #[br(assert(value < 9, "it is {value}"))]
    half: i16,
}

#[test]
fn a_map_without_a_result_is_a_finding_of_its_field_and_an_error_of_its_writer() {
    assert_eq!(check::<Mapped>(&[7, 3]), []);
    assert_eq!(rewrite::<Mapped>(&[7, 3]).unwrap(), [7, 3]);
    let words = "`raw - 1` has no result: 0 - 1 is out of the range of u8";
    assert_eq!(only(&check::<Mapped>(&[0, 3])), ("invalid", "value", words));
    let error = write(&Mapped { value: 255, half: 0 }, Endian::Big).unwrap_err();
    assert!(error.to_string().contains("255 + 1 is out of the range of u8"), "{error}");
    let error = write(&Mapped { value: 1, half: i16::MIN }, Endian::Big).unwrap_err();
    assert!(error.to_string().contains("-(-32768) is out of the range of i16"), "{error}");
}

#[layout]
struct Computed {
    length: u8,
    #[br(calc = length % (length - 1))]
    #[bw(ignore)]
    rest: u8,
    #[br(temp)]
    #[bw(calc = *length - 2)]
    shorter: u8,
}

#[test]
fn a_calculated_field_without_a_result_is_a_finding_and_an_error_of_its_writer() {
    assert_eq!(check::<Computed>(&[3, 1]), []);
    let words = "`length % (length - 1)` has no result: 1 % 0 divides by zero";
    assert_eq!(only(&check::<Computed>(&[1, 1])), ("invalid", "rest", words));
    let error = write(&Computed { length: 1, rest: 0 }, Endian::Big).unwrap_err();
    assert!(error.to_string().contains("`*length - 2` has no result: 1 - 2"), "{error}");
}

#[layout]
#[br(assert(sum - 1 > 0, "there is nothing"))]
struct Asserted {
    #[br(assert(sum - 1 < 200, "it is {sum}"))]
    sum: u8,
}

#[test]
fn an_assertion_without_a_result_is_a_finding_of_its_field() {
    assert_eq!(check::<Asserted>(&[3]), []);
    let words = "`sum - 1` has no result: 0 - 1 is out of the range of u8";
    assert_eq!(only(&check::<Asserted>(&[0])), ("invalid", "sum", words));
    assert_eq!(only(&check::<Asserted>(&[255])).2, "it is 255");
}

#[layout]
struct Ruled {
    width: u8,
    #[layout(rule("ruled/depth", error, width * depth < 100, "{} is too much", width * depth))]
    depth: u8,
    last: u8,
}

#[test]
fn a_rule_without_a_result_does_not_hold_and_reading_goes_on() {
    assert_eq!(check::<Ruled>(&[9, 9, 1]), []);
    assert_eq!(only(&check::<Ruled>(&[10, 20, 1])), ("ruled/depth", "depth", "200 is too much"));
    let words = "`width * depth` has no result: 100 * 9 is out of the range of u8";
    assert_eq!(only(&check::<Ruled>(&[100, 9, 1])), ("ruled/depth", "depth", words));
}

/// Arithmetic in all kinds of expressions.
#[layout]
struct Nested {
    number: u8,
    #[br(count = {
        let mut left = number;
        left -= 2;
        if matches!(left - 1, 1..=4) { [left, 3 - left][usize::from(left % 2)] } else { 0 }
    })]
    first: Vec<u8>,
    #[br(args { length: match number { 0 => 0, other if other / 1 > 0 => (u64::from(other) - 1).max(2), _ => 1 } })]
    second: Bytes,
    #[br(calc = f64::from(number) / 2.0 - 10.0)]
    #[bw(ignore)]
    float: f64,
}

#[test]
fn arithmetic_is_checked_wherever_it_stands_in_an_expression() {
    let file = read::<Nested>(Source::new(&[4, 1, 1, 5, 5, 5]), Endian::Big, ()).unwrap();
    assert_eq!((file.first.len(), file.second.length, file.float), (2, 3, -8.0));
    assert_eq!(only(&check::<Nested>(&[1])).1, "first");
    assert_eq!(only(&check::<Nested>(&[7, 9, 9])).1, "first");
    assert_eq!(only(&check::<Nested>(&[2, 9, 9])).1, "first");
}

#[layout]
struct Filled {
    length: u8,
    #[br(parse_with = filling(u64::from(length - 2)))]
    items: Vec<u16>,
    #[layout(size = length - 3)]
    rest: Short,
}

#[layout]
struct Short {
    #[br(parse_with = everybyte::list::rest)]
    bytes: Vec<u8>,
}

#[test]
fn a_parser_and_a_size_without_a_result_are_findings_of_their_fields() {
    assert_eq!(check::<Filled>(&[4, 1, 1, 1]), []);
    assert_eq!(only(&check::<Filled>(&[1])).1, "items");
    assert_eq!(only(&check::<Filled>(&[2])).1, "rest");
}

#[test]
fn arithmetic_keeps_the_promises_for_any_bytes() {
    let all = [
        fuzzing::any_values::<Sized>,
        fuzzing::any_values::<Absent>,
        fuzzing::any_values::<Argued>,
        fuzzing::any_values::<Listed>,
        fuzzing::any_values::<Conditional>,
        fuzzing::any_values::<Guarded>,
        fuzzing::any_values::<Mapped>,
        fuzzing::any_values::<Nested>,
    ];
    for any_values in all {
        assert!(any_values(100) > 90);
    }
}

/// Extents of axes, and as many bytes as they have elements, at most.
#[layout]
#[brw(big)]
struct Extents {
    axes: u8,
    #[br(count = axes)]
    extents: Vec<u64>,
    #[br(count = extents.iter().product::<u64>())]
    elements: Vec<u8>,
    #[br(count = extents.iter().map(|extent| extent * 2).sum::<u64>())]
    sums: Vec<u8>,
    #[layout(each(extent in extents), at = 0u8)]
    #[br(args(extent - 1))]
    placed: Vec<Whole>,
}

#[layout]
#[br(import(_length: u64))]
struct Whole {
    first: u8,
}

formats!(Extents);

#[test]
fn products_sums_and_arguments_of_elements_without_a_result_are_findings() {
    let file = |extents: &[u64], more: usize| {
        let numbers = extents.iter().flat_map(|extent| extent.to_be_bytes());
        [extents.len() as u8].into_iter().chain(numbers).chain(vec![7; more]).collect::<Vec<u8>>()
    };
    let found = |file: &[u8]| {
        let all = check::<Extents>(file);
        all.iter().map(|finding| (finding.path.clone(), finding.message.clone())).next().unwrap()
    };
    let value: Extents = read(Source::new(&file(&[], 1)), Endian::Big, ()).unwrap();
    assert_eq!((value.elements.len(), value.sums.len()), (1, 0));
    let value: Extents = read(Source::new(&file(&[3, 2], 16)), Endian::Big, ()).unwrap();
    assert_eq!((value.elements.len(), value.sums.len()), (6, 10));
    let (path, words) = found(&file(&[1 << 40, 1 << 40], 0));
    assert_eq!(
        (&*path, words.contains("`extents.iter().product::<u64>()` has no result")),
        ("elements", true),
        "{words}"
    );
    assert!(words.ends_with("1099511627776 * 1099511627776 is out of the range of u64"), "{words}");
    assert_eq!(found(&file(&[1 << 63, 0], 0)).0, "sums");
    let (path, words) = found(&file(&[0, 0], 0));
    assert_eq!((&*path, &*words), ("placed", "`extent - 1` has no result: 0 - 1 is out of the range of u64"));
}
