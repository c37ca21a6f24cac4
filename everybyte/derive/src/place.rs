//! The positions of fields at offsets.

use crate::options::{self, Value};
use crate::parsers::element_of;
use crate::target::Target;
use quote::{ToTokens, format_ident};
use syn::{Expr, FieldsNamed, GenericArgument, Ident, PathArguments, Type};

/// The position of a field.
pub struct Place {
    /// The offset.
    pub at: Expr,
    /// The origin of the offset, if it is not the start of the space.
    pub origin: Option<(String, Target)>,
    /// The loop variable for the elements of a list, and the list.
    pub each: Option<(Ident, Expr)>,
    /// The variable for an element of the field itself, and the offset of the next element.
    pub chain: Option<(Ident, Expr)>,
}

impl Place {
    /// Returns whether each element of a list has its own offset.
    pub fn is_of_elements(&self) -> bool {
        self.each.is_some() || self.chain.is_some()
    }
}

/// Returns the fields that have an option with this value.
pub fn fields(fields: &FieldsNamed, has: impl Fn(&Value) -> bool) -> syn::Result<Vec<Ident>> {
    let mut placed = Vec::new();
    for field in &fields.named {
        let options = options::take(&mut field.attrs.clone())?;
        if options.iter().any(|option| has(&option.value)) {
            placed.extend(field.ident.clone());
        }
    }
    Ok(placed)
}

/// Returns the name of the temporary field with the positions of a field.
pub fn slots(field: &Ident) -> Ident {
    format_ident!("__places_{field}")
}

/// Returns whether a type is a Rust integer or a list of them.
pub fn is_integer(ty: &Type) -> bool {
    let is_one = |ty: &Type| {
        let name = ty.to_token_stream().to_string();
        ["u8", "u16", "u32", "u64", "i8", "i16", "i32", "i64"].contains(&&*name)
    };
    is_one(ty) || element(ty).is_some_and(is_one)
}

/// Returns whether a type is a Rust integer.
pub fn is_number(ty: &Type) -> bool {
    is_integer(ty) && element(ty).is_none()
}

/// Returns `T` of `Vec<T>`.
pub fn element(ty: &Type) -> Option<&Type> {
    element_of(ty)
}

/// Returns `T` of `Option<T>`.
pub fn optional(ty: &Type) -> Option<&Type> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last()?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    match arguments.args.first()? {
        GenericArgument::Type(inner) if last.ident == "Option" => Some(inner),
        _ => None,
    }
}
