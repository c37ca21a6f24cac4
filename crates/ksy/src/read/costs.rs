//! The cost of each operator, by what it takes of the budget: of one, or of as much as its operand has.

use super::context::Context;
use super::limits::Granted;
use super::machine::{DEPTH, Machine};
use crate::declared::keys::code;
use crate::expression::Binary;
use crate::place::At;
use crate::resolve::{Property, Resolver, Term};
use crate::spec::Spec;
use crate::yaml::{Kind, Style, Yaml};
use std::collections::HashMap;

/// The growth of a cost with the operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Growth {
    None,
    Linear,
}

/// Expressions, and how each one's cost grows.
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

/// A new property does not compile before it says here what it costs, of each kind of value that has it.
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

/// The expressions whose outermost term is none of the above; a new term does not compile before it has one here.
fn of_term(term: &Term) -> Cases {
    use Growth::{Linear, None};
    match term {
        Term::Decoded(..) => &[("b.to_s('ASCII')", Linear), ("l.to_s('ASCII')", Linear)],
        Term::Number(..) => &[("t.to_i(10)", Linear)],
        Term::Substring(_) => &[("t.substring(1, 2)", Linear), ("t.substring(0, t.length)", Linear)],
        Term::AsBytes(_) => &[("l.as<bytes>", Linear)],
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

const TEXT: &str = "
meta: {id: x}
seq: [{id: b, size-eos: true}]
instances:
  n: {pos: 0, type: u1}
  l: {pos: 0, type: u1, repeat: eos}
  w: {pos: 0, type: u1, repeat: eos, enum: e}
  t: {pos: 0, type: str, size-eos: true, encoding: ASCII}
enums: {e: {48: zero}}
";

/// The costs of an expression by the budget, for files of two lengths.
fn costs(spec: &Spec, text: &str) -> [u64; 2] {
    let processes = HashMap::new();
    let resolver = Resolver::new(&spec.declared, &processes);
    let yaml = Yaml { at: At::default(), kind: Kind::Scalar(text.to_owned(), Style::Block) };
    let declared = code(&yaml).unwrap_or_else(|flaw| panic!("{text}: {flaw:?}"));
    let (formula, _) = resolver.formula(0, &declared, None).unwrap_or_else(|flaw| panic!("{text}: {flaw:?}"));
    [20_000, 40_000].map(|length| {
        let file = vec![b'0'; length];
        let mut machine = Machine::new(&spec.plan, &file, DEPTH, Granted::default());
        machine.read();
        machine.read_instances();
        let before = machine.budget.spent();
        machine.evaluate(&formula, &Context::of(0)).unwrap_or_else(|stop| panic!("{text}: {}", stop.message));
        machine.budget.spent() - before
    })
}

#[test]
fn each_operator_takes_of_the_budget_what_it_costs() {
    let spec: Spec = TEXT.parse().unwrap();
    let term = |text: &str| {
        let processes = HashMap::new();
        let yaml = Yaml { at: At::default(), kind: Kind::Scalar(text.to_owned(), Style::Block) };
        Resolver::new(&spec.declared, &processes).formula(0, &code(&yaml).unwrap(), None).unwrap().0.term
    };
    let of_terms = ["b.to_s('ASCII')", "t.to_i(10)", "t.substring(1, 2)", "l.as<bytes>", "b[1]", "f\"{t}\"", "[n, n]"];
    let of_terms = of_terms.into_iter().chain(["not true", "-n", "~n", "true ? t : t", "b"]);
    let all = PROPERTIES.into_iter().map(of_property).chain(OPERATORS.into_iter().map(of_operator));
    for (text, growth) in all.chain(of_terms.map(|text| of_term(&term(text)))).flatten() {
        let [one, two] = costs(&spec, text);
        let found = match two.checked_sub(one) {
            Some(0) => Some(Growth::None),
            Some(more) if one >= 20_000 && more >= 20_000 && two * 10 < one * 21 => Some(Growth::Linear),
            _ => None,
        };
        assert_eq!(found, Some(*growth), "{text}: {one}, {two}");
    }
}
