//! The implementation of `Layout` for a type with an entry in the field reference.

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::{Ident, Type};

/// The head of an entry.
pub struct Page<'p> {
    pub ident: &'p Ident,
    pub doc: String,
    pub endian: TokenStream,
    pub parameters: Vec<TokenStream>,
}

/// Returns the methods of a type that delegates its value to fields without their own nodes. `value` calls a method of the current
/// field; the flag is true for the method `value` itself.
pub fn left_to(types: &[&Type], value: impl Fn(&Ident, bool) -> TokenStream) -> TokenStream {
    let method = |name: &str| Ident::new(name, Span::call_site());
    let (shown, meaning) = (value(&method("value"), true), value(&method("meaning"), false));
    let (bits, flaw) = (value(&method("bits"), false), value(&method("flaw"), false));
    let (said, missing) = (value(&method("said"), false), value(&method("missing"), false));
    quote! {
        const MAY_BE_FLAWED: bool = false #(|| <#types as ::everybyte::Layout>::MAY_BE_FLAWED)*;

        fn value(&self) -> ::everybyte::map::Value {
            #shown
        }

        fn meaning(&self) -> ::std::borrow::Cow<'static, str> {
            #meaning
        }

        fn said(&self) -> ::everybyte::reference::Said {
            #said
        }

        fn bits(&self) -> ::std::vec::Vec<::everybyte::reference::Bits> {
            #bits
        }

        fn missing(&self) -> u64 {
            #missing
        }

        fn flaw(&self) -> ::core::option::Option<(&'static str, ::std::string::String)> {
            #flaw
        }
    }
}

/// The part of the implementation that differs between structures and alternatives.
pub struct Described<'d> {
    pub min_size: TokenStream,
    pub size: TokenStream,
    /// True if an expression of the declaration may move the reader.
    pub is_moved: bool,
    /// The types of fields to which it delegates its value.
    pub left_to: Vec<&'d Type>,
    /// Further methods.
    pub methods: TokenStream,
    /// The variant of `TypeKind`, with its content.
    pub kind: TokenStream,
    /// Other types that the field reference must describe.
    pub types: &'d [Type],
}

impl Page<'_> {
    /// Returns the implementation for readers and for the field reference.
    pub fn layout(&self, described: Described<'_>) -> TokenStream {
        let Page { ident, doc, endian, parameters } = self;
        let Described { min_size, size, is_moved, left_to, methods, kind, types } = described;
        let name = ident.to_string();
        let moved = is_moved.then(|| quote!(.moved()));
        quote! {
            impl ::everybyte::Layout for #ident {
                const MIN_SIZE: u64 = #min_size;
                const SIZE: Option<u64> = #size;
                const NATURE: ::everybyte::reference::Nature = ::everybyte::reference::Nature::STRUCTURE
                    #(.and(<#left_to as ::everybyte::Layout>::NATURE))* #moved;

                fn type_name() -> ::std::string::String {
                    #name.into()
                }

                fn form() -> ::everybyte::reference::Form {
                    ::everybyte::reference::Form::Page(::everybyte::map::Name::new(#name), Self::SIZE)
                }

                #methods

                fn describe(book: &mut ::everybyte::reference::Book) {
                    let page = || ::everybyte::reference::TypeDoc {
                        name: ::everybyte::map::Name::new(#name),
                        doc: ::everybyte::map::Name::new(#doc),
                        endian: #endian,
                        parameters: vec![#(#parameters),*],
                        is_closed: false,
                        kind: ::everybyte::reference::TypeKind::#kind,
                    };
                    if book.add_page(#name, page) {
                        #(<#types as ::everybyte::Layout>::describe(book);)*
                    }
                }
            }
        }
    }
}
