//! Resolves the names and kinds in expressions.
//!
//! The reference compiler is statically typed: `1 + "a"` is an error in the specification, whatever the file. The same
//! errors are found here, once, so the reader need not check for them again. A kind that is not known before a file is
//! read, such as the kind of a parent with several types, is [`Kind::Any`] and allows everything; the reader then decides.

use super::kind::Kind;
use super::plan::{Formula, Term};
use super::resolver::Resolver;
use crate::declared::Code;
use crate::declared::keys::is_name;
use crate::expression::{Binary, Expr, Form, Unary, Word};
use crate::place::{SpecResult, error_at};
use std::sync::Arc;

/// The context of an expression: the type that it belongs to, its text, and the kind of `_`.
#[derive(Clone, Copy)]
pub struct Scope<'c> {
    pub number: usize,
    pub code: &'c Code,
    pub it: Option<&'c Kind>,
}

impl Resolver<'_> {
    /// Resolves an expression; `it` is the kind of `_`.
    pub fn formula(&self, number: usize, code: &Code, it: Option<&Kind>) -> SpecResult<(Formula, Kind)> {
        let (term, kind) = self.term(Scope { number, code, it }, &code.expr)?;
        self.levels.set(self.levels.get().max(code.expr.levels()));
        Ok((Formula { term, text: Arc::clone(&code.shown), at: code.at }, kind))
    }

    /// Resolves an expression that must have a kind.
    pub(super) fn expected(&self, number: usize, code: &Code, kind: &Kind, it: Option<&Kind>) -> SpecResult<Formula> {
        let (formula, found) = self.formula(number, code, it)?;
        if found.is(kind) {
            return Ok(formula);
        }
        error_at(code.at, format!("`{}` is {}; {} is needed here", code.shown, self.shown(&found), self.shown(kind)))
    }

    /// Resolves an expression that is compared with a value of a kind.
    pub(super) fn comparable(&self, number: usize, code: &Code, with: &Kind, it: Option<&Kind>) -> SpecResult<Formula> {
        self.compared(number, code, Binary::Equal, with, it)
    }

    pub(super) fn compared(
        &self,
        number: usize,
        code: &Code,
        by: Binary,
        with: &Kind,
        it: Option<&Kind>,
    ) -> SpecResult<Formula> {
        let (formula, found) = self.formula(number, code, it)?;
        if with.compares(by, &found) {
            return Ok(formula);
        }
        let (found, with) = (self.shown(&found), self.shown(with));
        error_at(code.at, format!("`{}` is {found}, which cannot be compared with {with}", code.shown))
    }

    pub(super) fn term(&self, scope: Scope<'_>, expr: &Expr) -> SpecResult<(Term, Kind)> {
        let resolve = |expr: &Expr| self.term(scope, expr);
        Ok(match &expr.form {
            Form::Int(number) => (Term::Int(*number), Kind::Int),
            Form::Float(number) => (Term::Float(*number), Kind::Float),
            Form::Bool(is) => (Term::Bool(*is), Kind::Bool),
            Form::Text(text) => (Term::Text(Arc::clone(text)), Kind::Text),
            Form::Format(parts) => {
                let parts = parts.iter().map(|part| Ok(resolve(part)?.0)).collect::<SpecResult<_>>()?;
                (Term::Format(parts), Kind::Text)
            }
            Form::List(items) => self.list(scope, items)?,
            Form::Name(name) => self.name(scope, expr, name)?,
            Form::Path(path) => self.label(scope, expr, path)?,
            Form::Member(base, name) => self.member(scope, expr, base, name, &[])?,
            Form::Call(base, name, arguments) => self.member(scope, expr, base, name, arguments)?,
            Form::Cast(base, name) => self.cast(scope, expr, base, name)?,
            Form::Element(base, index) => {
                let ((base, kind), index) = (resolve(base)?, self.operand(scope, index, &Kind::Int)?);
                let of = match kind {
                    Kind::List(of) => *of,
                    Kind::Bytes => Kind::Int,
                    Kind::Any => Kind::Any,
                    other => {
                        let shown = self.shown(&other);
                        return error_at(
                            scope.code.place(expr),
                            format!("{shown} has no elements: only lists and bytes do"),
                        );
                    }
                };
                (Term::Element(base.into(), index.into()), of)
            }
            Form::Size { of, in_bits } => {
                let Some(bits) = self.bits_of_name(scope.number, of) else {
                    let why = match self.named_kind(scope.number, of) {
                        Err(path) => format!("there is no type `{path}` here"),
                        Ok(_) => format!("the size of `{of}` is not the same in every file"),
                    };
                    return error_at(scope.code.place(expr), why);
                };
                (Term::Int(if *in_bits { bits } else { bits.div_ceil(8) }.into()), Kind::Int)
            }
            Form::Unary(operator, inner) => self.unary(scope, expr, *operator, inner)?,
            Form::Binary(operator, left, right) => self.binary(scope, expr, *operator, [left, right])?,
            Form::If(condition, yes, no) => {
                let condition = self.operand(scope, condition, &Kind::Bool)?;
                let ((yes, a), (no, b)) = (resolve(yes)?, resolve(no)?);
                (Term::If(condition.into(), yes.into(), no.into()), a.or(b))
            }
        })
    }

    /// Resolves a part that must have a kind.
    pub(super) fn operand(&self, scope: Scope<'_>, expr: &Expr, kind: &Kind) -> SpecResult<Term> {
        let (term, found) = self.term(scope, expr)?;
        if found.is(kind) {
            return Ok(term);
        }
        let (found, needed) = (self.shown(&found), self.shown(kind));
        error_at(scope.code.place(expr), format!("expected {needed}, found {found}"))
    }

    /// Resolves a list; a list of literal bytes becomes bytes.
    fn list(&self, scope: Scope<'_>, items: &[Expr]) -> SpecResult<(Term, Kind)> {
        let byte = |item: &Expr| match item.form {
            Form::Int(number) => u8::try_from(number).ok(),
            _ => None,
        };
        if let Some(bytes) = items.iter().map(byte).collect::<Option<Vec<u8>>>().filter(|bytes| !bytes.is_empty()) {
            return Ok((Term::Bytes(bytes.into()), Kind::Bytes));
        }
        let (mut terms, mut kinds) = (Vec::new(), Vec::new());
        for item in items {
            let (term, kind) = self.term(scope, item)?;
            terms.push(term);
            kinds.push(kind);
        }
        Ok((Term::List(terms), Kind::list(kinds.into_iter().reduce(Kind::or).unwrap_or(Kind::Any))))
    }

    /// Resolves a name: a special one, a parameter, or a field.
    fn name(&self, scope: Scope<'_>, expr: &Expr, name: &Word) -> SpecResult<(Term, Kind)> {
        match (&**name, scope.it) {
            ("_", Some(it)) => return Ok((Term::It, it.clone())),
            ("_", None) => return error_at(scope.code.place(expr), "`_` has no value here"),
            ("_index", _) => return Ok((Term::Index, Kind::Int)),
            _ => {}
        }
        let is_known = matches!(&**name, "_io" | "_root" | "_parent" | "_sizeof" | "_is_le") || is_name(name);
        if !is_known && !name.starts_with("_unnamed") {
            let form = "a lower-case letter, then lower-case letters, digits and `_`";
            return error_at(scope.code.place(expr), format!("`{name}` is not a valid name: {form}"));
        }
        self.member_of(scope, expr, (Term::Own, Kind::Structure(scope.number)), name)
    }

    /// Resolves a label of an enumeration.
    fn label(&self, scope: Scope<'_>, expr: &Expr, path: &[Word]) -> SpecResult<(Term, Kind)> {
        let at = scope.code.place(expr);
        let Some((label, path)) = path.split_last() else { return error_at(at, "a name is missing") };
        let path: Vec<&str> = path.iter().map(|name| &**name).collect();
        let Some(number) = self.find_enum(scope.number, &path) else {
            return error_at(at, format!("there is no enumeration `{}` here", path.join("::")));
        };
        match self.declared.enums[number].values.get(label) {
            Some(&value) => Ok((Term::Label(number, value), Kind::Enum(number))),
            None => error_at(at, format!("`{}` has no value `{label}`", path.join("::"))),
        }
    }

    /// Resolves a cast, `value.as<type>`.
    fn cast(&self, scope: Scope<'_>, expr: &Expr, base: &Expr, name: &str) -> SpecResult<(Term, Kind)> {
        let (term, from) = self.term(scope, base)?;
        match self.named_kind(scope.number, name) {
            Ok(Kind::Bytes) if from != Kind::Bytes => Ok((Term::AsBytes(term.into()), Kind::Bytes)),
            Ok(kind) => Ok((term, kind)),
            Err(path) => error_at(scope.code.place(expr), format!("there is no type `{path}` here")),
        }
    }

    /// Resolves a prefix operator.
    fn unary(&self, scope: Scope<'_>, expr: &Expr, operator: Unary, inner: &Expr) -> SpecResult<(Term, Kind)> {
        Ok(match operator {
            Unary::Not => (Term::Not(self.operand(scope, inner, &Kind::Bool)?.into()), Kind::Bool),
            Unary::Inverse => (Term::Inverse(self.operand(scope, inner, &Kind::Int)?.into()), Kind::Int),
            Unary::Minus => match self.term(scope, inner)? {
                (term, kind) if kind.is_number() => (Term::Minus(term.into()), kind),
                (_, other) => {
                    return error_at(
                        scope.code.place(expr),
                        format!("`-` cannot be applied to {}", self.shown(&other)),
                    );
                }
            },
        })
    }

    /// Resolves a binary operator.
    fn binary(&self, scope: Scope<'_>, expr: &Expr, by: Binary, sides: [&Expr; 2]) -> SpecResult<(Term, Kind)> {
        let [left, right] = sides;
        let made = |left: Term, right: Term| Term::Binary(by, left.into(), right.into());
        if matches!(by, Binary::And | Binary::Or) {
            let [left, right] = [self.operand(scope, left, &Kind::Bool)?, self.operand(scope, right, &Kind::Bool)?];
            return Ok((made(left, right), Kind::Bool));
        }
        let ((left, a), (right, b)) = (self.term(scope, left)?, self.term(scope, right)?);
        let is_bitwise =
            matches!(by, Binary::BitOr | Binary::BitXor | Binary::BitAnd | Binary::ShiftLeft | Binary::ShiftRight);
        let kind = if by.compares() {
            a.compares(by, &b).then_some(Kind::Bool)
        } else if is_bitwise {
            (a.is(&Kind::Int) && b.is(&Kind::Int)).then_some(Kind::Int)
        } else if a.is_number() && b.is_number() {
            Some(a.clone().or(b.clone()))
        } else {
            (by == Binary::Add && a.is(&Kind::Text) && b.is(&Kind::Text)).then_some(Kind::Text)
        };
        match kind {
            Some(kind) => Ok((made(left, right), kind)),
            None => {
                let (a, b) = (self.shown(&a), self.shown(&b));
                error_at(scope.code.place(expr), format!("the operator cannot be applied to {a} and {b}"))
            }
        }
    }
}
