//! binrw's attributes, split into single directives and reassembled.
//!
//! The macro must inspect them: `count` needs the hook of a list, `temp` decides whether a number is computed, and expressions are
//! rewritten. Unknown directives are passed on unchanged, so that binrw reports its own errors, at the author's code.

use crate::terms::{self, Argument};
use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, Token, token};

/// One directive, such as `count = n` or `args { length: 4 }`.
#[derive(Clone)]
pub struct Directive {
    pub name: Ident,
    /// The value after `=`.
    value: Option<Expr>,
    /// The directives in parentheses or braces.
    group: Option<Group>,
}

impl Directive {
    /// Returns the argument, which binrw accepts after `=` or in parentheses.
    pub fn expression(&self) -> syn::Result<Expr> {
        match (&self.value, &self.group) {
            (Some(value), _) => Ok(value.clone()),
            (None, Some(group)) if group.delimiter() == Delimiter::Parenthesis => syn::parse2(group.stream()),
            _ => Err(syn::Error::new(self.name.span(), format!("`{}` takes an expression", self.name))),
        }
    }

    /// Returns the first argument, which a message may follow.
    pub fn first_expression(&self) -> syn::Result<Expr> {
        let Some(group) = self.group.as_ref().filter(|_| self.value.is_none()) else { return self.expression() };
        let list = Punctuated::<Expr, Token![,]>::parse_terminated.parse2(group.stream())?;
        list.into_iter().next().ok_or_else(|| syn::Error::new(self.name.span(), "a condition is missing"))
    }

    /// Returns all arguments.
    pub fn expressions(&self) -> syn::Result<Vec<Expr>> {
        let Some(group) = self.group.as_ref().filter(|_| self.value.is_none()) else {
            return self.expression().map(|one| vec![one]);
        };
        Ok(Punctuated::<Expr, Token![,]>::parse_terminated.parse2(group.stream())?.into_iter().collect())
    }

    /// Returns the directives in parentheses or braces.
    pub fn group(&self) -> Option<&Group> {
        self.group.as_ref()
    }

    /// Returns the directive with other expressions; `None` if none of them changes. For a condition, only the first expression is
    /// replaced.
    fn with(&self, mut other: impl FnMut(&Expr) -> Option<Expr>) -> Option<Self> {
        if let Some(value) = &self.value {
            return other(value).map(|value| Directive { value: Some(value), ..self.clone() });
        }
        let group = self.group.as_ref()?;
        let mut is_other = false;
        let mut replace = |expression: &mut Expr| {
            if let Some(other) = other(expression) {
                (*expression, is_other) = (other, true);
            }
        };
        let tokens = if group.delimiter() == Delimiter::Brace {
            let mut all = Punctuated::<Argument, Token![,]>::parse_terminated.parse2(group.stream()).ok()?;
            all.iter_mut().for_each(|argument| replace(&mut argument.value));
            all.to_token_stream()
        } else {
            let mut all = Punctuated::<Expr, Token![,]>::parse_terminated.parse2(group.stream()).ok()?;
            let count = if self.name == "args" || self.name == "if" { all.len() } else { 1 };
            all.iter_mut().take(count).for_each(replace);
            all.to_token_stream()
        };
        let mut group = Group::new(group.delimiter(), tokens);
        group.set_span(self.group.as_ref()?.span());
        is_other.then(|| Directive { group: Some(group), ..self.clone() })
    }
}

impl Parse for Directive {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let name = Ident::parse_any(input)?;
        let mut directive = Directive { name, value: None, group: None };
        if input.peek(Token![=]) {
            input.parse::<Token![=]>()?;
            directive.value = Some(input.parse()?);
        } else if input.peek(token::Paren) || input.peek(token::Brace) {
            directive.group = Some(input.parse()?);
        }
        Ok(directive)
    }
}

impl ToTokens for Directive {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let (name, group) = (&self.name, &self.group);
        let value = self.value.as_ref().map(|value| quote!(= #value));
        tokens.extend(quote!(#name #value #group));
    }
}

/// The purpose of a directive.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    Reading,
    Writing,
}

/// The directives of one item, by attribute (`br`, `bw`, `brw`).
#[derive(Clone)]
pub struct Directives(Vec<(Ident, Vec<Directive>)>);

impl Directives {
    /// Removes binrw's attributes from the list; the others remain.
    pub fn take(attributes: &mut Vec<Attribute>) -> syn::Result<Self> {
        let mut taken = Vec::new();
        let mut kept = Vec::new();
        for attribute in attributes.drain(..) {
            match attribute.path().get_ident() {
                Some(kind) if kind == "br" || kind == "bw" || kind == "brw" => {
                    let list = attribute.parse_args_with(Punctuated::<Directive, Token![,]>::parse_terminated)?;
                    taken.push((kind.clone(), list.into_iter().collect()));
                }
                _ => kept.push(attribute),
            }
        }
        *attributes = kept;
        Ok(Directives(taken))
    }

    /// Returns the directive with this name that applies to reading.
    pub fn reading(&self, name: &str) -> Option<&Directive> {
        self.all_reading().find(|directive| directive.name == name)
    }

    /// Returns the directives that apply to reading.
    pub fn all_reading(&self) -> impl Iterator<Item = &Directive> {
        self.0.iter().filter(|(kind, _)| kind != "bw").flat_map(|(_, list)| list)
    }

    /// Returns the declared byte order, as an `Option<Endian>`.
    pub fn endian(&self) -> TokenStream {
        self.order().map_or_else(|| quote!(None), |order| quote!(Some(#order)))
    }

    /// Returns the declared byte order, as an `Endian`; `None` if there is none.
    pub fn order(&self) -> Option<TokenStream> {
        match (self.reading("big"), self.reading("little")) {
            (Some(_), _) => Some(quote!(::everybyte::Endian::Big)),
            (_, Some(_)) => Some(quote!(::everybyte::Endian::Little)),
            _ => None,
        }
    }

    /// Returns the declared parameters, as `ParameterDoc` values.
    pub fn parameters(&self) -> Vec<TokenStream> {
        self.reading("import").and_then(Directive::group).map(terms::parameters).unwrap_or_default()
    }

    /// Returns whether `#[bw(…)]` or `#[brw(…)]` has this directive.
    pub fn writing(&self, name: &str) -> bool {
        self.0.iter().filter(|(kind, _)| kind != "br").flat_map(|(_, list)| list).any(|it| it.name == name)
    }

    /// Returns whether an expression may move the reader.
    pub fn moves_reader(&self) -> bool {
        ["stream", "map_stream", "seek_before", "restore_position"].iter().any(|name| self.reading(name).is_some())
    }

    /// Returns whether reading may fail outside of a parser, so that only the error shows why.
    pub fn keeps_errors(&self) -> bool {
        let named = ["assert", "try_map", "try_calc", "return_all_errors", "return_unexpected_error", "err_context"];
        named.iter().any(|name| self.reading(name).is_some())
            || self.to_token_stream().into_iter().any(|tree| is_question(&tree))
    }

    /// Adds this message to the conditions with this name that have no message.
    pub fn add_message(&mut self, name: &str, message: &TokenStream) {
        for directive in self.0.iter_mut().flat_map(|(_, list)| list).filter(|directive| directive.name == name) {
            let is_alone = directive.value.is_some()
                || directive.first_expression().is_ok_and(|first| {
                    directive
                        .group
                        .as_ref()
                        .is_some_and(|group| first.to_token_stream().to_string() == group.stream().to_string())
                });
            if let (true, Ok(condition)) = (is_alone, directive.first_expression()) {
                directive.value = None;
                directive.group = Some(Group::new(Delimiter::Parenthesis, quote!(#condition, #message)));
            }
        }
    }

    /// Returns the name of the writer in the expressions of the declaration: the author's, if there is one.
    pub fn stream(&self) -> Ident {
        let named = self.0.iter().filter(|(kind, _)| kind != "br").flat_map(|(_, list)| list);
        let stream =
            named.filter(|directive| directive.name == "stream").find_map(|directive| match &directive.value {
                Some(Expr::Path(path)) => path.path.get_ident().cloned(),
                _ => None,
            });
        stream.unwrap_or_else(|| Ident::new("__everybyte_writer", proc_macro2::Span::call_site()))
    }

    /// Removes a directive wherever it is, and returns it.
    pub fn remove(&mut self, name: &str) -> Option<Directive> {
        let mut removed = None;
        for (_, list) in &mut self.0 {
            if let Some(place) = list.iter().position(|directive| directive.name == name) {
                removed.get_or_insert(list.remove(place));
            }
        }
        removed
    }

    /// Replaces expressions, depending on the directive and its purpose. A directive for both purposes becomes two. The function may rename
    /// the directive.
    pub fn replace(&mut self, mut other: impl FnMut(Purpose, &mut Ident, &Expr) -> Option<Expr>) {
        for (kind, list) in std::mem::take(&mut self.0) {
            let (mut kept, mut reading, mut writing) = (Vec::new(), Vec::new(), Vec::new());
            for directive in list {
                let mut with = |purpose| {
                    let mut name = directive.name.clone();
                    let other = directive.with(|it| other(purpose, &mut name, it))?;
                    Some(Directive { name, ..other })
                };
                match kind.to_string().as_str() {
                    "br" => kept.push(with(Purpose::Reading).unwrap_or(directive)),
                    "bw" => kept.push(with(Purpose::Writing).unwrap_or(directive)),
                    _ => match [Purpose::Reading, Purpose::Writing].map(&mut with) {
                        [None, None] => kept.push(directive),
                        [read, written] => {
                            reading.push(read.unwrap_or_else(|| directive.clone()));
                            writing.push(written.unwrap_or(directive));
                        }
                    },
                }
            }
            for (purpose, list) in [("br", reading), ("bw", writing)] {
                self.0.push((Ident::new(purpose, kind.span()), list));
            }
            self.0.push((kind, kept));
        }
    }

    /// Fails at the first directive whose name the test rejects.
    pub fn refuse(&self, unfit: impl Fn(&str) -> Option<&'static str>) -> syn::Result<()> {
        for directive in self.0.iter().flat_map(|(_, list)| list) {
            if let Some(why) = unfit(&directive.name.to_string()) {
                return Err(syn::Error::new(directive.name.span(), why));
            }
        }
        Ok(())
    }
}

/// Returns whether there is a `?` in tokens.
fn is_question(tree: &TokenTree) -> bool {
    match tree {
        TokenTree::Group(group) => group.stream().into_iter().any(|tree| is_question(&tree)),
        TokenTree::Punct(sign) => sign.as_char() == '?',
        _ => false,
    }
}

impl ToTokens for Directives {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        for (kind, list) in self.0.iter().filter(|(_, list)| !list.is_empty()) {
            tokens.extend(quote!(#[#kind(#(#list),*)]));
        }
    }
}
