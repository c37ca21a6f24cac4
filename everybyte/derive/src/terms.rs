//! Expressions in attributes, parsed for the field reference, as far as a generator for another language can express
//! them.
//!
//! Each expression is kept twice: as a tree, and as the text that the author wrote, for display. A procedural macro
//! gets tokens without their spacing, so [`text`] guesses it. Anything that the tree cannot express becomes `Other`,
//! and generators then show the text.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{
    BinOp, Expr, ExprClosure, ExprIf, ExprLit, ExprMatch, ExprPath, ExprRange, Ident, Lit, Member, Pat, RangeLimits,
    Token, Type, UnOp,
};

/// Returns an `Expression` of the field reference.
pub fn expression(expression: &Expr) -> TokenStream {
    let (text, term) = (text(&expression.to_token_stream()), term(expression));
    quote!(::everybyte::reference::Expression { text: ::everybyte::map::Name::new(#text), term: #term })
}

/// Returns an `Expression` of the field reference with this text.
pub fn worded(text: &str, tokens: &TokenStream) -> TokenStream {
    let term = match syn::parse2::<Expr>(tokens.clone()) {
        Ok(expression) => term(&expression),
        Err(_) => quote!(::everybyte::reference::Term::Other),
    };
    quote!(::everybyte::reference::Expression { text: ::everybyte::map::Name::new(#text), term: #term })
}

/// Tokens as written by the author.
pub fn text(tokens: &TokenStream) -> String {
    // A long expression has line breaks.
    let text = tokens.to_string().split_whitespace().collect::<Vec<_>>().join(" ");
    let text = text.replace(" . ", ".").replace(" :: ", "::").replace(" ! (", "!(");
    let text = called(&typed(&text));
    // References and negations, not operators between two values.
    let text = ["& ", "* ", "- ", "! "].into_iter().fold(text, |text, sign| {
        let short = sign.trim_end();
        let text = text
            .replace(&format!("({sign}"), &format!("({short}"))
            .replace(&format!(", {sign}"), &format!(", {short}"));
        text.strip_prefix(sign).map_or(text.clone(), |rest| format!("{short}{rest}"))
    });
    text.replace(" ,", ",")
}

/// Returns the text without spaces around a function's type arguments: `sum::<u64> ()`.
fn typed(text: &str) -> String {
    let mut parts = text.split("::< ");
    let mut typed = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        typed.push_str("::<");
        typed.push_str(&part.replacen(" > (", "> (", 1));
    }
    typed
}

/// Returns the text without spaces between functions and their arguments.
fn called(text: &str) -> String {
    let mut called = String::new();
    for (place, part) in text.split(" (").enumerate() {
        if place > 0 {
            let is_function = called.ends_with(|last: char| last.is_alphanumeric() || "_>!)]".contains(last));
            called.push_str(if is_function && !called.ends_with(" >") { "(" } else { " (" });
        }
        called.push_str(part);
    }
    called
}

/// Integers that satisfy a condition, if its form shows them: 1 for `depth > 0`.
pub fn fitting(condition: &Expr) -> Vec<u64> {
    let Expr::Binary(binary) = condition else { return numbers(&condition.to_token_stream()) };
    let right = || numbers(&binary.right.to_token_stream());
    match binary.op {
        BinOp::And(_) | BinOp::Or(_) => [fitting(&binary.left), fitting(&binary.right)].concat(),
        BinOp::Gt(_) => right().into_iter().filter_map(|number| number.checked_add(1)).collect(),
        BinOp::Lt(_) => right().into_iter().filter_map(|number| number.checked_sub(1)).collect(),
        BinOp::Ne(_) => Vec::new(),
        _ => right(),
    }
}

/// Returns the decimal fractions in conditions.
pub fn floats<'e>(conditions: &'e [&Expr]) -> impl Iterator<Item = f64> + 'e {
    fn of(tokens: TokenStream) -> Vec<f64> {
        let one = |tree: TokenTree| match tree {
            TokenTree::Group(group) => of(group.stream()),
            TokenTree::Literal(literal) => match Lit::new(literal) {
                Lit::Float(number) => number.base10_parse().into_iter().collect(),
                _ => Vec::new(),
            },
            _ => Vec::new(),
        };
        tokens.into_iter().flat_map(one).collect()
    }
    conditions.iter().flat_map(|condition| of(condition.to_token_stream()))
}

/// Returns the integers in tokens.
fn numbers(tokens: &TokenStream) -> Vec<u64> {
    let of = |tree: TokenTree| match tree {
        TokenTree::Group(group) => numbers(&group.stream()),
        TokenTree::Literal(literal) => match Lit::new(literal) {
            Lit::Int(number) => number.base10_parse().into_iter().collect(),
            _ => Vec::new(),
        },
        _ => Vec::new(),
    };
    tokens.clone().into_iter().flat_map(of).collect()
}

fn term(expression: &Expr) -> TokenStream {
    if let Some(inner) = enclosed(expression) {
        return term(inner);
    }
    let all = |expressions: &Punctuated<Expr, Token![,]>| {
        let terms = expressions.iter().map(term);
        quote!(vec![#(#terms),*])
    };
    let term = match expression {
        Expr::Lit(ExprLit { lit, .. }) => literal(lit),
        Expr::Path(path) if is_constant(path) => return constant(path),
        Expr::Path(path) => {
            let name = text(&path.to_token_stream());
            quote!(Name(#name))
        }
        Expr::Field(field) => {
            let (base, name) = (boxed(&field.base), member(&field.member));
            quote!(Field(#base, #name))
        }
        Expr::MethodCall(call) => {
            let (receiver, name, arguments) = (boxed(&call.receiver), call.method.to_string(), all(&call.args));
            quote!(Method(#receiver, #name, #arguments))
        }
        Expr::Call(call) => {
            let (name, arguments) = (text(&call.func.to_token_stream()), all(&call.args));
            quote!(Call(#name, #arguments))
        }
        Expr::Unary(unary) => {
            let (operator, operand) = (unary.op.to_token_stream().to_string(), boxed(&unary.expr));
            quote!(Unary(#operator, #operand))
        }
        Expr::Binary(binary) if !is_assignment(&binary.op) => {
            let operator = binary.op.to_token_stream().to_string();
            let (left, right) = (boxed(&binary.left), boxed(&binary.right));
            quote!(Binary(#operator, #left, #right))
        }
        Expr::Range(ExprRange { start: Some(start), limits, end: Some(end), .. }) => {
            let (limits, start, end) = (limits.to_token_stream().to_string(), boxed(start), boxed(end));
            quote!(Binary(#limits, #start, #end))
        }
        Expr::If(choice) => conditional(choice),
        Expr::Match(choice) => return chosen(choice).unwrap_or_else(|| quote!(::everybyte::reference::Term::Other)),
        Expr::Closure(closure) => function(closure),
        Expr::Macro(call) if call.mac.path.is_ident("matches") => match matched(&call.mac.tokens) {
            Some(term) => return term,
            None => quote!(Other),
        },
        _ => quote!(Other),
    };
    quote!(::everybyte::reference::Term::#term)
}

/// Returns whether a path is a constant of the declaration's crate. Constants of integer types, such as `u64::MAX`, are not: their names
/// are kept.
fn is_constant(path: &ExprPath) -> bool {
    let names: Vec<String> = path.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
    let is_upper = |name: &String| name.len() > 1 && !name.contains(|letter: char| letter.is_lowercase());
    let of_integer = || names.iter().any(|name| name.starts_with(['u', 'i']) && name[1..].parse::<u8>().is_ok());
    names.last().is_some_and(is_upper) && !of_integer()
}

/// Returns the value of a constant, if it is an integer; otherwise its name.
fn constant(path: &ExprPath) -> TokenStream {
    let name = text(&path.to_token_stream());
    quote! {{
        use ::everybyte::hook::{Named as _, Number as _};
        (&::everybyte::hook::Constant(&#path)).term(#name)
    }}
}

fn literal(literal: &Lit) -> TokenStream {
    match literal {
        Lit::Int(number) => match number.base10_parse::<i128>() {
            Ok(number) => quote!(Number(#number)),
            Err(_) => quote!(Other),
        },
        Lit::Bool(value) => quote!(Bool(#value)),
        Lit::ByteStr(bytes) => quote!(Bytes(#bytes)),
        _ => quote!(Other),
    }
}

/// Returns the expression inside a reference, a cast or parentheses.
fn enclosed(expression: &Expr) -> Option<&Expr> {
    match expression {
        Expr::Reference(reference) => Some(&reference.expr),
        Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => Some(&unary.expr),
        Expr::Paren(group) => Some(&group.expr),
        Expr::Group(group) => Some(&group.expr),
        Expr::Cast(cast) => Some(&cast.expr),
        _ => None,
    }
}

/// Boxes a term.
fn boxed(expression: &Expr) -> TokenStream {
    let term = term(expression);
    quote!(Box::new(#term))
}

/// Returns the name or the number of a field.
fn member(member: &Member) -> String {
    match member {
        Member::Named(name) => name.to_string(),
        Member::Unnamed(index) => index.index.to_string(),
    }
}

fn conditional(choice: &ExprIf) -> TokenStream {
    let (condition, yes) = (boxed(&choice.cond), block(&choice.then_branch));
    let no = choice.else_branch.as_ref().and_then(|(_, otherwise)| match &**otherwise {
        Expr::Block(otherwise) => block(&otherwise.block),
        otherwise => Some(term(otherwise)),
    });
    match (yes, no) {
        (Some(yes), Some(no)) => quote!(If(#condition, Box::new(#yes), Box::new(#no))),
        _ => quote!(Other),
    }
}

fn function(closure: &ExprClosure) -> TokenStream {
    let name = |input: &Pat| match input {
        Pat::Type(typed) => text(&typed.pat.to_token_stream()),
        Pat::Reference(reference) => text(&reference.pat.to_token_stream()),
        other => text(&other.to_token_stream()),
    };
    let names: Vec<String> = closure.inputs.iter().map(name).collect();
    let body = boxed(&closure.body);
    match names.as_slice() {
        [name] => quote!(Closure(#name, #body)),
        _ => quote!(Other),
    }
}

/// Returns the condition of `matches!(value, pattern)`.
fn matched(tokens: &TokenStream) -> Option<TokenStream> {
    let parser = |input: ParseStream<'_>| {
        let value: Expr = input.parse()?;
        input.parse::<Token![,]>()?;
        Ok((value, Pat::parse_multi(input)?))
    };
    let (value, pattern) = parser.parse2(tokens.clone()).ok()?;
    Some(term(&syn::parse2(equality(&value, &pattern)).ok()?))
}

/// Returns the patterns between bars.
pub fn cases(pattern: &Pat) -> Vec<&Pat> {
    match pattern {
        Pat::Or(cases) => cases.cases.iter().collect(),
        one => vec![one],
    }
}

/// Returns `value == A || value == B` for the pattern `A | B`, if operators can express the pattern.
pub fn equality(value: &Expr, pattern: &Pat) -> TokenStream {
    let each = cases(pattern).into_iter().map(|case| match case {
        Pat::Lit(literal) => quote!(#value == #literal),
        Pat::Path(path) => quote!(#value == #path),
        Pat::Range(range) => {
            let above = range.start.as_ref().map(|start| quote!(#value >= #start));
            let below = range.end.as_ref().map(|end| match range.limits {
                RangeLimits::Closed(_) => quote!(#value <= #end),
                RangeLimits::HalfOpen(_) => quote!(#value < #end),
            });
            let both = above.into_iter().chain(below).reduce(|above, below| quote!(#above && #below));
            both.map_or_else(|| quote!(true), |both| quote!((#both)))
        }
        other => quote_spanned!(other.span()=> ::core::matches!(#value, #other)),
    });
    each.reduce(|any, one| quote!(#any || #one)).unwrap_or_default()
}

/// Returns `if value == A { x } else { y }` for `match value { A => x, _ => y }`.
fn chosen(choice: &ExprMatch) -> Option<TokenStream> {
    let (rest, arms) = choice.arms.split_last()?;
    if !matches!(rest.pat, Pat::Wild(_)) || choice.arms.iter().any(|arm| arm.guard.is_some()) {
        return None;
    }
    arms.iter().rev().try_fold(term(&rest.body), |otherwise, arm| {
        let condition = term(&syn::parse2(equality(&choice.expr, &arm.pat)).ok()?);
        let body = term(&arm.body);
        Some(quote!(::everybyte::reference::Term::If(Box::new(#condition), Box::new(#body), Box::new(#otherwise))))
    })
}

/// Returns the value of a block that is one expression.
fn block(block: &syn::Block) -> Option<TokenStream> {
    match block.stmts.as_slice() {
        [syn::Stmt::Expr(expression, None)] => Some(term(expression)),
        _ => None,
    }
}

fn is_assignment(operator: &BinOp) -> bool {
    operator.to_token_stream().to_string().ends_with('=')
        && !matches!(operator, BinOp::Eq(_) | BinOp::Le(_) | BinOp::Ge(_) | BinOp::Ne(_))
}

/// Returns `ArgumentDoc` values from the arguments of a field: `{ length: n, depth }` or `(n)`.
pub fn arguments(group: &Group) -> Vec<TokenStream> {
    if group.delimiter() == Delimiter::Parenthesis {
        let list = Punctuated::<Expr, Token![,]>::parse_terminated.parse2(group.stream()).unwrap_or_default();
        return list.iter().map(|value| argument("", value)).collect();
    }
    let list = Punctuated::<Argument, Token![,]>::parse_terminated.parse2(group.stream()).unwrap_or_default();
    let mut all = Vec::new();
    for Argument { name, value } in list {
        match &value {
            // The arguments of the elements of a list.
            Expr::Macro(inner) if name == "inner" => {
                all.extend(arguments(&Group::new(Delimiter::Brace, inner.mac.tokens.clone())));
            }
            Expr::Tuple(inner) if name == "inner" => all.extend(inner.elems.iter().map(|value| argument("", value))),
            value => all.push(argument(&name.to_string(), value)),
        }
    }
    all
}

/// Like `arguments`, but from the parser of a field: `each(list, |item| (item.length,))`.
pub fn arguments_of_each(parser: &Expr) -> Vec<TokenStream> {
    let Expr::Call(call) = parser else { return Vec::new() };
    match call.args.last() {
        Some(Expr::Closure(closure)) => match &*closure.body {
            Expr::Tuple(all) => all.elems.iter().map(|value| argument("", value)).collect(),
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

fn argument(name: &str, value: &Expr) -> TokenStream {
    let value = expression(value);
    quote!(::everybyte::reference::ArgumentDoc { name: #name, value: #value })
}

/// A named argument: `name: value`, or only a name, which is also the variable.
pub struct Argument {
    pub name: Ident,
    pub value: Expr,
}

impl ToTokens for Argument {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let Argument { name, value } = self;
        tokens.extend(quote!(#name: #value));
    }
}

impl Parse for Argument {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let name: Ident = input.parse()?;
        let value = match input.parse::<Option<Token![:]>>()? {
            Some(_) => input.parse()?,
            None => syn::parse2(name.to_token_stream())?,
        };
        Ok(Argument { name, value })
    }
}

/// Returns `ParameterDoc` values from the parameters of a structure: `{ ndim: u8, depth: u8 = 0 }`.
pub fn parameters(group: &Group) -> Vec<TokenStream> {
    let list = Punctuated::<Parameter, Token![,]>::parse_terminated.parse2(group.stream()).unwrap_or_default();
    let each = list.iter().map(|Parameter { name, ty, default }| {
        let (name, ty) = (name.to_string(), text(&ty.to_token_stream()));
        let default = match default.as_ref().map(expression) {
            Some(default) => quote!(Some(#default)),
            None => quote!(None),
        };
        quote!(::everybyte::reference::ParameterDoc { name: #name, type_name: #ty, default: #default })
    });
    each.collect()
}

struct Parameter {
    name: Ident,
    ty: Type,
    default: Option<Expr>,
}

impl Parse for Parameter {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let name = input.parse()?;
        input.parse::<Token![:]>()?;
        let ty = input.parse()?;
        let default = input.parse::<Option<Token![=]>>()?.map(|_| input.parse()).transpose()?;
        Ok(Parameter { name, ty, default })
    }
}
