//! `#[layout]` on a struct: its fields in file order.
//!
//! The `magic` of the struct becomes a first field, so that its bytes have a node. Facts that the struct does not state
//! follow from its fields: its minimum size is the sum of their minimum sizes, and its size is fixed if all of theirs are.

use crate::arithmetic;
use crate::derived;
use crate::derives::{Held, implemented};
use crate::directives::Directives;
use crate::docs;
use crate::expanded::Expanded;
use crate::fields::{self, Magic};
use crate::page::{Described, Page, left_to};
use proc_macro2::TokenStream;
use quote::quote;
use syn::{DeriveInput, Expr, ExprLit, FieldsNamed, Ident, Lit};

pub fn expand(item: &DeriveInput, fields: &FieldsNamed) -> syn::Result<TokenStream> {
    let mut attributes = item.attrs.clone();
    let mut directives = Directives::take(&mut attributes)?;
    directives.refuse(|name| {
        matches!(name, "map" | "try_map" | "repr").then_some("a layout is read field by field: map single fields")
    })?;
    let magic = directives.remove("magic").map(|directive| magic(directive.expression()?)).transpose()?;
    let magic_bytes = magic.as_ref().map(|magic| magic_bytes(magic, &directives));
    let (endian, parameters) = (directives.endian(), directives.parameters());
    let stream = directives.stream();
    arithmetic::rewrite_assertions(&mut directives, None);
    let expanded = fields::expand(&item.ident, fields, magic, &stream)?;
    let writer = derived::writer(&directives, &stream, [expanded.needs_stream, expanded.needs_copy])?;
    let derives = implemented(&item.ident, &[Held { variant: None, fields: &expanded.values }]);
    let (ident, vis) = (&item.ident, &item.vis);
    let magic_bytes = magic_bytes.map(|item| quote!(impl #ident { #item }));
    let page = Page { ident, doc: docs::text(&item.attrs), endian, parameters };
    let heap = expanded.heap(|name| quote!(&self.#name));
    let only = expanded.only_inline();
    let left = only.map(|(name, ty)| left_to(&[ty], |method, _| quote!(::everybyte::Layout::#method(&self.#name))));
    let Expanded { declarations, checks, docs: field_docs, min_sizes, sizes, types, .. } = &expanded;
    let layout = page.layout(Described {
        min_size: quote!(0 #(+ #min_sizes)*),
        size: quote!(::everybyte::reference::sum(&[#(#sizes),*])),
        is_moved: expanded.is_moved || directives.moves_reader(),
        left_to: only.iter().map(|(_, ty)| ty).collect(),
        methods: quote! {
            fn heap(&self) -> u64 {
                #heap
            }

            #left
        },
        kind: quote!(Structure(vec![#(#field_docs),*])),
        types,
    });
    Ok(quote! {
        #[::binrw::binrw]
        #directives
        #writer
        #(#attributes)*
        #vis struct #ident {
            #(#declarations),*
        }

        #derives

        #(#checks)*

        #magic_bytes

        #layout
    })
}

/// Parses a magic from its literal.
pub fn magic(value: Expr) -> syn::Result<Magic> {
    let unfit = "a magic must be a byte string or an integer with a type suffix, such as `b\"PK\"` or `0x2051u32`";
    let Expr::Lit(ExprLit { lit, .. }) = &value else { return Err(syn::Error::new_spanned(value, unfit)) };
    let ty = match lit {
        Lit::ByteStr(bytes) => {
            let length = bytes.value().len();
            quote!([u8; #length])
        }
        Lit::Int(integer) if matches!(integer.suffix(), "u8" | "u16" | "u32" | "u64") => {
            let ty = Ident::new(integer.suffix(), integer.span());
            quote!(#ty)
        }
        _ => return Err(syn::Error::new_spanned(lit, unfit)),
    };
    Ok(Magic { value, ty })
}

/// Returns the bytes of a magic in a file: a constant, or a function if the layout does not fix the byte order of an integer.
pub fn magic_bytes(magic: &Magic, directives: &Directives) -> TokenStream {
    let Magic { value, ty } = magic;
    let bytes = match value {
        Expr::Lit(ExprLit { lit: Lit::ByteStr(_), .. }) => quote!(*#value),
        _ if directives.reading("big").is_some() => quote!(#value.to_be_bytes()),
        _ if directives.reading("little").is_some() => quote!(#value.to_le_bytes()),
        _ => {
            return quote! {
                /// The bytes of the magic in this byte order.
                pub const fn magic(endian: ::everybyte::Endian) -> [u8; ::core::mem::size_of::<#ty>()] {
                    match endian {
                        ::everybyte::Endian::Big => #value.to_be_bytes(),
                        ::everybyte::Endian::Little => #value.to_le_bytes(),
                    }
                }
            };
        }
    };
    quote! {
        /// The bytes of the magic in a file.
        pub const MAGIC: [u8; ::core::mem::size_of::<#ty>()] = #bytes;
    }
}
