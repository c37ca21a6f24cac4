//! Operators in expressions: `length - 8` becomes an operation that fails with an error about its field, instead of
//! panicking or wrapping.
//!
//! The macro sees tokens, not types. It cannot call `checked_sub`, whose result would change the type of the
//! expression, nor convert the operands. So each operation is kept, behind a call that checks both operands and records
//! whether there is a result; see `everybyte::hook::Arithmetic`.

use crate::directives::{Directives, Purpose};
use crate::terms::{self, Argument};
use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{
    BinOp, Block, Expr, ExprBinary, ExprClosure, ExprMacro, ExprMethodCall, ExprUnary, Ident, Macro, Stmt, Token, UnOp,
};

/// Returns the name of the variable that records operations without a result.
pub fn variable(field: &Ident) -> Ident {
    format_ident!("__arithmetic_{field}")
}

/// Returns the expression with operators that record operations without a result in a variable, or `None` if it has
/// no such operator.
pub fn noted(expression: &Expr, variable: &Ident) -> Option<Expr> {
    let mut walk = Walk { variable, found: false };
    let mut expression = expression.clone();
    walk.expression(&mut expression);
    walk.found.then_some(expression)
}

/// The arithmetic of a field.
#[derive(Default)]
pub struct Rewritten {
    /// True if the field has a variable that records operations without a result.
    pub has_variable: bool,
    /// True if the variable is evaluated after the field is mapped.
    pub is_mapped: bool,
}

/// Rewrites the operators in the directives of a field.
pub fn rewrite(directives: &mut Directives, field: &Ident) -> Rewritten {
    let (mut rewritten, variable, text) = (Rewritten::default(), variable(field), field.to_string());
    let read = |variable: &Ident, value: &Expr| quote!(#variable.read(#text, #value)?);
    let written = |variable: &Ident, value: &Expr| quote!(#variable.written(#value)?);
    directives.replace(|purpose, name, expression| match (purpose, name.to_string().as_str()) {
        (Purpose::Reading, "count") => {
            let declared = terms::text(&expression.to_token_stream());
            let noted = noted(expression, &variable).unwrap_or_else(|| expression.clone());
            rewritten.has_variable = true;
            Some(Expr::Verbatim(quote!(#variable.count(#noted, #declared))))
        }
        (Purpose::Reading, directive @ ("args" | "args_raw" | "map" | "try_map")) => {
            let noted = noted(expression, &variable)?;
            rewritten.has_variable = true;
            rewritten.is_mapped |= matches!(directive, "map" | "try_map");
            Some(noted)
        }
        (Purpose::Reading, "if" | "calc" | "try_calc" | "seek_before") => settled(expression, read),
        (Purpose::Reading, "assert") => settled(expression, written),
        (Purpose::Writing, "args" | "args_raw" | "if" | "calc" | "try_calc" | "assert" | "seek_before") => {
            settled(expression, written)
        }
        (Purpose::Writing, "map") => {
            let fallible = fallible(expression)?;
            *name = Ident::new("try_map", name.span());
            Some(fallible)
        }
        _ => None,
    });
    rewritten
}

/// Returns the condition of an alternative with its operators rewritten.
pub fn guarded(condition: TokenStream, alternative: &str) -> syn::Result<TokenStream> {
    let condition = syn::parse2(condition)?;
    let guarded = settled(&condition, |variable, value| quote!(#variable.guard(#alternative, #value)?));
    Ok(guarded.unwrap_or(condition).to_token_stream())
}

/// Rewrites the operators in the assertions of a structure or of a named alternative.
pub fn rewrite_assertions(directives: &mut Directives, alternative: Option<&str>) {
    directives.replace(|_, name, expression| match (name.to_string().as_str(), alternative) {
        ("pre_assert", Some(alternative)) => {
            settled(expression, |variable, value| quote!(#variable.guard(#alternative, #value)?))
        }
        ("assert" | "pre_assert", _) => settled(expression, |variable, value| quote!(#variable.written(#value)?)),
        _ => None,
    });
}

/// Returns the condition of a rule: whether it holds, or why it cannot be computed.
pub fn judged(condition: &Expr) -> TokenStream {
    match settled(condition, |variable, value| quote!(#variable.judged(#value))) {
        Some(judged) => judged.to_token_stream(),
        None => quote_spanned!(condition.span()=> ::core::result::Result::Ok(#condition)),
    }
}

/// Returns a shown value with its operators rewritten.
pub fn shown(value: &Expr) -> Expr {
    settled(value, |_, value| value.to_token_stream()).unwrap_or_else(|| value.clone())
}

/// Returns the expression with its own variable, in which `settle` handles its value.
fn settled(expression: &Expr, settle: impl Fn(&Ident, &Expr) -> TokenStream) -> Option<Expr> {
    let variable = format_ident!("__arithmetic");
    let noted = noted(expression, &variable)?;
    let settled = settle(&variable, &noted);
    Some(Expr::Verbatim(quote!({
        let #variable = ::everybyte::hook::Arithmetic::new();
        #settled
    })))
}

/// Converts a function that maps a value to one that may fail.
fn fallible(function: &Expr) -> Option<Expr> {
    let Expr::Closure(closure) = function else { return None };
    let body = settled(&closure.body, |variable, value| quote!(#variable.mapped(#value)))?;
    let mut closure = closure.clone();
    *closure.body = body;
    Some(Expr::Closure(closure))
}

struct Walk<'w> {
    variable: &'w Ident,
    found: bool,
}

impl Walk<'_> {
    fn all<'e>(&mut self, all: impl IntoIterator<Item = &'e mut Expr>) {
        all.into_iter().for_each(|expression| self.expression(expression));
    }

    /// Rewrites the operators of an expression. Constant expressions, such as the length of an array, are left to the compiler.
    fn expression(&mut self, expression: &mut Expr) {
        let mut replaced = None;
        match &mut *expression {
            Expr::Binary(it) => {
                let text = terms::text(&it.to_token_stream());
                self.all([&mut *it.left, &mut *it.right]);
                replaced = self.operation(it, &text);
            }
            Expr::Unary(it) => {
                let text = terms::text(&it.to_token_stream());
                self.expression(&mut it.expr);
                replaced = self.opposite(it, &text);
            }
            Expr::MethodCall(it) => {
                let text = terms::text(&it.to_token_stream());
                self.all(it.args.iter_mut().chain([&mut *it.receiver]));
                replaced = self.folded(it, &text);
            }
            Expr::Block(it) => self.block(&mut it.block),
            Expr::Closure(it) => replaced = self.closure(it),
            Expr::ForLoop(it) => {
                self.expression(&mut it.expr);
                self.block(&mut it.body);
            }
            Expr::If(it) => {
                self.expression(&mut it.cond);
                self.block(&mut it.then_branch);
                self.all(it.else_branch.as_mut().map(|(_, otherwise)| &mut **otherwise));
            }
            Expr::Loop(it) => self.block(&mut it.body),
            Expr::Macro(ExprMacro { mac, .. }) => self.call(mac),
            Expr::Match(it) => {
                self.expression(&mut it.expr);
                for arm in &mut it.arms {
                    self.all(arm.guard.as_mut().map(|(_, guard)| &mut **guard));
                    self.expression(&mut arm.body);
                }
            }
            Expr::While(it) => {
                self.expression(&mut it.cond);
                self.block(&mut it.body);
            }
            other => self.all(parts(other)),
        }
        if let Some(other) = replaced {
            *expression = other;
        }
    }

    /// Rewrites a `move` closure with operators, so that it moves a reference to the variable.
    fn closure(&mut self, closure: &mut ExprClosure) -> Option<Expr> {
        let found = std::mem::take(&mut self.found);
        self.expression(&mut closure.body);
        let (variable, moves) = (self.variable, self.found && closure.capture.is_some());
        self.found |= found;
        moves.then(|| Expr::Verbatim(quote!({ let #variable = &#variable; #closure })))
    }

    fn block(&mut self, block: &mut Block) {
        for statement in &mut block.stmts {
            match statement {
                Stmt::Local(local) => {
                    let Some(init) = &mut local.init else { continue };
                    self.expression(&mut init.expr);
                    self.all(init.diverge.as_mut().map(|(_, otherwise)| &mut **otherwise));
                }
                Stmt::Expr(expression, _) => self.expression(expression),
                Stmt::Macro(call) => self.call(&mut call.mac),
                Stmt::Item(_) => {}
            }
        }
    }

    /// Rewrites the arguments of a macro, if they are expressions.
    fn call(&mut self, call: &mut Macro) {
        let Some(name) = call.path.segments.last().map(|last| last.ident.to_string()) else { return };
        let tokens = match name.as_str() {
            "args" => Punctuated::<Argument, Token![,]>::parse_terminated.parse2(call.tokens.clone()).map(|mut all| {
                self.all(all.iter_mut().map(|argument| &mut argument.value));
                all.to_token_stream()
            }),
            "matches" => Matches::parse.parse2(call.tokens.clone()).map(|mut matches| {
                self.expression(&mut matches.value);
                matches.to_token_stream()
            }),
            _ => Punctuated::<Expr, Token![,]>::parse_terminated.parse2(call.tokens.clone()).map(|mut all| {
                self.all(&mut all);
                all.to_token_stream()
            }),
        };
        if let Ok(tokens) = tokens {
            call.tokens = tokens;
        }
    }

    /// Rewrites an operation, if it may have no result.
    fn operation(&mut self, binary: &ExprBinary, text: &str) -> Option<Expr> {
        let ExprBinary { left, op, right, .. } = binary;
        let (operator, assigns) = match op {
            BinOp::Add(_) => ("Add", false),
            BinOp::Sub(_) => ("Subtract", false),
            BinOp::Mul(_) => ("Multiply", false),
            BinOp::Div(_) => ("Divide", false),
            BinOp::Rem(_) => ("Remainder", false),
            BinOp::Shl(_) => ("ShiftLeft", false),
            BinOp::Shr(_) => ("ShiftRight", false),
            BinOp::AddAssign(_) => ("Add", true),
            BinOp::SubAssign(_) => ("Subtract", true),
            BinOp::MulAssign(_) => ("Multiply", true),
            BinOp::DivAssign(_) => ("Divide", true),
            BinOp::RemAssign(_) => ("Remainder", true),
            BinOp::ShlAssign(_) => ("ShiftLeft", true),
            BinOp::ShrAssign(_) => ("ShiftRight", true),
            _ => return None,
        };
        // The compiler evaluates these.
        if is_constant(left) && is_constant(right) {
            return None;
        }
        self.found = true;
        let (variable, operator) = (self.variable, format_ident!("{operator}"));
        // The names have the spans of the operands, so that an error about an operand that is not a number appears there.
        let [first, second] =
            [(left.span(), "__left"), (right.span(), "__right")].map(|(span, name)| Ident::new(name, span));
        let has_result = |first: &TokenStream| {
            let first = quote_spanned!(left.span()=> &#first);
            let second = quote_spanned!(right.span()=> &#second);
            quote!(#variable.has_result(::everybyte::hook::Operator::#operator, #first, #second, #text))
        };
        Some(Expr::Verbatim(if assigns {
            let has_result = has_result(&left.to_token_stream());
            quote!(match #right { #second => if #has_result { #left #op #second } })
        } else {
            let has_result = has_result(&first.to_token_stream());
            quote! {
                (match (#left, #right) {
                    (#first, #second) => if #has_result {
                        #first #op #second
                    } else {
                        ::core::default::Default::default()
                    },
                })
            }
        }))
    }

    /// Rewrites `numbers.sum::<u64>()` or `numbers.product::<u64>()`, which may have no result.
    fn folded(&mut self, call: &ExprMethodCall, text: &str) -> Option<Expr> {
        let ExprMethodCall { receiver, method, turbofish, args, .. } = call;
        let operator = match method.to_string().as_str() {
            "sum" if args.is_empty() => format_ident!("Add"),
            "product" if args.is_empty() => format_ident!("Multiply"),
            _ => return None,
        };
        let ty = turbofish.as_ref()?.args.first()?;
        self.found = true;
        let variable = self.variable;
        Some(Expr::Verbatim(quote_spanned! {method.span()=>
            #variable.folded::<#ty, _>(::everybyte::hook::Operator::#operator, #receiver, #text)
        }))
    }

    /// Rewrites `-number`, if it may have no result.
    fn opposite(&mut self, unary: &ExprUnary, text: &str) -> Option<Expr> {
        let ExprUnary { op, expr, .. } = unary;
        if !matches!(op, UnOp::Neg(_)) || is_constant(expr) {
            return None;
        }
        self.found = true;
        let (variable, number) = (self.variable, Ident::new("__number", expr.span()));
        Some(Expr::Verbatim(quote! {
            (match #expr {
                #number => if #variable.has_opposite(&#number, #text) {
                    #op #number
                } else {
                    ::core::default::Default::default()
                },
            })
        }))
    }
}

/// Returns the subexpressions of an expression without operators and blocks.
fn parts(expression: &mut Expr) -> Vec<&mut Expr> {
    match expression {
        Expr::Array(it) => it.elems.iter_mut().collect(),
        Expr::Assign(it) => vec![&mut *it.left, &mut *it.right],
        Expr::Break(it) => it.expr.as_deref_mut().into_iter().collect(),
        Expr::Call(it) => it.args.iter_mut().chain([&mut *it.func]).collect(),
        Expr::Cast(it) => vec![&mut *it.expr],
        Expr::Field(it) => vec![&mut *it.base],
        Expr::Group(it) => vec![&mut *it.expr],
        Expr::Index(it) => vec![&mut *it.expr, &mut *it.index],
        Expr::Let(it) => vec![&mut *it.expr],
        Expr::Paren(it) => vec![&mut *it.expr],
        Expr::Range(it) => it.start.iter_mut().chain(&mut it.end).map(|end| &mut **end).collect(),
        Expr::Reference(it) => vec![&mut *it.expr],
        Expr::Return(it) => it.expr.as_deref_mut().into_iter().collect(),
        Expr::Struct(it) => it.fields.iter_mut().map(|field| &mut field.expr).collect(),
        Expr::Try(it) => vec![&mut *it.expr],
        Expr::Tuple(it) => it.elems.iter_mut().collect(),
        _ => Vec::new(),
    }
}

/// Returns whether an expression consists only of literals.
fn is_constant(expression: &Expr) -> bool {
    match expression {
        Expr::Lit(_) => true,
        Expr::Paren(it) => is_constant(&it.expr),
        Expr::Group(it) => is_constant(&it.expr),
        Expr::Cast(it) => is_constant(&it.expr),
        Expr::Unary(it) => is_constant(&it.expr),
        Expr::Binary(it) => is_constant(&it.left) && is_constant(&it.right),
        _ => false,
    }
}

/// The arguments of `matches!`.
struct Matches {
    value: Expr,
    pattern: TokenStream,
}

impl Parse for Matches {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let value = input.parse()?;
        input.parse::<Token![,]>()?;
        Ok(Matches { value, pattern: input.parse()? })
    }
}

impl ToTokens for Matches {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let Matches { value, pattern } = self;
        tokens.extend(quote!(#value, #pattern));
    }
}
