//! Binary operators.
//!
//! Integers are `i128` and every operation on them is checked, so a result is either correct or a fault. Operators on
//! texts and bytes are charged for the length that they compare or copy.

use super::machine::Machine;
use super::value::{Cause, Read, Val, fault};
use crate::expression::Binary;
use std::cmp::Ordering;

impl Machine<'_> {
    /// Returns the value of an operator. This excludes `and` and `or`, which may skip an operand.
    pub(super) fn operate(&mut self, by: Binary, left: &Val, right: &Val) -> Read<Val> {
        match by {
            Binary::Equal => return Ok(Val::Bool(self.equal(left, right)?)),
            Binary::Unequal => return Ok(Val::Bool(!self.equal(left, right)?)),
            Binary::Less => return Ok(Val::Bool(self.order(left, right)?.is_lt())),
            Binary::AtMost => return Ok(Val::Bool(self.order(left, right)?.is_le())),
            Binary::Greater => return Ok(Val::Bool(self.order(left, right)?.is_gt())),
            Binary::AtLeast => return Ok(Val::Bool(self.order(left, right)?.is_ge())),
            _ => {}
        }
        match (left, right) {
            (Val::Int(left), Val::Int(right)) => integers(by, *left, *right),
            (Val::Text(left), Val::Text(right)) if by == Binary::Add => {
                self.text_of(left.len() + right.len())?;
                Ok(Val::Text(format!("{left}{right}").into()))
            }
            (Val::Nothing, _) | (_, Val::Nothing) => fault(Cause::Other, "a value is used that is not in this file"),
            _ => match (float(left), float(right)) {
                (Some(left), Some(right)) => floats(by, left, right),
                _ => fault(Cause::Other, "the operator cannot be applied to these values"),
            },
        }
    }

    /// Returns whether two values are equal. Values of different kinds are never equal.
    pub fn equal(&mut self, left: &Val, right: &Val) -> Read<bool> {
        Ok(match (left, right) {
            (Val::Nothing, Val::Nothing) => true,
            (Val::Int(a), Val::Int(b)) => a == b,
            (Val::Bool(a), Val::Bool(b)) => a == b,
            (Val::Text(a), Val::Text(b)) => {
                self.budget.work(a.len().min(b.len()))?;
                a == b
            }
            (Val::Label(of, a), Val::Label(other, b)) => of == other && a == b,
            (Val::Structure(a), Val::Structure(b)) | (Val::Io(a), Val::Io(b)) => a == b,
            (Val::Bytes(a), Val::Bytes(b)) => {
                let length = self.bytes(a).len();
                if length != self.bytes(b).len() {
                    return Ok(false);
                }
                self.budget.work(length)?;
                self.bytes(a) == self.bytes(b)
            }
            (Val::Bytes(bytes), Val::List(list)) | (Val::List(list), Val::Bytes(bytes)) => {
                self.budget.work(list.len())?;
                let bytes = self.bytes(bytes);
                let is_byte = |(byte, val): (&u8, Val)| matches!(val, Val::Int(it) if it == i128::from(*byte));
                bytes.len() == list.len() && bytes.iter().zip(list.iter()).all(is_byte)
            }
            (Val::List(a), Val::List(b)) => {
                if a.len() != b.len() {
                    return Ok(false);
                }
                for (a, b) in a.iter().zip(b.iter()) {
                    self.budget.step()?;
                    if !self.equal(&a, &b)? {
                        return Ok(false);
                    }
                }
                true
            }
            _ => match (float(left), float(right)) {
                (Some(left), Some(right)) => left == right,
                _ => false,
            },
        })
    }

    /// Returns the order of two values.
    pub(super) fn order(&mut self, left: &Val, right: &Val) -> Read<Ordering> {
        Ok(match (left, right) {
            (Val::Int(a), Val::Int(b)) | (Val::Label(_, a), Val::Label(_, b)) => a.cmp(b),
            (Val::Text(a), Val::Text(b)) => {
                self.budget.work(a.len().min(b.len()))?;
                a.cmp(b)
            }
            (Val::Bytes(a), Val::Bytes(b)) => {
                self.budget.work(self.bytes(a).len().min(self.bytes(b).len()))?;
                self.bytes(a).cmp(self.bytes(b))
            }
            (Val::Bytes(bytes), Val::List(list)) => {
                self.budget.work(list.len())?;
                let numbers = list.iter().map(|val| if let Val::Int(number) = val { number } else { -1 });
                self.bytes(bytes).iter().map(|&byte| i128::from(byte)).cmp(numbers)
            }
            (Val::List(_), Val::Bytes(_)) => self.order(right, left)?.reverse(),
            _ => {
                let order = float(left).zip(float(right)).and_then(|(left, right)| left.partial_cmp(&right));
                match order {
                    Some(order) => order,
                    None => return fault(Cause::Other, "the values cannot be ordered"),
                }
            }
        })
    }
}

/// Computes with integers. An overflow is a fault.
fn integers(by: Binary, left: i128, right: i128) -> Read<Val> {
    let shift = u32::try_from(right).ok();
    let result = match by {
        Binary::Add => left.checked_add(right),
        Binary::Subtract => left.checked_sub(right),
        Binary::Multiply => left.checked_mul(right),
        Binary::Divide | Binary::Modulo if right == 0 => return fault(Cause::Other, "a number is divided by zero"),
        Binary::Divide => floor_divided(left, right),
        Binary::Modulo => left.checked_rem_euclid(right),
        Binary::BitAnd => Some(left & right),
        Binary::BitOr => Some(left | right),
        Binary::BitXor => Some(left ^ right),
        Binary::ShiftLeft => shift.filter(|&by| by < 64).and_then(|by| left.checked_mul(1 << by)),
        Binary::ShiftRight => shift.map(|by| left >> by.min(127)),
        _ => None,
    };
    result.map_or_else(|| fault(Cause::Other, "the number has more than 127 bits"), |number| Ok(Val::Int(number)))
}

/// Returns a quotient that is rounded down, as in Kaitai Struct.
fn floor_divided(left: i128, right: i128) -> Option<i128> {
    let quotient = left.checked_div(right)?;
    let is_rounded_up = left % right != 0 && (left < 0) != (right < 0);
    Some(quotient - i128::from(is_rounded_up))
}

/// Floating-point arithmetic.
fn floats(by: Binary, left: f64, right: f64) -> Read<Val> {
    Ok(Val::Float(match by {
        Binary::Add => left + right,
        Binary::Subtract => left - right,
        Binary::Multiply => left * right,
        Binary::Divide => left / right,
        Binary::Modulo => left.rem_euclid(right),
        _ => return fault(Cause::Other, "the operator cannot be applied to these numbers"),
    }))
}

/// Returns a number as a float.
fn float(val: &Val) -> Option<f64> {
    match val {
        Val::Int(number) => Some(*number as f64),
        Val::Float(number) => Some(*number),
        _ => None,
    }
}
