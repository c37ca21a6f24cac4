//! The traits of declared types.

use proc_macro2::TokenStream;
use quote::quote;

/// The traits that every declared type derives. `Eq` is not among them, since numbers may be floating-point.
pub fn derives() -> TokenStream {
    quote!(#[derive(::everybyte::Arbitrary, Debug, Clone, PartialEq)])
}
