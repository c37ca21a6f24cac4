//! How fields are read, for the field reference.

use crate::directives::Directive;
use crate::expanded::Expanded;
use crate::opens;
use crate::options::Opens;
use crate::placed;
use crate::roles::Roles;
use crate::terms;
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, Type};

/// How a field is read, as the field reference says it.
pub struct Read<'f> {
    pub ty: &'f Type,
    /// The type in the file, if the author states it.
    pub stored: Option<Type>,
    /// The byte order that the field states for itself.
    pub order: Option<TokenStream>,
    pub count: Option<Directive>,
    pub condition: Option<Directive>,
    pub arguments: Vec<TokenStream>,
    pub parser: Option<Expr>,
    pub opens: Option<&'f Opens>,
    pub role: TokenStream,
    pub roles: &'f Roles,
}

impl Read<'_> {
    /// Adds the field to the field reference, and its bytes to those of the structure.
    pub fn document(self, (name, doc): (&str, &str), all: &mut Expanded) -> syn::Result<()> {
        let Read { ty, stored, order, count, condition, arguments, parser, opens, role, roles } = self;
        let Roles { place, is_key, is_hex, .. } = roles;
        let span = ty.span();
        let is_plain = parser.is_none() && condition.is_none();
        let of_stored = |what: TokenStream, otherwise: TokenStream| match &stored {
            Some(stored) => quote_spanned!(span=> <#stored as ::everybyte::Layout>::#what),
            None => otherwise,
        };
        let size = if is_plain { of_stored(quote!(SIZE), quote!(None)) } else { quote!(None) };
        let is_number = of_stored(quote!(IS_NUMBER), quote!(false));
        let type_name = of_stored(quote!(type_name()), quote!(::std::stringify!(#ty).into()));
        let form = match order.filter(|_| stored.is_some()) {
            Some(order) => quote_spanned!(span=> ::everybyte::hook::ordered_form::<#stored>(#order)),
            None => of_stored(quote!(form()), quote!(::everybyte::Form::Opaque(None))),
        };
        let (count, condition) = (documented(count)?, documented(condition)?);
        let stated = |expression: Option<&Expr>| match expression.map(terms::expression) {
            Some(expression) => quote!(Some(#expression)),
            None => quote!(None),
        };
        let [parsed_with, space, value] = [&parser, &roles.size, &roles.value].map(|it| stated(it.as_ref()));
        let place_doc = placed::documented(place.as_ref());
        let (opens_doc, piece) = (opens::documented(opens), opens::whole(roles.piece.as_ref()));
        all.docs.push(quote_spanned! {span=>
            ::everybyte::FieldDoc {
                name: ::everybyte::Name::new(#name),
                type_name: #type_name,
                size: #size,
                form: #form,
                count: #count,
                condition: #condition,
                arguments: vec![#(#arguments),*],
                parser: #parsed_with,
                space: #space,
                place: #place_doc,
                opens: #opens_doc,
                piece: #piece,
                role: #role,
                is_key: #is_key,
                is_number: #is_number,
                value: #value,
                is_hex: #is_hex,
                doc: ::everybyte::Name::new(#doc),
            }
        });
        measure(stored, size, (is_plain, place.is_some()), all);
        Ok(())
    }
}

/// Adds the bytes of a field to those of the structure. A field at an offset takes none of these.
fn measure(stored: Option<Type>, size: TokenStream, (is_plain, is_placed): (bool, bool), all: &mut Expanded) {
    all.sizes.push(if is_placed { quote!(Some(0)) } else { size });
    if let Some(stored) = stored {
        if is_plain && !is_placed {
            all.min_sizes.push(quote_spanned!(stored.span()=> <#stored as ::everybyte::Layout>::MIN_SIZE));
        }
        all.types.push(stored);
    }
}

/// The expression of a directive, for the field reference.
fn documented(directive: Option<Directive>) -> syn::Result<TokenStream> {
    match directive {
        Some(directive) => directive.first_expression().map(|it| terms::expression(&it)).map(|it| quote!(Some(#it))),
        None => Ok(quote!(None)),
    }
}
