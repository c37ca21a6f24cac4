//! Named fields: checks, the hook each one gets, and its line in the field reference.
//!
//! One declared field may become several for binrw, in this order: fields for anything that must be known before it, such as the
//! position of a checksum's first byte; the field itself, read by its hook; and fields for the checks after it: rules, sums,
//! content and values. The added fields are temporary and take no bytes, so they change neither the file nor the value.

use crate::arithmetic;
use crate::checked::{checked, unchecked};
use crate::derived::Derived;
use crate::directives::{Directive, Directives};
use crate::docs;
use crate::document::Read;
use crate::expanded::Expanded;
use crate::opens;
use crate::options::{Opens, Value};
use crate::parsers::{How, hook};
use crate::part::{Part, arguments, is_calculated, is_temporary};
use crate::place;
use crate::placed::{self, Placed};
use crate::roles::{self, Roles};
use crate::shown;
use crate::target::Siblings;
use crate::terms;
use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, FieldsNamed, Ident, LitStr, Pat, Type};

pub fn expand(owner: &Ident, fields: &FieldsNamed, magic: Option<Magic>, stream: &Ident) -> syn::Result<Expanded> {
    let mut all = Expanded::default();
    let beside = siblings(fields, magic.is_some())?;
    let parts = fields.named.iter().map(|field| Part::of(field, &beside)).collect::<syn::Result<Vec<_>>>()?;
    let has_magic = magic.is_some();
    placed::refuse(&parts, owner, &beside)?;
    let mut derived = Derived::new(&beside, stream);
    for part in &parts {
        derived.add(part)?;
    }
    if let Some(magic) = magic {
        let name = format_ident!("magic");
        all.declarations.extend(derived.before(&name));
        magic.expand(&mut all);
        all.declarations.extend(derived.after(&name));
    }
    all.is_moved = parts.iter().any(|part| part.directives.moves_reader() || part.roles.place.is_some());
    let stored = parts.iter().filter(|part| !is_calculated(&part.directives)).count() + usize::from(has_magic);
    for mut part in parts {
        let name = part.ident.clone();
        part.is_alone = stored == 1;
        all.declarations.extend(derived.before(&name));
        all.declarations.extend(derived.wanted(&part));
        let rules = derived.rules(&part);
        let content = opens::after(&part);
        let value = shown::after(&part)?;
        opens::ensure_bytes(&part)?;
        part.declare(&beside, &derived, &mut all)?;
        all.declarations.extend(derived.after(&name));
        all.declarations.extend(rules);
        all.declarations.extend(content);
        all.declarations.extend(value);
    }
    let (last, checks) = derived.last();
    all.declarations.extend(last);
    all.checks.extend(checks);
    (all.needs_stream, all.needs_copy) = (derived.needs_stream(), derived.needs_copy());
    Ok(all)
}

/// Returns the fields of a structure, as one of them sees the others.
pub fn siblings(fields: &FieldsNamed, has_magic: bool) -> syn::Result<Siblings> {
    let named = fields.named.iter().filter_map(|field| Some((field.ident.clone()?, Some(field.ty.clone()))));
    let magic_field = has_magic.then(|| (format_ident!("magic"), None));
    Ok(Siblings {
        fields: magic_field.into_iter().chain(named).collect(),
        measured: roles::measured(fields)?,
        renamed: roles::renamed(fields)?,
        placed: place::fields(fields, |value| matches!(value, Value::At(_)))?,
        chains: place::fields(fields, |value| matches!(value, Value::Chain(..)))?,
        examples: roles::examples(fields)?,
    })
}

/// The magic of a structure, turned into a field so that its bytes have a node.
pub struct Magic {
    pub value: syn::Expr,
    pub ty: TokenStream,
}

impl Magic {
    /// Returns the value, as an array or as an integer.
    pub fn expression(&self) -> TokenStream {
        let value = &self.value;
        let is_text = matches!(value, syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::ByteStr(_), .. }));
        if is_text { quote!(*#value) } else { quote!(#value) }
    }

    fn expand(&self, all: &mut Expanded) {
        let (value, ty) = (self.expression(), &self.ty);
        let doc = "Fixed: identifies this structure.";
        all.declarations.push(quote! {
            #[br(temp, parse_with = ::everybyte::hook::magic(&::everybyte::hook::Label {
                name: "magic",
                doc: #doc,
                role: None,
                is_key: false,
                sum: None,
                codec: None,
                show: ::everybyte::hook::Show::PLAIN,
                hints: &[],
                examples: &[],
            }, #value))]
            #[bw(calc = #value)]
            magic: #ty
        });
        // An integer has the byte order of the structure.
        let form = match &self.value {
            syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::ByteStr(bytes), .. }) => {
                quote!(::everybyte::reference::Form::Fixed(#bytes.to_vec()))
            }
            _ => quote!(::everybyte::reference::Form::Constant(<#ty as ::everybyte::Layout>::MIN_SIZE, #value as u128)),
        };
        all.docs.push(quote! {
            ::everybyte::reference::FieldDoc {
                size: <#ty as ::everybyte::Layout>::SIZE,
                doc: ::everybyte::map::Name::new(#doc),
                ..::everybyte::reference::FieldDoc::new(
                    ::everybyte::map::Name::new("magic"),
                    <#ty as ::everybyte::Layout>::type_name(),
                    #form,
                )
            }
        });
        all.min_sizes.push(quote!(<#ty as ::everybyte::Layout>::MIN_SIZE));
        all.sizes.push(quote!(<#ty as ::everybyte::Layout>::SIZE));
    }
}

impl Part {
    fn declare(&mut self, beside: &Siblings, derived: &Derived<'_>, all: &mut Expanded) -> syn::Result<()> {
        all.checks.append(&mut self.roles.checks);
        let Part { ident, field, directives, roles, .. } = self;
        let (ty, vis, attrs) = (&field.ty, &field.vis, &field.attrs);
        if is_calculated(directives) {
            ensure_absent(ident, directives, roles)?;
            all.docs.extend(shown::documented(ident, (ty, attrs), (roles, directives))?);
            arithmetic::rewrite(directives, ident);
            all.declarations.push(quote!(#(#attrs)* #directives #vis #ident: #ty));
            all.declarations.extend(shown::calculated(ident, (ty, attrs), roles));
            if !is_temporary(directives) {
                all.values.push((ident.clone(), unchecked(ty)));
            }
            return Ok(());
        }
        let is_mapped = directives.reading("map").or(directives.reading("try_map")).is_some();
        if let (true, Some(count)) = (is_mapped, directives.reading("count")) {
            let why = "a counted list cannot be mapped as a whole: give it a type of its own, or map its elements";
            return Err(syn::Error::new(count.name.span(), why));
        }
        if !is_temporary(directives) {
            all.values.push((ident.clone(), if is_mapped { unchecked(ty) } else { checked(ty) }));
            if !is_mapped {
                all.held.push((ident.clone(), ty.clone()));
            }
        }
        if roles.is_inline {
            all.inline.push((ident.clone(), ty.clone()));
        }
        self.declare_stored(beside, derived, all)
    }

    /// Declares a field in the file.
    fn declare_stored(&mut self, beside: &Siblings, derived: &Derived<'_>, all: &mut Expanded) -> syn::Result<()> {
        let (codec, sum) = (opens::codec(self), derived.sum(self));
        all.checks.extend(derived.stated(self));
        let opens = self.roles.opens.clone();
        let Part { ident, field, directives, roles, is_alone } = self;
        let (ty, vis, attrs) = (&field.ty, &field.vis, &field.attrs);
        let (name, doc) = (roles.shown(ident), docs::text(attrs));
        let map = directives.reading("map").or(directives.reading("try_map")).cloned();
        // The type in the file: the type itself or, for a map, the type of its argument, if the author states it.
        let stored = match &map {
            Some(map) => argument_type(&map.expression()?),
            None => Some(ty.clone()),
        };
        let (role, is_key) = (roles.expression(beside), roles.is_key);
        let hints = made_up((ident, ty), directives, roles, beside)?;
        let label = label((&name, &doc), (&role, is_key), (&sum, &codec), (roles.is_hex, &hints, &roles.examples));
        let parser = directives.remove("parse_with").map(|directive| directive.expression()).transpose()?;
        let count = directives.reading("count").cloned();
        let arguments = arguments((directives, roles), ident, parser.as_ref());
        let condition = directives.reading("if").cloned();
        let how = How {
            is_counted: count.is_some(),
            is_mapped: map.is_some(),
            has_arguments: ["args", "args_raw"].iter().any(|name| directives.reading(name).is_some())
                || roles.from.is_some(),
            size: roles.size.clone(),
            inline: roles.is_inline.then_some(*is_alone),
        };
        if roles.place.is_some() {
            return self.declare_placed((&label, role, &doc), (parser, count, arguments, condition), derived, all);
        }
        let from = roles.from.as_ref().map(|from| derived.origin(from)).transpose()?;
        let (before, read_with) =
            read_with((ident, ty), &label, directives, (parser.as_ref(), how), (opens.as_deref(), &mut all.checks))?;
        all.types.extend(opens.as_ref().map(|opens| opens.content.clone()));
        let writer = derived.unset(ident).or_else(|| writer(ty, directives));
        all.declarations.extend(before);
        all.declarations.push(quote! {
            #(#attrs)*
            #from
            #read_with
            #writer
            #vis #ident: #ty
        });
        let (order, opens) = (directives.order(), opens.as_deref());
        let read = Read { ty, stored, order, count, condition, arguments, parser, opens, role, roles };
        read.document((&name, &doc), all)
    }
}

/// Returns the label of a field.
fn label(
    (name, doc): (&str, &str),
    (role, is_key): (&TokenStream, bool),
    (sum, codec): (&TokenStream, &TokenStream),
    (is_hex, hints, examples): (bool, &[u64], &[LitStr]),
) -> TokenStream {
    // A constant, so that a reader that records nothing need not create it.
    quote! {{
            const LABEL: &::everybyte::hook::Label = &::everybyte::hook::Label {
                name: #name,
                doc: #doc,
                role: #role,
                is_key: #is_key,
                sum: #sum,
                codec: #codec,
                show: ::everybyte::hook::Show { is_hex: #is_hex, is_computed: false },
                hints: &[#(#hints),*],
                examples: &[#(#examples),*],
            };
            LABEL
    }}
}

impl Part {
    /// Declares a field at an offset.
    fn declare_placed(
        &self,
        (label, role, doc): (&TokenStream, TokenStream, &str),
        (parser, count, arguments, condition): Documented,
        derived: &Derived<'_>,
        all: &mut Expanded,
    ) -> syn::Result<()> {
        let Part { ident, field, roles, .. } = self;
        let (ty, vis, attrs) = (&field.ty, &field.vis, &field.attrs);
        let mut directives = self.directives.clone();
        let has_variable = arithmetic::rewrite(&mut directives, ident).has_variable;
        let args = roles.place.as_ref().filter(|place| place.each.is_some()).and_then(|_| directives.remove("args"));
        let is_counted = count.is_some();
        let placed = Placed { part: self, derived, label, parser: parser.as_ref(), args: args.as_ref(), is_counted };
        let (slots, hook, writer) = (placed.slots(), placed.hook(&mut all.checks)?, placed.writer());
        let (variable, before, hook) = (arithmetic::variable(ident), variable_of(has_variable, ident), hook);
        let hook = match has_variable {
            true => quote_spanned!(ty.span()=> ::everybyte::hook::computed(&#variable, #label, #hook)),
            false => hook,
        };
        all.declarations.push(slots);
        all.declarations.extend(before);
        all.declarations.push(quote! {
            #(#attrs)*
            #directives
            #[br(parse_with = #hook)]
            #writer
            #vis #ident: #ty
        });
        let (order, opens, stored) = (self.directives.order(), None, Some(ty.clone()));
        let read = Read { ty, stored, order, count, condition, arguments, parser, opens, role, roles };
        read.document((&roles.shown(ident), doc), all)
    }
}

/// The parser, the count, the arguments and the condition of a field, for the field reference.
type Documented = (Option<Expr>, Option<Directive>, Vec<TokenStream>, Option<Directive>);

/// Returns likely values of a field: the numbers in its assertions and rules, and the lengths of examples.
fn made_up(
    (ident, ty): (&Ident, &Type),
    directives: &Directives,
    roles: &Roles,
    beside: &Siblings,
) -> syn::Result<Vec<u64>> {
    if let (Some(text), None) = (roles.examples.first(), directives.reading("count")) {
        let why = "`examples` needs a counted text: add `#[br(count = …)]`";
        return Err(syn::Error::new(text.span(), why));
    }
    Ok([hints(directives, roles, ty), beside.lengths(ident)].concat())
}

/// Returns the numbers in the assertions and rules of a field, which are likely values.
fn hints(directives: &Directives, roles: &Roles, ty: &Type) -> Vec<u64> {
    let asserted = directives.reading("assert").and_then(|directive| directive.first_expression().ok());
    let rules = roles.rules.iter().map(|rule| &rule.condition);
    let conditions: Vec<&Expr> = asserted.iter().chain(rules).collect();
    match ty.to_token_stream().to_string().as_str() {
        "f32" => terms::floats(&conditions).map(|float| u64::from((float as f32).to_bits())).collect(),
        "f64" => terms::floats(&conditions).map(f64::to_bits).collect(),
        _ => conditions.into_iter().flat_map(terms::fitting).collect(),
    }
}

/// Refuses a calculated field that would be written, or that has a role.
fn ensure_absent(ident: &Ident, directives: &Directives, roles: &Roles) -> syn::Result<()> {
    if !directives.writing("ignore") {
        let why = "a calculated field is not in the file: add `#[bw(ignore)]`";
        return Err(syn::Error::new_spanned(ident, why));
    }
    if !roles.is_empty() && !roles.has_node {
        return Err(syn::Error::new_spanned(ident, "a calculated field is not in the file: it cannot have a role"));
    }
    Ok(())
}

/// Returns the directives of a field with its hook, and the field before it that records whether its arithmetic has
/// results.
fn read_with(
    (ident, ty): (&Ident, &Type),
    label: &TokenStream,
    directives: &mut Directives,
    (parser, mut how): (Option<&Expr>, How),
    (opens, checks): (Option<&Opens>, &mut Vec<TokenStream>),
) -> syn::Result<(Option<TokenStream>, TokenStream)> {
    let (mut arithmetic, variable) = (arithmetic::rewrite(directives, ident), arithmetic::variable(ident));
    let mut noted = |expression: &Expr| {
        let noted = arithmetic::noted(expression, &variable);
        arithmetic.has_variable |= noted.is_some();
        noted.unwrap_or_else(|| expression.clone())
    };
    how.size = how.size.as_ref().map(&mut noted);
    let parser = parser.map(noted);
    let hook = opens::hook(opens, hook(ty, label, parser.as_ref(), &how, checks)?);
    let hook = match arithmetic.has_variable {
        true => quote_spanned!(ty.span()=> ::everybyte::hook::computed(&#variable, #label, #hook)),
        false => hook,
    };
    // A mapping without a result is an error that precedes any assertion about it.
    let mapped = arithmetic.is_mapped.then(|| quote!(#[br(assert(#variable.held()?))]));
    let (hook, asserted) = asserted(hook, ty, mapped.is_some() || directives.reading("assert").is_some());
    let before = variable_of(arithmetic.has_variable, ident);
    let read_with = quote! {
        #mapped
        #directives
        #asserted
        #[br(parse_with = #hook)]
    };
    Ok((before, read_with))
}

/// Returns the field that records whether the arithmetic of a field has results.
fn variable_of(has_variable: bool, ident: &Ident) -> Option<TokenStream> {
    let variable = arithmetic::variable(ident);
    has_variable.then(|| {
        quote! {
            #[br(temp, calc = ::everybyte::hook::Arithmetic::new())]
            #[bw(ignore)]
            #variable: ::everybyte::hook::Arithmetic
        }
    })
}

/// Returns the writer of a field that is written as its type specifies.
fn writer(ty: &Type, directives: &Directives) -> Option<TokenStream> {
    let otherwise = ["map", "try_map", "write_with", "calc", "try_calc", "ignore"];
    if otherwise.into_iter().any(|name| directives.writing(name)) {
        return None;
    }
    let field = checked(ty);
    Some(quote_spanned!(ty.span()=> #[bw(write_with = ::everybyte::hook::written::<#field, _>)]))
}

/// Returns the hook of a field that may have assertions, with one more assertion at the end, which always holds: it is reached
/// only if all others hold.
fn asserted(hook: TokenStream, ty: &Type, has_assertions: bool) -> (TokenStream, Option<TokenStream>) {
    match has_assertions {
        true => (
            quote_spanned!(ty.span()=> ::everybyte::hook::asserted(#hook)),
            Some(quote!(#[br(assert(::everybyte::hook::assertions_hold()))])),
        ),
        false => (hook, None),
    }
}

/// Returns `T`, for a function that is written `|name: T| …`.
fn argument_type(function: &Expr) -> Option<Type> {
    let Expr::Closure(closure) = function else { return None };
    match closure.inputs.first()? {
        Pat::Type(argument) => Some((*argument.ty).clone()),
        _ => None,
    }
}
