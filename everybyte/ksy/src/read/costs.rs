//! The cost of each operator, of each kind of argument and of each process in steps of the budget: constant, or in
//! proportion to the size of its operand.

use super::context::Context;
use super::limits::Granted;
use super::machine::{DEPTH, Machine};
use super::value::Read;
use crate::declared::keys::code;
use crate::expression::Binary;
use crate::packing::{PROCESSES, Unpacking};
use crate::place::At;
use crate::resolve::{Formula, Kind, Property, Resolver, Term};
use crate::spec::{Loader, Spec};
use crate::yaml::{self, Style, Yaml};
use std::collections::HashMap;

/// How a cost grows with the operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Growth {
    None,
    Linear,
}

/// Expressions, and how the cost of each one grows.
type Cases = &'static [(&'static str, Growth)];

const PROPERTIES: [Property; 13] = [
    Property::Io,
    Property::Root,
    Property::Parent,
    Property::Pos,
    Property::Eof,
    Property::Size,
    Property::First,
    Property::Last,
    Property::Min,
    Property::Max,
    Property::Reverse,
    Property::Integer,
    Property::Text,
];

/// Returns the cost of a property for each kind of value that has it. A new property must be added here, or this does
/// not compile.
fn of_property(property: Property) -> Cases {
    use Growth::{Linear, None};
    match property {
        Property::Io => &[("_io", None)],
        Property::Root => &[("_root", None)],
        Property::Parent => &[("_parent", None)],
        Property::Pos => &[("_io.pos", None)],
        Property::Eof => &[("_io.eof", None)],
        Property::Size => &[("_io.size", None), ("b.size", None), ("l.size", None), ("t.length", Linear)],
        Property::First => &[("b.first", None), ("l.first", None)],
        Property::Last => &[("b.last", None), ("l.last", None)],
        Property::Min => &[("b.min", Linear), ("l.min", Linear), ("w.min", Linear)],
        Property::Max => &[("b.max", Linear), ("l.max", Linear), ("w.max", Linear)],
        Property::Reverse => &[("t.reverse", Linear)],
        Property::Integer => &[("t.to_i", Linear), ("n.to_i", None), ("true.to_i", None)],
        Property::Text => &[("n.to_s", None)],
    }
}

const OPERATORS: [Binary; 18] = [
    Binary::Or,
    Binary::And,
    Binary::Equal,
    Binary::Unequal,
    Binary::Less,
    Binary::AtMost,
    Binary::Greater,
    Binary::AtLeast,
    Binary::BitOr,
    Binary::BitXor,
    Binary::BitAnd,
    Binary::ShiftLeft,
    Binary::ShiftRight,
    Binary::Add,
    Binary::Subtract,
    Binary::Multiply,
    Binary::Divide,
    Binary::Modulo,
];

fn of_operator(operator: Binary) -> Cases {
    use Growth::{Linear, None};
    match operator {
        Binary::Or => &[("true or true", None)],
        Binary::And => &[("true and true", None)],
        Binary::Equal => &[("n == n", None), ("b == b", Linear), ("t == t", Linear), ("l == l", Linear)],
        Binary::Unequal => &[("n != n", None), ("b != b", Linear), ("t != t", Linear), ("l != l", Linear)],
        Binary::Less => &[("n < n", None), ("b < b", Linear), ("t < t", Linear)],
        Binary::AtMost => &[("n <= n", None), ("b <= b", Linear), ("t <= t", Linear)],
        Binary::Greater => &[("n > n", None), ("b > b", Linear), ("t > t", Linear)],
        Binary::AtLeast => &[("n >= n", None), ("b >= b", Linear), ("t >= t", Linear)],
        Binary::BitOr => &[("n | n", None)],
        Binary::BitXor => &[("n ^ n", None)],
        Binary::BitAnd => &[("n & n", None)],
        Binary::ShiftLeft => &[("n << 1", None)],
        Binary::ShiftRight => &[("n >> 1", None)],
        Binary::Add => &[("n + n", None), ("t + t", Linear)],
        Binary::Subtract => &[("n - n", None)],
        Binary::Multiply => &[("n * n", None)],
        Binary::Divide => &[("n / n", None)],
        Binary::Modulo => &[("n % n", None)],
    }
}

/// Returns expressions whose outermost term is none of the above. A new term must be added here, or this does not compile.
fn of_term(term: &Term) -> Cases {
    use Growth::{Linear, None};
    match term {
        Term::Decoded(..) => &[("b.to_s('ASCII')", Linear), ("l.to_s('ASCII')", Linear)],
        Term::Number(..) => &[("t.to_i(10)", Linear)],
        Term::Substring(_) => &[("t.substring(1, 2)", Linear), ("t.substring(0, t.length)", Linear)],
        Term::AsBytes(_) => &[("l.as<bytes>", None)],
        Term::Element(..) => &[("b[1]", None), ("l[1]", None)],
        Term::Format(_) => &[("f\"{t}\"", Linear), ("f\"{n}\"", None)],
        Term::List(_) => &[("[n, n]", None), ("[t, t]", None)],
        Term::Not(_) => &[("not true", None)],
        Term::Minus(_) => &[("-n", None)],
        Term::Inverse(_) => &[("~n", None)],
        Term::If(..) => &[("true ? t : t", None)],
        Term::Slot { .. } | Term::Named(..) => &[("b", None), ("t", None), ("l", None), ("b.as<any>.size", None)],
        Term::Int(_) | Term::Float(_) | Term::Bool(_) | Term::Text(_) | Term::Bytes(_) | Term::Label(..) => &[],
        Term::Own | Term::It | Term::Index | Term::Property(..) | Term::Binary(..) => &[],
    }
}

/// Returns the declaration of a parameter of a kind, and arguments for it. A new kind must be added here, or this does not compile.
fn of_parameter(kind: &Kind) -> (&'static str, Cases) {
    use Growth::{Linear, None};
    match kind {
        Kind::Int => ("type: u1", &[("n", None)]),
        Kind::Float => ("type: f8", &[("1.5", None)]),
        Kind::Bool => ("type: bool", &[("true", None)]),
        Kind::Text => ("type: str", &[("t", None), ("t + t", Linear)]),
        Kind::Bytes => ("type: bytes", &[("b", None), ("l", None)]),
        Kind::Enum(_) => ("type: u1, enum: e", &[("n", None)]),
        Kind::Structure(_) => ("type: x", &[("_root", None)]),
        Kind::AnyStructure => ("type: struct", &[("_root", None)]),
        Kind::Io => ("type: io", &[("_io", None)]),
        Kind::List(_) => ("type: 'u1[]'", &[("l", None)]),
        Kind::Any => ("type: any", &[("w", None), ("b.to_s('ASCII')", Linear)]),
    }
}

/// Returns arguments of a process. A new process must be added here, or this does not compile.
fn of_process(by: Unpacking) -> Cases {
    use Growth::Linear;
    match by {
        Unpacking::Xor => &[("(n)", Linear), ("(b)", Linear), ("(l)", Linear)],
        Unpacking::RotateLeft | Unpacking::RotateRight => &[("(n)", Linear)],
        Unpacking::Zlib(_) => &[("", Linear)],
        Unpacking::Custom(_) => &[("", Linear), ("(b)", Linear), ("(t)", Linear)],
    }
}

const TEXT: &str = "
meta: {id: x}
seq: [{id: b, size-eos: true}]
enums: {e: {48: zero}}
instances:
  n: {pos: 0, type: u1}
  l: {pos: 0, type: u1, repeat: eos}
  w: {pos: 0, type: u1, repeat: eos, enum: e}
  t: {pos: 0, type: str, size-eos: true, encoding: ASCII}
";

/// The instances that are read before anything is measured.
const OPERANDS: [&str; 4] = ["n", "l", "w", "t"];

/// The lengths of the files.
const LENGTHS: [usize; 2] = [20_000, 40_000];

/// Returns a file of digits.
fn digits(length: usize) -> Vec<u8> {
    vec![b'0'; length]
}

/// Returns a zlib stream that stores its bytes uncompressed.
fn stored(length: usize) -> Vec<u8> {
    Unpacking::Zlib(Some(0)).pack(&digits(length), &[]).expect("zlib is packed")
}

/// Returns the costs of a step according to the budget, for files of two lengths, and the peak memory of the values that it creates
/// and keeps.
fn costs(spec: &Spec, file: fn(usize) -> Vec<u8>, step: impl Fn(&mut Machine<'_>) -> Read<()>) -> [[u64; 2]; 2] {
    LENGTHS.map(|length| {
        let file = file(length);
        let mut machine = Machine::new(&spec.plan, &file, DEPTH, Granted::default());
        machine.read();
        for operand in OPERANDS {
            // The bytes of a zlib stream are not text.
            let _ = machine.instance(0, spec.plan.types[0].slots[operand]);
        }
        machine.budget.take_most_held();
        let [spent, held] = [machine.budget.spent(), machine.budget.held()];
        step(&mut machine).unwrap_or_else(|stop| panic!("{}", stop.message));
        [machine.budget.spent() - spent, machine.budget.take_most_held() - held]
    })
}

/// Returns an expression of the outermost type.
fn formula(spec: &Spec, text: &str) -> Formula {
    let processes = HashMap::new();
    let yaml = Yaml { at: At::default(), kind: yaml::Kind::Scalar(text.to_owned(), Style::Block) };
    let declared = code(&yaml).unwrap_or_else(|flaw| panic!("{text}: {flaw:?}"));
    let resolved = Resolver::new(&spec.declared, &processes).formula(0, &declared, None);
    resolved.unwrap_or_else(|flaw| panic!("{text}: {flaw:?}")).0
}

fn of_expression(spec: &Spec, text: &str) -> [[u64; 2]; 2] {
    let formula = formula(spec, text);
    costs(spec, digits, |machine| machine.evaluate(&formula, &Context::of(0)).map(drop))
}

/// Returns the costs of reading an instance with these keys.
fn of_instance(keys: &str, types: &str, file: fn(usize) -> Vec<u8>) -> [[u64; 2]; 2] {
    let loader = Loader::new().process("mine", |bytes, _| Some(bytes.to_vec()));
    let spec = loader.parse("costs", &format!("{TEXT}  v: {{pos: 0, {keys}}}\n{types}"));
    let spec = spec.unwrap_or_else(|error| panic!("{keys}: {error}"));
    costs(&spec, file, |machine| machine.instance(0, spec.plan.types[0].slots["v"]).map(drop))
}

/// The checked rows of the table.
#[derive(Default)]
struct Table(String);

impl Table {
    fn add(&mut self, shown: &str, growth: Growth, [[one, _], [two, memory]]: [[u64; 2]; 2]) {
        let (exponent, memory) = ((two as f64 / one as f64).log2(), memory as f64 / LENGTHS[1] as f64);
        self.0 += &format!("| {} | {exponent:.1} | {memory:.1} |\n", shown.replace('|', "\\|"));
        let found = match two.checked_sub(one) {
            Some(0) => Some(Growth::None),
            Some(more) if one >= 20_000 && more >= 20_000 && two * 10 < one * 21 => Some(Growth::Linear),
            _ => None,
        };
        assert_eq!(found, Some(growth), "{shown}: {one}, {two}");
    }
}

/// Adds the costs of type arguments, which arise where a structure is read, and then the processes.
fn add_instances(table: &mut Table) {
    let known = [Kind::Int, Kind::Float, Kind::Bool, Kind::Text, Kind::Bytes, Kind::Enum(0), Kind::Structure(0)];
    let others = [Kind::AnyStructure, Kind::Io, Kind::list(Kind::Int), Kind::Any];
    for kind in known.into_iter().chain(others) {
        let (declaration, cases) = of_parameter(&kind);
        let types = format!("types: {{p: {{params: [{{id: q, {declaration}}}], seq: []}}}}\n");
        for (argument, growth) in cases {
            let keys = format!("type: 'p({})'", argument.replace('\'', "''"));
            table.add(&format!("`p({argument})` for `{declaration}`"), *growth, of_instance(&keys, &types, digits));
        }
    }
    for (name, by) in PROCESSES.into_iter().chain([("mine", Unpacking::Custom(|_, _| None))]) {
        let file = if matches!(by, Unpacking::Zlib(_)) { stored } else { digits };
        for (arguments, growth) in of_process(by) {
            let keys = format!("size-eos: true, process: '{name}{arguments}'");
            table.add(&format!("`process: {name}{arguments}`"), *growth, of_instance(&keys, "", file));
        }
    }
}

#[test]
fn each_operator_takes_of_the_budget_what_it_costs() {
    let spec: Spec = TEXT.parse().unwrap();
    let of_terms = ["b.to_s('ASCII')", "t.to_i(10)", "t.substring(1, 2)", "l.as<bytes>", "b[1]", "f\"{t}\"", "[n, n]"];
    let of_terms = of_terms.into_iter().chain(["not true", "-n", "~n", "true ? t : t", "b"]);
    let all = PROPERTIES.into_iter().map(of_property).chain(OPERATORS.into_iter().map(of_operator));
    let mut table = Table::default();
    for (text, growth) in all.chain(of_terms.map(|text| of_term(&formula(&spec, text).term))).flatten() {
        table.add(&format!("`{text}`"), *growth, of_expression(&spec, text));
    }
    add_instances(&mut table);
    println!("{}", table.0);
    ensure_shown(&table.0);
}

/// The lines around the table on the book's page.
const MARKS: [&str; 2] = ["<!-- everybyte/ksy/src/read/costs.rs -->\n", "<!-- end -->\n"];

/// Checks that the project's page shows the table. The package has no page.
#[allow(clippy::disallowed_methods, reason = "the page is the project's own")]
fn ensure_shown(table: &str) {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/src/internals/costs.md");
    let Ok(page) = std::fs::read_to_string(path) else { return };
    let (before, rest) = page.split_once(MARKS[0]).expect("the page has the table");
    let (shown, after) = rest.split_once(MARKS[1]).expect("the table ends");
    let expected = ["\n| operator | exponent | memory per byte |\n|---|---:|---:|\n", table, "\n"].concat();
    if std::env::var_os("UPDATE_GENERATED").is_some() {
        std::fs::write(path, [before, MARKS[0], &expected, MARKS[1], after].concat()).expect("the page can be written");
        return;
    }
    assert_eq!(shown, expected, "UPDATE_GENERATED=1 writes the page");
}
