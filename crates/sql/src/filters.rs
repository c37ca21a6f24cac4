//! Filters in a query that determine which files are opened and which rows are decoded.
//!
//! A filter such as `axis_0 = 5 AND _file LIKE 'a%'` could be applied to rows after they are read. Here, it determines
//! what is read in the first place. Filters on indices and row numbers are exact. Filters on paths only reduce the
//! number of opened files. An archive has rows with several paths, so DataFusion applies these filters again.
//! Unsupported expressions are left to DataFusion.

use crate::intervals::Intervals;
use crate::source::{Role, Source};
use datafusion::common::Column;
use datafusion::logical_expr::expr::{Between, BinaryExpr, InList, Like};
use datafusion::logical_expr::{Expr, Operator, TableProviderFilterPushDown};
use datafusion::scalar::ScalarValue;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::Range;

/// The maximum depth of an expression. Deeper ones are left to DataFusion.
const DEEPEST: usize = 64;

/// The files and rows that a query needs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wanted {
    /// The required numbers of each column. Columns without an entry are not restricted.
    pub numbers: BTreeMap<String, Intervals>,
    /// A path must match at least one name in each of these lists.
    paths: Vec<Vec<Name>>,
}

/// A path or a prefix of paths.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
enum Name {
    Exact(String),
    Prefix(String),
}

/// A filter about one column.
enum Filter {
    Numbers(String, Intervals),
    Paths(Vec<Name>),
}

impl Wanted {
    pub fn new(filters: &[Expr], source: &Source) -> Self {
        let mut wanted = Wanted::default();
        for filter in filters.iter().filter_map(|filter| read(filter, source, 0)) {
            match filter {
                Filter::Paths(names) => wanted.paths.push(names),
                Filter::Numbers(column, numbers) => {
                    let known = wanted.numbers.entry(column).or_insert_with(Intervals::all);
                    *known = known.and(&numbers);
                }
            }
        }
        wanted
    }

    /// Returns whether a file may have a row with a required path. The paths of archive members begin with the
    /// archive's path.
    pub fn may_have(&self, file: &str) -> bool {
        self.paths.iter().all(|names| names.iter().any(|name| name.may_be_of(file)))
    }

    /// Returns the required numbers of a column.
    pub fn of(&self, column: &str) -> Intervals {
        self.numbers.get(column).cloned().unwrap_or_else(Intervals::all)
    }
}

impl Name {
    fn may_be_of(&self, file: &str) -> bool {
        let is_member = |path: &str| path.strip_prefix(file).is_some_and(|rest| rest.starts_with(['!', '/']));
        match self {
            Name::Exact(path) => path == file || is_member(path),
            Name::Prefix(prefix) => file.starts_with(prefix) || is_member(prefix),
        }
    }
}

/// Returns how well a filter is supported. Filters on numbers are exact. Filters on paths only reduce the number of
/// opened files, because an archive has rows with several paths.
pub fn service(filter: &Expr, source: &Source) -> TableProviderFilterPushDown {
    match read(filter, source, 0) {
        Some(Filter::Numbers(..)) => TableProviderFilterPushDown::Exact,
        Some(Filter::Paths(_)) => TableProviderFilterPushDown::Inexact,
        None => TableProviderFilterPushDown::Unsupported,
    }
}

fn read(filter: &Expr, source: &Source, depth: usize) -> Option<Filter> {
    if depth > DEEPEST {
        return None;
    }
    match filter {
        Expr::BinaryExpr(BinaryExpr { left, op: op @ (Operator::And | Operator::Or), right }) => {
            let (left, right) = (read(left, source, depth + 1)?, read(right, source, depth + 1)?);
            left.combine(right, *op == Operator::And)
        }
        Expr::BinaryExpr(BinaryExpr { left, op, right }) => match (column(left), column(right)) {
            (Some(name), None) => compared(&name.name, *op, right, source),
            (None, Some(name)) => compared(&name.name, op.swap()?, left, source),
            _ => None,
        },
        Expr::Not(inner) => read(inner, source, depth + 1)?.not(),
        Expr::Between(Between { expr, negated, low, high }) => {
            let name = &column(expr)?.name;
            let low = compared(name, Operator::GtEq, low, source)?;
            let between = low.combine(compared(name, Operator::LtEq, high, source)?, true)?;
            if *negated { between.not() } else { Some(between) }
        }
        Expr::InList(InList { expr, list, negated }) => {
            let name = &column(expr)?.name;
            let listed = listed(name, list, source)?;
            if *negated { listed.not() } else { Some(listed) }
        }
        Expr::Like(Like { negated: false, expr, pattern, escape_char: None, case_insensitive: false }) => {
            let is_path = source.role(&column(expr)?.name) == Some(Role::Path);
            let pattern = text(pattern).filter(|_| is_path)?;
            // A backslash may be an escape, so the rest of the pattern is ignored.
            let end = pattern.find(['%', '_', '\\']).unwrap_or(pattern.len());
            Some(Filter::Paths(vec![Name::Prefix(pattern[..end].to_owned())]))
        }
        _ => None,
    }
}

impl Filter {
    fn combine(self, other: Filter, both: bool) -> Option<Filter> {
        match (self, other) {
            (Filter::Numbers(column, one), Filter::Numbers(other, two)) if column == other => {
                Some(Filter::Numbers(column, if both { one.and(&two) } else { one.or(two) }))
            }
            (Filter::Paths(mut one), Filter::Paths(two)) if !both => {
                one.extend(two);
                Some(Filter::Paths(one))
            }
            _ => None,
        }
    }

    fn not(self) -> Option<Filter> {
        match self {
            Filter::Numbers(column, numbers) => Some(Filter::Numbers(column, numbers.not())),
            Filter::Paths(_) => None,
        }
    }
}

/// Returns the column in an expression.
fn column(expr: &Expr) -> Option<&Column> {
    match expr {
        Expr::Column(column) => Some(column),
        _ => None,
    }
}

fn compared(column: &str, op: Operator, value: &Expr, source: &Source) -> Option<Filter> {
    match source.role(column)? {
        Role::Path if op == Operator::Eq => Some(Filter::Paths(vec![Name::Exact(text(value)?)])),
        Role::Path => None,
        Role::Number => {
            let value = number(value)?;
            let range = match op {
                Operator::Eq | Operator::NotEq => range(value, value.saturating_add(1)),
                Operator::Lt => range(0, value),
                Operator::LtEq => range(0, value.saturating_add(1)),
                Operator::Gt => range(value.saturating_add(1), i128::MAX),
                Operator::GtEq => range(value, i128::MAX),
                _ => return None,
            };
            let numbers = Intervals::of(Some(range));
            let numbers = if op == Operator::NotEq { numbers.not() } else { numbers };
            Some(Filter::Numbers(column.to_owned(), numbers))
        }
    }
}

fn listed(column: &str, list: &[Expr], source: &Source) -> Option<Filter> {
    Some(match source.role(column)? {
        Role::Path => Filter::Paths(list.iter().map(|value| text(value).map(Name::Exact)).collect::<Option<_>>()?),
        Role::Number => {
            let one = |value: &Expr| number(value).map(|value| range(value, value.saturating_add(1)));
            Filter::Numbers(column.to_owned(), Intervals::of(list.iter().map(one).collect::<Option<Vec<_>>>()?))
        }
    })
}

/// Restricts a range to valid indices.
fn range(start: i128, end: i128) -> Range<u64> {
    let bound = |value: i128| u64::try_from(value.max(0)).unwrap_or(u64::MAX);
    bound(start)..bound(end)
}

fn number(value: &Expr) -> Option<i128> {
    let Expr::Literal(value, _) = value else { return None };
    Some(match value {
        ScalarValue::UInt8(Some(value)) => (*value).into(),
        ScalarValue::UInt16(Some(value)) => (*value).into(),
        ScalarValue::UInt32(Some(value)) => (*value).into(),
        ScalarValue::UInt64(Some(value)) => (*value).into(),
        ScalarValue::Int8(Some(value)) => (*value).into(),
        ScalarValue::Int16(Some(value)) => (*value).into(),
        ScalarValue::Int32(Some(value)) => (*value).into(),
        ScalarValue::Int64(Some(value)) => (*value).into(),
        _ => return None,
    })
}

/// Returns the text of a literal; `None` for other expressions.
pub fn text(value: &Expr) -> Option<String> {
    let Expr::Literal(value, _) = value else { return None };
    value.try_as_str().flatten().map(str::to_owned)
}
