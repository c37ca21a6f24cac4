//! The numbers that rules require of a field, for generated files.

use super::{Derived, names};
use crate::arithmetic;
use crate::part::Part;
use crate::place;
use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{BinOp, Expr, ExprBinary, ExprLit, Ident, Lit};

impl Derived<'_> {
    /// Returns the fields inserted before a field to record the number that a rule requires of it, or of its bit fields: `5` for
    /// `size == 5`.
    pub fn wanted(&self, part: &Part) -> Vec<TokenStream> {
        let mut equations = Vec::new();
        part.roles.rules.iter().for_each(|rule| gather(&rule.condition, &part.ident, &mut equations));
        match place::is_number(&part.field.ty) {
            true => equations
                .into_iter()
                .find_map(|(run, number)| run.is_none().then(|| whole(part, number)))
                .into_iter()
                .collect(),
            false => runs(part, &equations),
        }
    }
}

/// Returns the number for a complete field.
fn whole(part: &Part, number: &Expr) -> TokenStream {
    let (own, asked) = (format_ident!("__wanted_{}", part.ident), arithmetic::judged(number));
    quote_spanned! {number.span()=>
        #[br(temp, parse_with = ::everybyte::hook::wanted(|| #asked))]
        #[bw(ignore)]
        #own: ()
    }
}

/// Returns the numbers for bit runs. Only the compiler knows whether the field has bits and whether the other side is a
/// number.
fn runs(part: &Part, equations: &[(Option<&Ident>, &Expr)]) -> Vec<TokenStream> {
    let mut fields: Vec<(&Ident, TokenStream)> = Vec::new();
    for &(run, number) in equations {
        let Some(run) = run.filter(|run| fields.iter().all(|(known, _)| known != run)) else { continue };
        let (own, name) = (format_ident!("__wanted_{}_of_{}", run, part.ident), run.to_string());
        let asked = match number {
            Expr::Lit(ExprLit { lit: Lit::Int(literal), .. }) => match literal.base10_parse::<u64>() {
                Ok(number) => quote!(Some(#number)),
                Err(_) => continue,
            },
            _ => {
                let asked = arithmetic::judged(number);
                quote!({
                    use ::everybyte::hook::{AskedNothing as _, AskedNumber as _};
                    (&::everybyte::hook::Asked::of(#asked)).asked()
                })
            }
        };
        fields.push((
            run,
            quote! {
                #[br(temp, parse_with = ::everybyte::hook::wanted_run(#name, || #asked))]
                #[bw(ignore)]
                #own: ()
            },
        ));
    }
    fields.into_iter().map(|(_, field)| field).collect()
}

/// Collects the equations in a condition that have the field, or a run of its bits, on exactly one side.
fn gather<'e>(condition: &'e Expr, field: &Ident, equations: &mut Vec<(Option<&'e Ident>, &'e Expr)>) {
    match condition {
        Expr::Paren(inner) => gather(&inner.expr, field, equations),
        Expr::Binary(ExprBinary { left, op: BinOp::And(_) | BinOp::Or(_), right, .. }) => {
            gather(left, field, equations);
            gather(right, field, equations);
        }
        Expr::Binary(ExprBinary { left, op: BinOp::Eq(_), right, .. }) => {
            for (side, other) in [(left, right), (right, left)] {
                if let Some(run) = run_of(side, field).filter(|_| !names(other).contains(field)) {
                    equations.push((run, other));
                    break;
                }
            }
        }
        _ => {}
    }
}

/// Returns the run of bits of a field that an expression refers to: `Some(None)` for the field itself, `None` for any
/// other expression.
fn run_of<'e>(side: &'e Expr, field: &Ident) -> Option<Option<&'e Ident>> {
    let is_field = |side: &Expr| matches!(side, Expr::Path(path) if path.path.is_ident(field));
    match side {
        Expr::MethodCall(call) if call.args.is_empty() && is_field(&call.receiver) => Some(Some(&call.method)),
        side => is_field(side).then_some(None),
    }
}
