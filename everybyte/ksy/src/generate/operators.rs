//! Translates binary operators.

use super::code::{Binds, Code, Is};
use crate::expression::Binary;

/// Translates a binary operator.
pub fn binary(by: Binary, left: &Code, right: &Code) -> Result<Code, String> {
    use Binary::{Add, And, BitAnd, BitOr, BitXor, Divide, Modulo, Multiply, Or, ShiftLeft, ShiftRight, Subtract};
    let unfit = || Err("the operator cannot be applied to these values".to_owned());
    if matches!(by, And | Or) {
        let (sign, binds) = if by == And { ("&&", Binds::And) } else { ("||", Binds::Or) };
        return match (left.is, right.is) {
            (Is::Bool, Is::Bool) => Code::joined(left, sign, right, binds, Is::Bool),
            _ => unfit(),
        };
    }
    if by.compares() {
        let is_equality = matches!(by, Binary::Equal | Binary::Unequal);
        let fits = match (left.is, right.is) {
            (Is::Int, Is::Int) => true,
            (a, b) => a == b && is_equality && !matches!(a, Is::List | Is::Float),
        };
        return if fits { Code::joined(left, sign(by), right, Binds::Compare, Is::Bool) } else { unfit() };
    }
    if left.is != Is::Int || right.is != Is::Int {
        return unfit();
    }
    let both = left.is_natural && right.is_natural;
    let divisor = right.text.parse::<i128>().is_ok_and(|number| number > 0);
    let (binds, is_natural, has_result) = match by {
        // Numbers in files have at most 64 bits, so their sums, and products with small numbers, always have a result.
        Add => (Binds::Sum, both, true),
        Subtract => (Binds::Sum, false, true),
        Multiply => (Binds::Product, both, [left, right].into_iter().any(|side| side.text.parse::<u32>().is_ok())),
        Divide | Modulo if both => (Binds::Product, true, divisor),
        Divide | Modulo => return quotient(by, left, right),
        ShiftLeft | ShiftRight => (Binds::Shift, left.is_natural, divisor && by == ShiftRight),
        BitAnd => (Binds::BitAnd, left.is_natural || right.is_natural, true),
        BitOr => (Binds::BitOr, both, true),
        BitXor => (Binds::BitXor, both, true),
        _ => return unfit(),
    };
    // The operands of a shift need not have the same type, so the type of a literal has to be stated.
    let typed = (binds == Binds::Shift && left.text.parse::<i128>().is_ok()).then(|| format!("{}_i128", left.text));
    let left = &Code { text: typed.unwrap_or_else(|| left.text.clone()), ..left.clone() };
    let code = Code::joined(left, sign(by), right, binds, Is::Int)?;
    Ok(Code { is_natural, has_result: code.has_result && has_result, ..code })
}

/// Returns a quotient or a remainder whose operands may be negative, rounded down as in Kaitai Struct.
fn quotient(by: Binary, left: &Code, right: &Code) -> Result<Code, String> {
    let name = if by == Binary::Divide { "div_euclid" } else { "rem_euclid" };
    let (left, has_result) = (left.within(Binds::Whole), left.has_result);
    let text = match right.text.parse::<i128>() {
        Ok(1..) => format!("{left}.{name}({})", right.text),
        _ if right.is_natural => format!("{left}.checked_{name}({}).unwrap_or(i128::MIN)", right.text),
        _ => return Err("a number is divided by one that may be negative".into()),
    };
    Code { has_result, ..Code::whole(text, Is::Int) }.bounded()
}

/// Returns the sign of an operator in Rust.
fn sign(by: Binary) -> &'static str {
    match by {
        Binary::Or => "||",
        Binary::And => "&&",
        Binary::Equal => "==",
        Binary::Unequal => "!=",
        Binary::Less => "<",
        Binary::AtMost => "<=",
        Binary::Greater => ">",
        Binary::AtLeast => ">=",
        Binary::BitOr => "|",
        Binary::BitXor => "^",
        Binary::BitAnd => "&",
        Binary::ShiftLeft => "<<",
        Binary::ShiftRight => ">>",
        Binary::Add => "+",
        Binary::Subtract => "-",
        Binary::Multiply => "*",
        Binary::Divide => "/",
        Binary::Modulo => "%",
    }
}
