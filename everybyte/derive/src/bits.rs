//! `#[layout(bits = N)]` on a struct: named bits of one integer, lowest first, or highest first with `msb`.
//!
//! The struct becomes a wrapper around the integer, with a getter and a `with_…` method for each run. With `msb`, the
//! fields are reversed before anything else, so the rest of the macro only handles lowest-first order. The widths are
//! constants of types that the macro cannot see, so the generated code asserts that they add up.

use crate::directives::Directives;
use crate::docs;
use crate::viewed;
use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{DeriveInput, Field, FieldsNamed, Ident, LitInt, Type, Visibility};

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
    let runs = runs(fields);
    let names: Vec<_> = runs.iter().map(|run| &run.text).collect();
    let widths: Vec<_> = runs.iter().map(|Run { run, .. }| quote!(#run::WIDTH)).collect();
    let shown =
        runs.iter().map(|Run { ty, first, .. }| quote!(::everybyte::hook::ShownRun::of::<#ty>(self.0.into(), #first)));
    let methods = runs.iter().map(|run| run.accessors(&integer));
    let refused = runs.iter().map(Run::refused);
    let wrong_sum = format!("the fields do not take {width} bits");
    let (reading, values) = (reading(ident, &stored), values(ident, &integer));
    let (layout, view) = (layout(ident, &doc, (&integer, &stored), &runs), viewed::value(item));
    let (width, whole) = (width as u32, whole(vis, &integer, u64::MAX >> (64 - width)));
    Ok(quote! {
        #(#attributes)*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
        #vis struct #ident(#integer);

        const _: () = ::core::assert!(0 #(+ #widths)* == #width, #wrong_sum);

        impl #ident {
            #whole

            /// The first bit field with an invalid value, as text.
            fn __everybyte_refused(self) -> ::core::option::Option<::std::string::String> {
                let raw = u64::from(self.0);
                ::core::option::Option::None #(#refused)*
            }

            #(#methods)*
        }

        impl ::core::fmt::Debug for #ident {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.debug_struct(#name) #(.field(#names, &#shown))* .finish()
            }
        }

        #reading

        #values

        #layout

        #view
    })
}

/// Returns the methods of the complete integer.
fn whole(vis: &Visibility, integer: &Ident, mask: u64) -> TokenStream {
    quote! {
        /// All bits zero.
        #vis fn new() -> Self {
            Self(0)
        }

        /// The bits of the stored integer.
        #vis fn from_raw(raw: #integer) -> Self {
            Self(raw)
        }

        /// The stored integer.
        #vis fn raw(self) -> #integer {
            self.0 & #mask as #integer
        }
    }
}

/// A run of bits: its name, its type, and its position.
struct Run<'r> {
    field: &'r Field,
    name: &'r Ident,
    text: String,
    ty: &'r Type,
    /// The bits below it.
    first: TokenStream,
    /// Its type as a `hook::Run`.
    run: TokenStream,
}

fn runs<'r>(fields: &'r FieldsNamed) -> Vec<Run<'r>> {
    let run_of = |ty: &Type| quote_spanned!(ty.span()=> <#ty as ::everybyte::hook::Run>);
    let all: Vec<_> = fields.named.iter().map(|field| run_of(&field.ty)).collect();
    let run = |(place, field): (usize, &'r Field)| {
        let Field { ident, ty, .. } = field;
        let (name, below) = (ident.as_ref().expect("the field is named"), &all[..place]);
        Run { field, name, text: name.to_string(), ty, first: quote!(0 #(+ #below::WIDTH)*), run: all[place].clone() }
    };
    fields.named.iter().enumerate().map(run).collect()
}

impl Run<'_> {
    /// Returns the methods that return the value of a field, and the integer with another value.
    fn accessors(&self, integer: &Ident) -> TokenStream {
        let Run { field, name, ty, first, run, .. } = self;
        let (vis, attributes, with) = (&field.vis, &field.attrs, format_ident!("with_{name}"));
        let with_doc =
            format!("The same with another `{name}`.\n\n# Panics\nIf the value has more bits than the field.");
        quote! {
            #(#attributes)*
            #vis fn #name(self) -> #run::Value {
                ::everybyte::hook::run_at::<#ty>(self.0.into(), #first)
            }

            #[doc = #with_doc]
            #[must_use]
            #vis fn #with(self, value: #run::Value) -> Self {
                Self(::everybyte::hook::with_run::<#ty>(self.0.into(), #first, value) as #integer)
            }
        }
    }

    /// Continues with the next bit field that may have an invalid value.
    fn refused(&self) -> TokenStream {
        let Run { text, ty, first, .. } = self;
        quote_spanned!(ty.span()=> .or_else(|| ::everybyte::hook::refused_run::<#ty>(raw, #first, #text)))
    }

    /// Returns `Bits` of the run in `raw`.
    fn described(&self) -> TokenStream {
        let Run { field, text, ty, first, run, .. } = self;
        let doc = docs::text(&field.attrs);
        let names = self.names();
        quote! {{
            let bits = ::everybyte::hook::bits_at(raw, #first, #run::WIDTH);
            let names = #names;
            ::everybyte::hook::run::<#ty>(#text, bits, #doc, ((&names).type_name(), (&names).meaning(bits)))
        }}
    }

    /// Returns the names of its numbers.
    fn names(&self) -> TokenStream {
        let ty = self.ty;
        quote!(<::everybyte::hook::NamesOf<#ty> as ::core::default::Default>::default())
    }
}

/// Returns the width of the integer, which must equal the total width of the fields.
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

/// Returns the same fields in reverse order.
fn lowest_first(fields: &FieldsNamed) -> FieldsNamed {
    let named = fields.named.iter().rev().cloned().collect();
    FieldsNamed { named, ..fields.clone() }
}

/// Returns the integer that holds this many bits, and the type in the file.
fn integers(width: usize) -> (Ident, TokenStream) {
    match width {
        24 => (format_ident!("u32"), quote!(::everybyte::number::U24)),
        48 => (format_ident!("u64"), quote!(::everybyte::number::U48)),
        _ => {
            let integer = format_ident!("u{width}");
            (integer.clone(), quote!(#integer))
        }
    }
}

/// Returns the reader and the writer of the integer.
fn reading(ident: &Ident, stored: &TokenStream) -> TokenStream {
    quote! {
        impl ::everybyte::hook::binrw::BinRead for #ident {
            type Args<'a> = ();

            fn read_options<R: ::everybyte::hook::binrw::io::Read + ::everybyte::hook::binrw::io::Seek>(
                reader: &mut R,
                endian: ::everybyte::hook::binrw::Endian,
                (): (),
            ) -> ::everybyte::hook::binrw::BinResult<Self> {
                ::everybyte::hook::read_runs(reader, endian, |raw: &#stored| {
                    Self::from_raw(::core::clone::Clone::clone(raw).into()).__everybyte_refused()
                })
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

/// Returns values for fuzzing: integers in which each run has a value.
fn values(ident: &Ident, integer: &Ident) -> TokenStream {
    quote! {
        ::everybyte::if_arbitrary! {
            impl ::everybyte::arbitrary::Arbitrary<'_> for #ident {
                fn arbitrary(
                    unstructured: &mut ::everybyte::arbitrary::Unstructured<'_>,
                ) -> ::everybyte::arbitrary::Result<Self> {
                    let made = Self(<#integer as ::everybyte::arbitrary::Arbitrary>::arbitrary(unstructured)?);
                    match made.__everybyte_refused() {
                        ::core::option::Option::None => Ok(made),
                        ::core::option::Option::Some(_) => Err(::everybyte::arbitrary::Error::IncorrectFormat),
                    }
                }

                fn size_hint(depth: usize) -> (usize, ::core::option::Option<usize>) {
                    <#integer as ::everybyte::arbitrary::Arbitrary>::size_hint(depth)
                }
            }
        }
    }
}

/// Returns the implementation for readers and for the field reference.
fn layout(ident: &Ident, doc: &str, (integer, stored): (&Ident, &TokenStream), runs: &[Run<'_>]) -> TokenStream {
    let name = ident.to_string();
    let described = runs.iter().map(Run::described);
    let names = runs.iter().map(Run::names);
    quote! {
        impl ::everybyte::Layout for #ident {
            const MIN_SIZE: u64 = <#stored as ::everybyte::Layout>::MIN_SIZE;
            const SIZE: Option<u64> = <#stored as ::everybyte::Layout>::SIZE;
            const NATURE: ::everybyte::reference::Nature = ::everybyte::reference::Nature::VALUE;

            fn type_name() -> ::std::string::String {
                #name.into()
            }

            fn form() -> ::everybyte::reference::Form {
                ::everybyte::reference::Form::Page(::everybyte::map::Name::new(#name), Self::SIZE)
            }

            fn value(&self) -> ::everybyte::map::Value {
                ::everybyte::map::Value::Flags(u64::from(self.raw()))
            }

            fn meaning(&self) -> ::std::borrow::Cow<'static, str> {
                ::everybyte::reference::set_bits(&::everybyte::Layout::bits(self))
            }

            fn bits(&self) -> ::std::vec::Vec<::everybyte::reference::Bits> {
                use ::everybyte::hook::{RunOfCodes as _, RunOfNumbers as _};
                let raw = u64::from(self.raw());
                ::everybyte::reference::place_bits(vec![#(#described),*])
            }

            fn said(&self) -> ::everybyte::reference::Said {
                ::everybyte::reference::Said::Bits
            }

            fn bits_of() -> ::core::option::Option<fn(u64) -> ::std::vec::Vec<::everybyte::reference::Bits>> {
                ::core::option::Option::Some(|raw| ::everybyte::Layout::bits(&Self::from_raw(raw as #integer)))
            }

            fn describe(book: &mut ::everybyte::reference::Book) {
                let runs = || ::everybyte::reference::TypeKind::Bits(::everybyte::Layout::bits(&Self::from_raw(0)));
                if book.add(#name, #doc, runs) {
                    use ::everybyte::hook::{RunOfCodes as _, RunOfNumbers as _};
                    #((&#names).describe(book);)*
                }
            }
        }
    }
}

/// Returns the number of bits in a type of `everybyte::bits`: `bool`, `B7`, or `u8`. Other widths are left to the
/// compiler.
fn known_width(ty: &Type) -> Option<usize> {
    let Type::Path(path) = ty else { return None };
    match path.path.segments.last()?.ident.to_string().as_str() {
        "bool" => Some(1),
        name => name.strip_prefix(['B', 'u'])?.parse().ok(),
    }
}
