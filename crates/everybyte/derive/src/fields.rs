//! Named fields: checks, the hook each one gets, and its line in the field reference.

use crate::directives::{Directive, Directives};
use crate::docs;
use crate::roles::{self, Roles};
use crate::terms;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, Field, FieldsNamed, GenericArgument, Ident, Pat, PathArguments, Type};

/// The fields of one structure, ready to be put into the output.
#[derive(Default)]
pub struct Expanded {
    /// The declarations, each with its hook.
    pub declarations: Vec<TokenStream>,
    /// `FieldDoc` values, one a field.
    pub docs: Vec<TokenStream>,
    /// The number that each field adds to the fewest bytes of the whole.
    pub min_sizes: Vec<TokenStream>,
    /// The size of each field, where it is fixed.
    pub sizes: Vec<TokenStream>,
    /// The types that the field reference has to describe too.
    pub types: Vec<Type>,
    /// Further assertions, checked when the structure is compiled.
    pub checks: Vec<TokenStream>,
    /// The fields that may hold memory of their own: those that stand in the value as they stand in the file.
    pub held: Vec<(Ident, Type)>,
}

pub fn expand(fields: &FieldsNamed, magic: Option<Magic>) -> syn::Result<Expanded> {
    let mut all = Expanded::default();
    if let Some(magic) = magic {
        magic.expand(&mut all);
    }
    let beside = Beside {
        names: fields.named.iter().filter_map(|field| field.ident.clone()).collect(),
        counted: roles::counted(fields)?,
    };
    for field in &fields.named {
        expand_field(field, &beside, &mut all)?;
    }
    Ok(all)
}

impl Expanded {
    /// The sum of what the fields hold in memory of their own; `place` gives a reference to each.
    pub fn heap(&self, place: impl Fn(&Ident) -> TokenStream) -> TokenStream {
        let each = self.held.iter().map(|(name, ty)| {
            let place = place(name);
            quote_spanned!(ty.span()=> <#ty as ::everybyte::Layout>::heap(#place))
        });
        quote!(0 #(+ #each)*)
    }
}

/// A structure's magic, turned into a field of its own so that its bytes have a node.
pub struct Magic {
    pub value: syn::Expr,
    pub ty: TokenStream,
}

impl Magic {
    fn expand(&self, all: &mut Expanded) {
        let (value, ty) = (&self.value, &self.ty);
        let doc = "Fixed: identifies this structure.";
        let value = if matches!(value, syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::ByteStr(_), .. })) {
            quote!(*#value)
        } else {
            quote!(#value)
        };
        all.declarations.push(quote! {
            #[br(temp, parse_with = ::everybyte::hook::magic(::everybyte::hook::Label {
                name: "magic",
                doc: #doc,
                role: None,
                is_key: false,
            }, #value))]
            #[bw(calc = #value)]
            magic: #ty
        });
        // An integer has its bytes in the order of the structure.
        let form = match &self.value {
            syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::ByteStr(bytes), .. }) => {
                quote!(::everybyte::Form::Fixed(#bytes.to_vec()))
            }
            _ => quote!(::everybyte::Form::Constant(<#ty as ::everybyte::Layout>::MIN_SIZE, #value as u128)),
        };
        all.docs.push(quote! {
            ::everybyte::FieldDoc {
                name: "magic",
                type_name: <#ty as ::everybyte::Layout>::type_name(),
                size: <#ty as ::everybyte::Layout>::SIZE,
                form: #form,
                count: None,
                condition: None,
                arguments: vec![],
                parser: None,
                role: None,
                is_key: false,
                is_number: false,
                doc: #doc,
            }
        });
        all.min_sizes.push(quote!(<#ty as ::everybyte::Layout>::MIN_SIZE));
        all.sizes.push(quote!(<#ty as ::everybyte::Layout>::SIZE));
    }
}

/// The fields of a structure, as one of them sees the others.
struct Beside {
    names: Vec<Ident>,
    /// The fields that count others: the name of each, and that of the list.
    counted: Vec<(Ident, String)>,
}

fn expand_field(field: &Field, beside: &Beside, all: &mut Expanded) -> syn::Result<()> {
    let mut field = field.clone();
    let mut directives = Directives::take(&mut field.attrs)?;
    let roles = Roles::take(&mut field.attrs, &beside.names)?;
    let calculated = directives.reading("calc").is_some() || directives.reading("try_calc").is_some();
    refuse_unfit(&directives, calculated)?;
    let (ident, ty, vis, attrs) = (&field.ident, &field.ty, &field.vis, &field.attrs);
    let ident = ident.as_ref().expect("the field is named");
    let name = ident.to_string();
    let doc = docs::text(attrs);
    let count = directives.reading("count").cloned();
    let condition = directives.reading("if").cloned();

    if calculated {
        ensure_absent(ident, &directives, &roles)?;
        all.declarations.push(quote!(#(#attrs)* #directives #vis #ident: #ty));
        return Ok(());
    }
    let map = directives.reading("map").or(directives.reading("try_map")).cloned();
    if let (Some(_), Some(count)) = (&map, &count) {
        let why = "a counted list is not mapped as a whole: give it a type of its own, or map what is made of it";
        return Err(syn::Error::new(count.name.span(), why));
    }
    // The type in the file: the type itself or, of a map, the type of its argument, if the author states it.
    let stored = match &map {
        Some(map) => argument_type(&map.expression()?),
        None => Some(ty.clone()),
    };
    if map.is_none() && directives.reading("temp").is_none() {
        all.held.push((ident.clone(), ty.clone()));
    }
    let roles = roles.or_count(ident, &beside.counted);
    let (role, is_key) = (roles.role(), roles.is_key());
    let label = quote! {
        ::everybyte::hook::Label { name: #name, doc: #doc, role: #role, is_key: #is_key }
    };
    let parser = directives.remove("parse_with").map(|directive| directive.expression()).transpose()?;
    let counts = (count.is_some(), map.is_some());
    let hook = hook(ty, &label, parser.as_ref(), counts, &mut all.checks)?;
    let (hook, asserted) = asserted(hook, ty, &directives);
    all.declarations.push(quote! {
        #(#attrs)*
        #directives
        #asserted
        #[br(parse_with = #hook)]
        #vis #ident: #ty
    });

    let arguments = directives.reading("args").and_then(Directive::group).map(terms::arguments).unwrap_or_default();
    let read = Read { ty, stored, count, condition, arguments, parser, role, is_key };
    read.document((&name, &doc), all)
}

/// How a field is read, as the field reference says it.
struct Read<'f> {
    ty: &'f Type,
    /// The type in the file, if the author states it.
    stored: Option<Type>,
    count: Option<Directive>,
    condition: Option<Directive>,
    arguments: Vec<TokenStream>,
    parser: Option<Expr>,
    role: TokenStream,
    is_key: bool,
}

impl Read<'_> {
    /// Adds the field to the field reference, and its bytes to those of the structure.
    fn document(self, (name, doc): (&str, &str), all: &mut Expanded) -> syn::Result<()> {
        let Read { ty, stored, count, condition, arguments, parser, role, is_key } = self;
        let span = ty.span();
        let is_plain = parser.is_none() && condition.is_none();
        let of_stored = |what: TokenStream, otherwise: TokenStream| match &stored {
            Some(stored) => quote_spanned!(span=> <#stored as ::everybyte::Layout>::#what),
            None => otherwise,
        };
        let size = if is_plain { of_stored(quote!(SIZE), quote!(None)) } else { quote!(None) };
        let is_number = of_stored(quote!(IS_NUMBER), quote!(false));
        let type_name = of_stored(quote!(type_name()), quote!(::std::stringify!(#ty).into()));
        let form = of_stored(quote!(form()), quote!(::everybyte::Form::Opaque(None)));
        let (count, condition) = (documented(count)?, documented(condition)?);
        let parsed_with = match &parser {
            Some(parser) => {
                let text = terms::text(&parser.to_token_stream());
                quote!(Some(#text))
            }
            None => quote!(None),
        };
        all.docs.push(quote_spanned! {span=>
            ::everybyte::FieldDoc {
                name: #name,
                type_name: #type_name,
                size: #size,
                form: #form,
                count: #count,
                condition: #condition,
                arguments: vec![#(#arguments),*],
                parser: #parsed_with,
                role: #role,
                is_key: #is_key,
                is_number: #is_number,
                doc: #doc,
            }
        });
        all.sizes.push(size);
        if let Some(stored) = stored {
            if is_plain {
                all.min_sizes.push(quote_spanned!(span=> <#stored as ::everybyte::Layout>::MIN_SIZE));
            }
            all.types.push(stored);
        }
        Ok(())
    }
}

/// The expression of a directive, for the field reference.
fn documented(directive: Option<Directive>) -> syn::Result<TokenStream> {
    match directive {
        Some(directive) => directive.first_expression().map(|it| terms::expression(&it)).map(|it| quote!(Some(#it))),
        None => Ok(quote!(None)),
    }
}

/// Refuses directives that hide bytes, or that read what they do not write.
fn refuse_unfit(directives: &Directives, calculated: bool) -> syn::Result<()> {
    directives.refuse(|name| match name {
        "pad_before" | "pad_after" | "pad_size_to" | "align_before" | "align_after" => {
            Some("padding hides bytes from the map: declare a field for them, such as `Zeros<N>`")
        }
        "magic" => Some("a field's magic has no node in the map: give the bytes a field or a type of their own"),
        "ignore" if calculated => None,
        "ignore" | "default" | "dbg" | "try" => {
            Some("this reads differently than it writes: a layout accounts for every byte")
        }
        _ => None,
    })
}

/// Refuses a calculated field that would be written, or that has a role.
fn ensure_absent(ident: &Ident, directives: &Directives, roles: &Roles) -> syn::Result<()> {
    if !directives.writing("ignore") {
        let why = "a calculated field does not stand in the file: add `#[bw(ignore)]`";
        return Err(syn::Error::new_spanned(ident, why));
    }
    if !roles.is_empty() {
        return Err(syn::Error::new_spanned(ident, "a calculated field does not stand in the file: it has no role"));
    }
    Ok(())
}

/// The parser that records a field. Checks of its elements are added.
fn hook(
    ty: &Type,
    label: &TokenStream,
    parser: Option<&Expr>,
    (is_counted, is_mapped): (bool, bool),
    checks: &mut Vec<TokenStream>,
) -> syn::Result<TokenStream> {
    let span = ty.span();
    Ok(match (parser, element_of(ty)) {
        (Some(parser), _) => quote_spanned!(span=> ::everybyte::hook::recorded(#label, #parser)),
        (None, Some(element)) if is_counted => {
            let why = "elements without a least size would make their count unbounded";
            checks.push(quote_spanned! {element.span()=>
                const _: () = ::core::assert!(<#element as ::everybyte::Layout>::MIN_SIZE > 0, #why);
            });
            quote_spanned!(span=> ::everybyte::hook::counted(#label))
        }
        (None, Some(_)) if !is_mapped => {
            return Err(syn::Error::new_spanned(ty, "a `Vec` says how many elements it has: add `#[br(count = …)]`"));
        }
        (None, None) if is_counted => {
            return Err(syn::Error::new_spanned(ty, "`count` belongs to a `Vec`"));
        }
        _ => quote_spanned!(span=> ::everybyte::hook::field(#label)),
    })
}

/// The hook of a field with assertions, and one assertion more: it holds whenever it is reached, since the others did.
fn asserted(hook: TokenStream, ty: &Type, directives: &Directives) -> (TokenStream, Option<TokenStream>) {
    match directives.reading("assert") {
        Some(_) => (
            quote_spanned!(ty.span()=> ::everybyte::hook::asserted(#hook)),
            Some(quote!(#[br(assert(::everybyte::hook::assertions_hold()))])),
        ),
        None => (hook, None),
    }
}

/// `T`, where the type is written `Vec<T>`.
fn element_of(ty: &Type) -> Option<&Type> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last()?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    match arguments.args.first()? {
        GenericArgument::Type(element) if last.ident == "Vec" => Some(element),
        _ => None,
    }
}

/// `T`, where a function is written `|name: T| …`.
fn argument_type(function: &Expr) -> Option<Type> {
    let Expr::Closure(closure) = function else { return None };
    match closure.inputs.first()? {
        Pat::Type(argument) => Some((*argument.ty).clone()),
        _ => None,
    }
}
