//! The fields of one structure, ready to be put into the output.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Ident, Type};

/// The fields of one structure, ready to be put into the output.
#[derive(Default)]
pub struct Expanded {
    /// The declarations, each with its hook.
    pub declarations: Vec<TokenStream>,
    /// `FieldDoc` values, one a field.
    pub docs: Vec<TokenStream>,
    /// The number that each field adds to the fewest bytes of the whole.
    pub min_sizes: Vec<TokenStream>,
    /// The size of each field, where it is fixed.
    pub sizes: Vec<TokenStream>,
    /// The types that the field reference has to describe too.
    pub types: Vec<Type>,
    /// Further assertions, checked when the structure is compiled.
    pub checks: Vec<TokenStream>,
    /// The fields that may hold memory of their own: those that stand in the value as they stand in the file.
    pub held: Vec<(Ident, Type)>,
    /// The fields of the value: the name and the `hook::Field` of each.
    pub values: Vec<(Ident, TokenStream)>,
    /// The fields without a node of their own.
    pub inline: Vec<(Ident, Type)>,
    /// True if an expression may move the reader.
    pub is_moved: bool,
    /// True if the writer has to have a name, since numbers are computed from what was written.
    pub needs_stream: bool,
    /// True if the writer has to keep what is written, since it is summed.
    pub needs_copy: bool,
}

impl Expanded {
    /// The sum of what the fields hold in memory of their own; `place` gives a reference to each.
    pub fn heap(&self, place: impl Fn(&Ident) -> TokenStream) -> TokenStream {
        let each = self.held.iter().map(|(name, ty)| {
            let place = place(name);
            quote_spanned!(ty.span()=> <#ty as ::everybyte::Layout>::heap(#place))
        });
        quote!(0 #(+ #each)*)
    }
}

/// The field to which a structure leaves its value: the only one, if it has no node of its own.
impl Expanded {
    pub fn only_inline(&self) -> Option<&(Ident, Type)> {
        self.inline.first().filter(|_| self.docs.len() == 1)
    }
}
