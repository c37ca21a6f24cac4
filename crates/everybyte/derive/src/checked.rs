//! Field types as the output names them: with a question, so that a type that is no layout gives one error.
//!
//! `Field<T, { <T as Layout>::MIN_SIZE }>` is no type at all if `T` is no layout. The compiler reports that once, at `T`,
//! and not that it cannot be read, written, printed, cloned or compared either.

use proc_macro2::TokenStream;
use quote::quote_spanned;
use syn::Type;
use syn::spanned::Spanned;

/// The type of a field that has to be a layout.
pub fn checked(ty: &Type) -> TokenStream {
    quote_spanned!(ty.span()=> ::everybyte::hook::Field<#ty, { <#ty as ::everybyte::Layout>::MIN_SIZE }>)
}

/// The type of a field that does not stand in the file as it is.
pub fn unchecked(ty: &Type) -> TokenStream {
    quote_spanned!(ty.span()=> ::everybyte::hook::Field<#ty, 0>)
}
