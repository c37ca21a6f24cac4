//! Field types in the generated code, with a bound, so that a type that is not a layout causes a single error.
//!
//! `Field<T, { <T as Layout>::MIN_SIZE }>` is not a type if `T` is not a layout. The compiler reports that once, at `T`, instead of also
//! reporting that it cannot be read, written, printed, cloned or compared.

use proc_macro2::TokenStream;
use quote::quote_spanned;
use syn::Type;
use syn::spanned::Spanned;

/// Returns the type of a field that must be a layout.
pub fn checked(ty: &Type) -> TokenStream {
    quote_spanned!(ty.span()=> ::everybyte::hook::Field<#ty, { <#ty as ::everybyte::Layout>::MIN_SIZE }>)
}

/// Returns the type of a field that is stored differently in the file.
pub fn unchecked(ty: &Type) -> TokenStream {
    quote_spanned!(ty.span()=> ::everybyte::hook::Field<#ty, 0>)
}
