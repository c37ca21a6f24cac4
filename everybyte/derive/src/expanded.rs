//! The fields of one structure, ready for the output.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Ident, Type};

/// The fields of one structure, ready for the output.
#[derive(Default)]
pub struct Expanded {
    /// The declarations, each with its hook.
    pub declarations: Vec<TokenStream>,
    /// `FieldDoc` values, one per field.
    pub docs: Vec<TokenStream>,
    /// The minimum number of bytes that each field contributes.
    pub min_sizes: Vec<TokenStream>,
    /// The size of each field, if it is fixed.
    pub sizes: Vec<TokenStream>,
    /// Other types that the field reference must describe.
    pub types: Vec<Type>,
    /// Additional assertions, checked when the structure is compiled.
    pub checks: Vec<TokenStream>,
    /// The fields that may own heap memory: those that are stored unchanged in the value.
    pub held: Vec<(Ident, Type)>,
    /// The fields of the value: the name and the `hook::Field` of each.
    pub values: Vec<(Ident, TokenStream)>,
    /// The fields without their own nodes.
    pub inline: Vec<(Ident, Type)>,
    /// True if an expression may move the reader.
    pub is_moved: bool,
    /// True if the writer must have a name, because numbers are computed from the written bytes.
    pub needs_stream: bool,
    /// True if the writer must keep the written bytes, for checksums.
    pub needs_copy: bool,
}

impl Expanded {
    /// Returns the heap memory of all fields; `place` returns a reference to each.
    pub fn heap(&self, place: impl Fn(&Ident) -> TokenStream) -> TokenStream {
        let each = self.held.iter().map(|(name, ty)| {
            let place = place(name);
            quote_spanned!(ty.span()=> <#ty as ::everybyte::Layout>::heap(#place))
        });
        quote!(0 #(+ #each)*)
    }
}

/// Finds the field whose value becomes the value of the structure: the only one, if it does not have its own node.
impl Expanded {
    pub fn only_inline(&self) -> Option<&(Ident, Type)> {
        self.inline.first().filter(|_| self.docs.len() == 1)
    }
}
