//! Runs of bits, and numbers as Rust integers.

use super::model::Model;
use super::names;
use super::text::{Item, doc};
use crate::resolve::{Content, Field, Order, Run};

/// Returns the integer that contains a number; `None` for other contents and for bits that end inside a byte.
pub fn integer_of(content: &Content) -> Option<&'static str> {
    Some(match content {
        Content::Int { size: 1, is_signed: false, .. } | Content::Bits { width: 8, .. } => "u8",
        Content::Int { size: 2, is_signed: false, .. } | Content::Bits { width: 16, .. } => "u16",
        Content::Int { size: 4, is_signed: false, .. } | Content::Bits { width: 32, .. } => "u32",
        Content::Int { size: 8, is_signed: false, .. } | Content::Bits { width: 64, .. } => "u64",
        Content::Bits { width: 24, .. } => "everybyte::number::U24",
        Content::Bits { width: 48, .. } => "everybyte::number::U48",
        Content::Int { size: 1, .. } => "i8",
        Content::Int { size: 2, .. } => "i16",
        Content::Int { size: 4, .. } => "i32",
        Content::Int { size: 8, .. } => "i64",
        _ => return None,
    })
}

/// Returns the byte order of a number, if it has one.
pub fn order_of(content: &Content) -> Option<&'static str> {
    let is_little = match content {
        Content::Int { size: 1, .. } | Content::Bits { width: ..=8, .. } => return None,
        Content::Int { order, .. } | Content::Float { order, .. } => *order == Order::Little,
        Content::Bits { is_little, .. } => *is_little,
        _ => return None,
    };
    Some(if is_little { "little" } else { "big" })
}

impl Model<'_> {
    /// Returns the name of the field that holds a run of bits.
    pub fn run_name(&self, run: &Run) -> String {
        run.name.replace('-', "_to_")
    }

    /// Adds a type for the bits of a run to the items. Returns the field that holds it.
    pub fn run(&self, number: usize, run: &Run, items: &mut Vec<String>) -> Option<Item> {
        let fields = &self.plan.types[number].fields[run.places.clone()];
        let (mut total, mut little) = (0_u32, None);
        for field in fields {
            let Content::Bits { width, is_little } = field.content else { continue };
            total += width;
            if little.is_some_and(|little| little != is_little) || field.when.is_some() || field.check.is_some() {
                self.refuse(
                    field.at,
                    format!(
                        "the bits of `{}` have another bit order than their neighbours, or are conditional",
                        field.name
                    ),
                );
                return None;
            }
            little = Some(is_little);
        }
        let is_little = little == Some(true);
        let whole = total.next_multiple_of(8);
        if !matches!(whole, 8 | 16 | 32 | 64) {
            let message =
                format!("the bits from `{}` on take {whole} bits: a layout needs 8, 16, 32 or 64", fields[0].name);
            self.refuse(fields[0].at, message);
            return None;
        }
        let mut lines: Vec<String> = fields.iter().map(bit).collect();
        if whole > total {
            lines.push(format!("    /// Not used.\n    pub unused_bits: everybyte::bits::B{},\n", whole - total));
        }
        if !is_little {
            lines.reverse();
        }
        let name =
            self.names.borrow_mut().fresh(&(self.type_names[&number].clone() + &names::camel(&self.run_name(run))));
        items.push(format!("#[everybyte::layout(bits = {whole})]\npub struct {name} {{\n{}}}\n", lines.concat()));
        let order = (whole > 8).then_some(if is_little { "little" } else { "big" });
        Some(Item { name: self.run_name(run), shown: Some(run.name.to_string()), ty: name, order, ..Item::default() })
    }
}

/// Returns a run of bits inside an integer.
fn bit(field: &Field) -> String {
    let Content::Bits { width, .. } = field.content else { return String::new() };
    let ty = if width == 1 { "bool".to_owned() } else { format!("everybyte::bits::B{width}") };
    format!("{}    pub {}: {ty},\n", doc(&field.doc, "    "), names::field(&field.name))
}
