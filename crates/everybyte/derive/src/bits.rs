//! `#[layout(bits = N)]` on a struct: named bits of one integer, lowest first.

use crate::directives::Directives;
use crate::docs;
use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{DeriveInput, FieldsNamed, LitInt, Type};

pub fn expand(item: &DeriveInput, fields: &FieldsNamed, bits: &LitInt) -> syn::Result<TokenStream> {
    let width: usize = bits.base10_parse()?;
    if !matches!(width, 8 | 16 | 32 | 64) {
        return Err(syn::Error::new_spanned(bits, "a bit field takes 8, 16, 32 or 64 bits"));
    }
    let one_integer = "a bit field is read as one integer: put this on the field of the structure around it";
    let mut attributes = item.attrs.iter().chain(fields.named.iter().flat_map(|field| &field.attrs)).cloned().collect();
    Directives::take(&mut attributes)?.refuse(|_| Some(one_integer))?;
    if let Some(taken) = fields.named.iter().map(|field| known_width(&field.ty)).sum::<Option<usize>>()
        && taken != width
    {
        return Err(syn::Error::new_spanned(bits, format!("the fields take {taken} bits, not {width}")));
    }
    let integer = format_ident!("u{width}");
    let (ident, vis, attributes) = (&item.ident, &item.vis, &item.attrs);
    let (name, doc) = (ident.to_string(), docs::text(attributes));
    let idents: Vec<_> = fields.named.iter().map(|field| field.ident.as_ref().expect("the field is named")).collect();
    let names: Vec<_> = idents.iter().map(ToString::to_string).collect();
    let field_docs: Vec<_> = fields.named.iter().map(|field| docs::text(&field.attrs)).collect();
    let widths: Vec<_> = fields
        .named
        .iter()
        .map(|field| {
            let ty = &field.ty;
            quote_spanned!(ty.span()=> <#ty as ::modular_bitfield::Specifier>::BITS as u32)
        })
        .collect();
    let declarations = &fields.named;

    Ok(quote! {
        #[::modular_bitfield::bitfield(bits = #width)]
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #(#attributes)*
        #vis struct #ident {
            #declarations
        }

        impl #ident {
            /// The bits of the integer that stands in the file.
            pub fn from_raw(raw: #integer) -> Self {
                Self::from_bytes(raw.to_le_bytes())
            }

            /// The integer that stands in the file.
            pub fn raw(self) -> #integer {
                #integer::from_le_bytes(self.into_bytes())
            }
        }

        impl ::binrw::BinRead for #ident {
            type Args<'a> = ();

            fn read_options<R: ::binrw::io::Read + ::binrw::io::Seek>(
                reader: &mut R,
                endian: ::binrw::Endian,
                (): (),
            ) -> ::binrw::BinResult<Self> {
                <#integer as ::binrw::BinRead>::read_options(reader, endian, ()).map(Self::from_raw)
            }
        }

        impl ::binrw::BinWrite for #ident {
            type Args<'a> = ();

            fn write_options<W: ::binrw::io::Write + ::binrw::io::Seek>(
                &self,
                writer: &mut W,
                endian: ::binrw::Endian,
                (): (),
            ) -> ::binrw::BinResult<()> {
                ::binrw::BinWrite::write_options(&self.raw(), writer, endian, ())
            }
        }

        #[cfg(feature = "arbitrary")]
        impl<'a> ::arbitrary::Arbitrary<'a> for #ident {
            fn arbitrary(unstructured: &mut ::arbitrary::Unstructured<'a>) -> ::arbitrary::Result<Self> {
                unstructured.arbitrary().map(Self::from_raw)
            }
        }

        impl ::everybyte::Layout for #ident {
            const MIN_SIZE: u64 = <#integer as ::everybyte::Layout>::MIN_SIZE;
            const SIZE: Option<u64> = <#integer as ::everybyte::Layout>::SIZE;

            fn type_name() -> ::std::string::String {
                #name.into()
            }

            fn value(&self) -> ::everybyte::Value {
                ::everybyte::Value::Flags(u64::from(self.raw()))
            }

            fn meaning(&self) -> ::std::borrow::Cow<'static, str> {
                ::everybyte::reference::set_bits(&::everybyte::Layout::bits(self))
            }

            fn bits(&self) -> ::std::vec::Vec<::everybyte::Bits> {
                ::everybyte::reference::place_bits(vec![
                    #((#names, #widths, u64::from(self.#idents()), #field_docs)),*
                ])
            }

            fn describe(book: &mut ::everybyte::Book) {
                book.add(#name, #doc, || ::everybyte::TypeKind::Bits(
                    ::everybyte::Layout::bits(&Self::from_raw(0))
                ));
            }
        }
    })
}

/// The bits of a type that is written as modular-bitfield names it: `bool`, or `B7`. Other widths are left to the compiler.
fn known_width(ty: &Type) -> Option<usize> {
    let Type::Path(path) = ty else { return None };
    match path.path.segments.last()?.ident.to_string().as_str() {
        "bool" => Some(1),
        name => name.strip_prefix('B')?.parse().ok(),
    }
}
