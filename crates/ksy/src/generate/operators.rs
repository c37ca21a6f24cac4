//! Operators of two sides.

use super::code::{Binds, Code, Is};
use crate::expression::Binary;

/// Two sides of an operator.
pub fn binary(by: Binary, left: &Code, right: &Code) -> Result<Code, String> {
    use Binary::{Add, And, BitAnd, BitOr, BitXor, Divide, Modulo, Multiply, Or, ShiftLeft, ShiftRight, Subtract};
    let unfit = || Err("the operator does not suit its values".to_owned());
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
        // Numbers of files have 64 bits at most: their sums, and products with small numbers, always have a result.
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
    // The sides of a shift need not have one type: that of a literal has to be stated.
    let typed = (binds == Binds::Shift && left.text.parse::<i128>().is_ok()).then(|| format!("{}_i128", left.text));
    let left = &Code { text: typed.unwrap_or_else(|| left.text.clone()), ..left.clone() };
    let code = Code::joined(left, sign(by), right, binds, Is::Int)?;
    Ok(Code { is_natural, has_result: code.has_result && has_result, ..code })
}

/// A quotient or a remainder whose sides may be negative: rounded towards the smaller number, as Kaitai Struct has it.
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
