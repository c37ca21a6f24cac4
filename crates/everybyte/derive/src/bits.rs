//! `#[layout(bits = N)]` on a struct: named bits of one integer, lowest first, or highest first with `msb`.

use crate::directives::Directives;
use crate::docs;
use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{DeriveInput, Field, FieldsNamed, Ident, LitInt, Type};

pub fn expand(item: &DeriveInput, fields: &FieldsNamed, (bits, is_msb): (&LitInt, bool)) -> syn::Result<TokenStream> {
    let width = width_of(bits, fields)?;
    let fields = &match is_msb {
        true => lowest_first(fields),
        false => fields.clone(),
    };
    let one_integer = "a bit field is read as one integer: put this on the field of the structure around it";
    let mut attributes = item.attrs.iter().chain(fields.named.iter().flat_map(|field| &field.attrs)).cloned().collect();
    Directives::take(&mut attributes)?.refuse(|_| Some(one_integer))?;
    let (integer, stored) = integers(width);
    let (ident, vis, attributes) = (&item.ident, &item.vis, &item.attrs);
    let (name, doc) = (ident.to_string(), docs::text(attributes));
    let idents: Vec<_> = fields.named.iter().map(|field| field.ident.as_ref().expect("the field is named")).collect();
    let names: Vec<_> = idents.iter().map(ToString::to_string).collect();
    let types: Vec<_> = fields.named.iter().map(|field| &field.ty).collect();
    let widths: Vec<_> =
        types.iter().map(|ty| quote_spanned!(ty.span()=> <#ty as ::everybyte::bits::BitField>::WIDTH)).collect();
    let methods = accessors(fields, &widths, &integer);
    let wrong_sum = format!("the fields do not take {width} bits");
    let reading = reading(ident, &stored);
    let layout = layout(ident, &doc, (&integer, &stored), fields);
    let (width, mask) = (width as u32, u64::MAX >> (64 - width));

    Ok(quote! {
        #(#attributes)*
        #[derive(::everybyte::Arbitrary, Clone, Copy, PartialEq, Eq, Hash, Default)]
        #vis struct #ident(#integer);

        const _: () = ::core::assert!(0 #(+ #widths)* == #width, #wrong_sum);

        impl #ident {
            /// All bits zero.
            #vis fn new() -> Self {
                Self(0)
            }

            /// The bits of the integer that stands in the file.
            #vis fn from_raw(raw: #integer) -> Self {
                Self(raw)
            }

            /// The integer that stands in the file.
            #vis fn raw(self) -> #integer {
                self.0 & #mask as #integer
            }

            #(#methods)*
        }

        impl ::core::fmt::Debug for #ident {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.debug_struct(#name) #(.field(#names, &Self::#idents(*self)))* .finish()
            }
        }

        #reading

        #layout
    })
}

/// The width of the integer, which the fields take.
fn width_of(bits: &LitInt, fields: &FieldsNamed) -> syn::Result<usize> {
    let width: usize = bits.base10_parse()?;
    if !matches!(width, 8 | 16 | 24 | 32 | 48 | 64) {
        return Err(syn::Error::new_spanned(bits, "a bit field takes 8, 16, 24, 32, 48 or 64 bits"));
    }
    match fields.named.iter().map(|field| known_width(&field.ty)).sum::<Option<usize>>() {
        Some(taken) if taken != width => {
            Err(syn::Error::new_spanned(bits, format!("the fields take {taken} bits, not {width}")))
        }
        _ => Ok(width),
    }
}

/// The same fields, the last one first.
fn lowest_first(fields: &FieldsNamed) -> FieldsNamed {
    let named = fields.named.iter().rev().cloned().collect();
    FieldsNamed { named, ..fields.clone() }
}

/// The integer that holds so many bits, and the type that stands in the file.
fn integers(width: usize) -> (Ident, TokenStream) {
    match width {
        24 => (format_ident!("u32"), quote!(::everybyte::U24)),
        48 => (format_ident!("u64"), quote!(::everybyte::U48)),
        _ => {
            let integer = format_ident!("u{width}");
            (integer.clone(), quote!(#integer))
        }
    }
}

/// The methods that give the value of a field, and the integer with another one.
fn accessors(fields: &FieldsNamed, widths: &[TokenStream], integer: &Ident) -> Vec<TokenStream> {
    let accessor = |(place, field): (usize, &Field)| {
        let name = field.ident.as_ref().expect("the field is named");
        let (below, ty, vis, attributes) = (&widths[..place], &field.ty, &field.vis, &field.attrs);
        let with = format_ident!("with_{name}");
        let with_doc =
            format!("The same with another `{name}`.\n\n# Panics\nIf the value has more bits than the field.");
        let (first, field) = (quote!(0 #(+ #below)*), quote_spanned!(ty.span()=> <#ty as ::everybyte::bits::BitField>));
        quote! {
            #(#attributes)*
            #vis fn #name(self) -> #field::Value {
                #field::of_bits(::everybyte::bits::get(self.0.into(), #first, #field::WIDTH))
            }

            #[doc = #with_doc]
            #[must_use]
            #vis fn #with(self, value: #field::Value) -> Self {
                let raw = ::everybyte::bits::set(self.0.into(), #first, #field::WIDTH, #field::bits(value));
                Self(raw as #integer)
            }
        }
    };
    fields.named.iter().enumerate().map(accessor).collect()
}

/// The reader and the writer of the integer.
fn reading(ident: &Ident, stored: &TokenStream) -> TokenStream {
    quote! {
        impl ::everybyte::hook::binrw::BinRead for #ident {
            type Args<'a> = ();

            fn read_options<R: ::everybyte::hook::binrw::io::Read + ::everybyte::hook::binrw::io::Seek>(
                reader: &mut R,
                endian: ::everybyte::hook::binrw::Endian,
                (): (),
            ) -> ::everybyte::hook::binrw::BinResult<Self> {
                <#stored as ::everybyte::hook::binrw::BinRead>::read_options(reader, endian, ())
                    .map(|raw| Self::from_raw(raw.into()))
            }
        }

        impl ::everybyte::hook::binrw::BinWrite for #ident {
            type Args<'a> = ();

            fn write_options<W: ::everybyte::hook::binrw::io::Write + ::everybyte::hook::binrw::io::Seek>(
                &self,
                writer: &mut W,
                endian: ::everybyte::hook::binrw::Endian,
                (): (),
            ) -> ::everybyte::hook::binrw::BinResult<()> {
                let stored = <#stored>::try_from(self.raw()).expect("the bits have room");
                ::everybyte::hook::binrw::BinWrite::write_options(&stored, writer, endian, ())
            }
        }
    }
}

/// The implementation for readers and for the field reference.
fn layout(ident: &Ident, doc: &str, (integer, stored): (&Ident, &TokenStream), fields: &FieldsNamed) -> TokenStream {
    let name = ident.to_string();
    let idents: Vec<_> = fields.named.iter().map(|field| field.ident.as_ref().expect("the field is named")).collect();
    let names: Vec<_> = idents.iter().map(ToString::to_string).collect();
    let types: Vec<_> = fields.named.iter().map(|field| &field.ty).collect();
    let field_docs: Vec<_> = fields.named.iter().map(|field| docs::text(&field.attrs)).collect();
    quote! {
        impl ::everybyte::Layout for #ident {
            const MIN_SIZE: u64 = <#stored as ::everybyte::Layout>::MIN_SIZE;
            const SIZE: Option<u64> = <#stored as ::everybyte::Layout>::SIZE;
            const NATURE: ::everybyte::reference::Nature = ::everybyte::reference::Nature::VALUE;

            fn type_name() -> ::std::string::String {
                #name.into()
            }

            fn form() -> ::everybyte::Form {
                ::everybyte::Form::Page(::everybyte::Name::new(#name), Self::SIZE)
            }

            fn value(&self) -> ::everybyte::Value {
                ::everybyte::Value::Flags(u64::from(self.raw()))
            }

            fn meaning(&self) -> ::std::borrow::Cow<'static, str> {
                ::everybyte::reference::set_bits(&::everybyte::Layout::bits(self))
            }

            fn bits(&self) -> ::std::vec::Vec<::everybyte::Bits> {
                ::everybyte::reference::place_bits(vec![
                    #(::everybyte::bits::run::<#types>(
                        #names,
                        <#types as ::everybyte::bits::BitField>::bits(Self::#idents(*self)),
                        #field_docs,
                    )),*
                ])
            }

            fn said(&self) -> ::everybyte::reference::Said {
                ::everybyte::reference::Said::Bits
            }

            fn bits_of() -> ::core::option::Option<fn(u64) -> ::std::vec::Vec<::everybyte::Bits>> {
                ::core::option::Option::Some(|raw| ::everybyte::Layout::bits(&Self::from_raw(raw as #integer)))
            }

            fn describe(book: &mut ::everybyte::Book) {
                let runs = || ::everybyte::TypeKind::Bits(::everybyte::Layout::bits(&Self::from_raw(0)));
                if book.add(#name, #doc, runs) {
                    #(<#types as ::everybyte::bits::BitField>::describe(book);)*
                }
            }
        }
    }
}

/// The bits of a type of `everybyte::bits`: `bool`, or `B7`. Other widths are left to the compiler.
fn known_width(ty: &Type) -> Option<usize> {
    let Type::Path(path) = ty else { return None };
    match path.path.segments.last()?.ident.to_string().as_str() {
        "bool" => Some(1),
        name => name.strip_prefix('B')?.parse().ok(),
    }
}
