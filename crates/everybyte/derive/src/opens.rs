//! Fields whose bytes unpack into content: `opens(Zlib as Rows)`.

use crate::checked::checked;
use crate::options::Opens;
use crate::part::Part;
use crate::place;
use proc_macro2::{Delimiter, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;

/// Refuses content of a field that does not hold its bytes.
pub fn ensure_bytes(part: &Part) -> syn::Result<()> {
    let Some(opens) = &part.roles.opens else { return Ok(()) };
    let ty = &part.field.ty;
    if place::element(ty).is_none_or(|element| element.to_token_stream().to_string() != "u8") {
        let why = "content is packed in bytes that the value owns: give the field the type `Vec<u8>`";
        return Err(syn::Error::new(ty.span(), why));
    }
    if part.roles.place.is_some() || part.is_temporary() || part.roles.is_inline {
        let why = "a field that unpacks into content stands in order, is in the value, and has a node of its own";
        return Err(syn::Error::new(opens.packing.span(), why));
    }
    Ok(())
}

/// The way of packing, as `Option<&'static Codec>`.
pub fn codec(part: &Part) -> TokenStream {
    let Some(opens) = &part.roles.opens else { return quote!(None) };
    let packing = &opens.packing;
    quote_spanned! {packing.span()=> {
        static CODEC: ::everybyte::packing::Codec = ::everybyte::hook::codec::<#packing>();
        Some(&CODEC)
    }}
}

/// The arguments of the content.
fn arguments(opens: &Opens) -> TokenStream {
    let field = checked(&opens.content);
    match &opens.arguments {
        Some(group) if group.delimiter() == Delimiter::Brace => {
            let stream = group.stream();
            quote!(::everybyte::hook::arguments::<#field>(::binrw::args! { #stream }))
        }
        Some(group) => {
            let stream = group.stream();
            quote!(::everybyte::hook::arguments::<#field>((#stream,)))
        }
        None => quote!(::everybyte::hook::NoArguments::none()),
    }
}

/// The hook of the field, which makes content up in files that are made up.
pub fn hook(opens: Option<&Opens>, hook: TokenStream) -> TokenStream {
    let Some(opens) = opens else { return hook };
    let (packing, content, arguments) = (&opens.packing, checked(&opens.content), arguments(opens));
    quote_spanned! {packing.span()=>
        ::everybyte::hook::packed::<#packing, #content, _, _, _>(|| #arguments, #hook)
    }
}

/// The field after it that reads the content.
pub fn after(part: &Part) -> Option<TokenStream> {
    let opens = part.roles.opens.as_ref()?;
    let (own, ident, name) = (format_ident!("__content_{}", part.ident), &part.ident, part.roles.shown(&part.ident));
    let (packing, content, arguments) = (&opens.packing, checked(&opens.content), arguments(opens));
    Some(quote_spanned! {packing.span()=>
        #[br(temp, parse_with = ::everybyte::hook::opened::<#content, _>(
            ::everybyte::hook::codec::<#packing>(), #name, &#ident, #arguments
        ))]
        #[bw(ignore)]
        #own: ()
    })
}

/// The content for the field reference.
pub fn documented(opens: Option<&Opens>) -> TokenStream {
    let Some(Opens { packing, content, .. }) = opens else { return quote!(None) };
    quote! {
        Some((<#packing as ::everybyte::packing::Packing>::NAME, <#content as ::everybyte::Layout>::type_name()))
    }
}
