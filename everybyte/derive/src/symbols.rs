//! `#[layout]` on an enum of plain variants: a code with named values.

use crate::codes::ensure_integer;
use crate::derives::derives;
use crate::directives::Directives;
use crate::docs;
use crate::viewed;
use proc_macro2::TokenStream;
use quote::quote;
use syn::{DataEnum, DeriveInput, Expr, Ident};

pub fn expand(item: &DeriveInput, data: &DataEnum) -> syn::Result<TokenStream> {
    let mut attributes = item.attrs.clone();
    let directives = Directives::take(&mut attributes)?;
    let refuse_magic =
        |name: &str| (name == "magic").then_some("the value of a code is its magic: give the variant a value");
    directives.refuse(refuse_magic)?;
    for variant in &data.variants {
        Directives::take(&mut variant.attrs.clone())?.refuse(refuse_magic)?;
    }
    let Some(repr) = directives.reading("repr").map(|directive| directive.expression()).transpose()? else {
        let why = "name the integer type of the code: add `#[brw(repr = u8)]`";
        return Err(syn::Error::new_spanned(&item.ident, why));
    };
    ensure_integer(&repr)?;
    let variants = &data.variants;
    let idents: Vec<_> = variants.iter().map(|variant| &variant.ident).collect();
    let names: Vec<_> = idents.iter().map(|ident| snake_case(&ident.to_string())).collect();
    let meanings: Vec<_> = variants.iter().map(|variant| docs::text(&variant.attrs)).collect();

    let (ident, vis, derives, doc) = (&item.ident, &item.vis, derives(), docs::text(&item.attrs));
    let layout = layout(ident, &doc, &repr, &idents, [&names, &meanings]);
    let view = viewed::value(item);
    Ok(quote! {
        #[::binrw::binrw]
        #directives
        #derives
        #[derive(Copy, Eq, Hash)]
        #(#attributes)*
        #vis enum #ident {
            #variants
        }

        impl #ident {
            /// All defined codes.
            pub const ALL: &'static [Self] = &[#(Self::#idents),*];

            /// The code in the file.
            pub const fn code(self) -> #repr {
                self as #repr
            }

            /// The name of the code.
            pub const fn name(self) -> &'static str {
                match self {
                    #(Self::#idents => #names),*
                }
            }
        }

        #layout

        #view
    })
}

/// Returns the implementation for readers and for the field reference.
fn layout(ident: &Ident, doc: &str, repr: &Expr, idents: &[&Ident], [names, meanings]: [&[String]; 2]) -> TokenStream {
    let name = ident.to_string();
    quote! {
        impl ::everybyte::Layout for #ident {
            const MIN_SIZE: u64 = <#repr as ::everybyte::Layout>::MIN_SIZE;
            const SIZE: Option<u64> = <#repr as ::everybyte::Layout>::SIZE;
            const NATURE: ::everybyte::reference::Nature = ::everybyte::reference::Nature::VALUE;

            fn type_name() -> ::std::string::String {
                #name.into()
            }

            fn form() -> ::everybyte::reference::Form {
                ::everybyte::reference::Form::Page(::everybyte::map::Name::new(#name), Self::SIZE)
            }

            fn value(&self) -> ::everybyte::map::Value {
                ::everybyte::map::Value::Name(::everybyte::map::Name::new(self.name()))
            }

            fn meaning(&self) -> ::std::borrow::Cow<'static, str> {
                match self {
                    #(Self::#idents => #meanings.into()),*
                }
            }

            fn describe(book: &mut ::everybyte::reference::Book) {
                book.add_page(#name, || ::everybyte::reference::TypeDoc {
                    name: ::everybyte::map::Name::new(#name),
                    doc: ::everybyte::map::Name::new(#doc),
                    endian: None,
                    parameters: vec![],
                    is_closed: true,
                    kind: ::everybyte::reference::TypeKind::Codes(vec![
                        #(::everybyte::reference::CodeDoc {
                            code: i128::from(Self::#idents.code()),
                            constant: ::everybyte::map::Name::new(stringify!(#idents)),
                            name: ::everybyte::map::Name::new(#names),
                            doc: ::everybyte::map::Name::new(#meanings),
                            numbers: vec![],
                        }),*
                    ]),
                });
            }
        }
    }
}

/// Converts `BigEndian` to `big_endian`.
fn snake_case(name: &str) -> String {
    let mut snake = String::new();
    for (place, letter) in name.char_indices() {
        if letter.is_uppercase() && place > 0 {
            snake.push('_');
        }
        snake.extend(letter.to_lowercase());
    }
    snake
}
