//! The functions that a session knows.

use crate::check;
use crate::source::{Depth, Kind, Lake, Rows, Source, TableOptions};
use crate::table::FileTable;
use datafusion::catalog::{TableFunctionArgs, TableFunctionImpl, TableProvider};
use datafusion::common::{Result, plan_err};
use datafusion::logical_expr::Expr;
use datafusion::prelude::SessionContext;
use datafusion::scalar::ScalarValue;
use ndbytes_arrow::table;
use std::str::FromStr;
use std::sync::Arc;

/// How files are read.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Settings {
    /// The memory that each file may take beyond its own length, in bytes.
    pub memory: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { memory: ndbytes::Limits::default().memory }
    }
}

impl Settings {
    /// The settings with another budget for memory.
    #[must_use]
    pub fn memory(self, memory: u64) -> Self {
        Settings { memory }
    }
}

/// Gives a session the functions of this crate.
pub fn register(context: &SessionContext, settings: &Settings) {
    for name in [Name::Idv, Name::Array, Name::Findings, Name::Files, Name::Columns] {
        context.register_udtf(name.text(), Arc::new(Function { name, settings: *settings }));
    }
    context.register_udf(check::function());
}

/// The name of a table function.
#[derive(Debug, Clone, Copy)]
enum Name {
    Idv,
    Array,
    Findings,
    Files,
    Columns,
}

impl Name {
    fn text(self) -> &'static str {
        match self {
            Name::Idv => "idv",
            Name::Array => "array",
            Name::Findings => "findings",
            Name::Files => "files",
            Name::Columns => "columns",
        }
    }
}

#[derive(Debug)]
struct Function {
    name: Name,
    settings: Settings,
}

impl TableFunctionImpl for Function {
    fn call_with_args(&self, args: TableFunctionArgs<'_, '_>) -> Result<Arc<dyn TableProvider>> {
        let name = self.name.text();
        let Some(texts) = args.exprs().iter().map(text).collect::<Option<Vec<_>>>() else {
            return plan_err!("the arguments of {name}() are texts, such as {name}('path')");
        };
        let Some((path, options)) = texts.split_first() else {
            return plan_err!("{name}() needs a path: {name}('path')");
        };
        let kind = self.name.kind(options)?;
        Ok(Arc::new(FileTable::open(Source { kind, path: path.clone(), memory: self.settings.memory })?))
    }
}

fn text(argument: &Expr) -> Option<String> {
    match argument {
        Expr::Literal(ScalarValue::Utf8(text) | ScalarValue::Utf8View(text) | ScalarValue::LargeUtf8(text), _) => {
            text.clone()
        }
        _ => None,
    }
}

impl Name {
    /// The kind of rows that the options after the path ask for.
    fn kind(self, options: &[String]) -> Result<Kind> {
        match (self, options) {
            (Name::Idv, options) => table_options(options).map(Kind::Idv),
            (Name::Array, []) => Ok(Kind::Array(Rows::Items)),
            (Name::Array, [option]) if option == "items" => Ok(Kind::Array(Rows::Items)),
            (Name::Array, [option]) if option == "rows" => Ok(Kind::Array(Rows::First)),
            (Name::Findings, []) => Ok(Kind::Lake(Lake::Findings, Depth::Payload)),
            (Name::Findings, [option]) if option == "payload" => Ok(Kind::Lake(Lake::Findings, Depth::Payload)),
            (Name::Findings, [option]) if option == "structure" => Ok(Kind::Lake(Lake::Findings, Depth::Structure)),
            // A verdict is about all of a file, unless the query asks for less.
            (Name::Files, []) => Ok(Kind::Lake(Lake::Files, Depth::Payload)),
            (Name::Files, [option]) if option == "payload" => Ok(Kind::Lake(Lake::Files, Depth::Payload)),
            (Name::Files, [option]) if option == "structure" => Ok(Kind::Lake(Lake::Files, Depth::Structure)),
            (Name::Columns, []) => Ok(Kind::Lake(Lake::Columns, Depth::Structure)),
            (Name::Array, _) => plan_err!("after its path, array() takes 'items' or 'rows'"),
            (Name::Findings | Name::Files, _) => {
                plan_err!("after its path, {}() takes 'structure' or 'payload'", self.text())
            }
            (Name::Columns, _) => plan_err!("columns() takes a path alone"),
        }
    }
}

/// Options such as `times=ns`.
fn table_options(texts: &[String]) -> Result<TableOptions> {
    let mut options = TableOptions::default();
    for text in texts {
        let Some((name, value)) = text.split_once('=') else {
            return plan_err!("after its path, idv() takes options such as 'keys=raw', not {text:?}");
        };
        let value = value.to_owned();
        match name {
            "keys" => options.keys = known::<table::Keys>(value)?,
            "times" => options.times = known::<table::Times>(value)?,
            "sparse" => options.sparse = known::<table::Sparse>(value)?,
            "text" => options.text = known::<table::TextPolicy>(value)?,
            _ => return plan_err!("{name:?} is none of the options of idv(): keys, times, sparse, text"),
        }
    }
    Ok(options)
}

/// A value that its option knows.
fn known<T: FromStr<Err = String>>(value: String) -> Result<String> {
    match value.parse::<T>() {
        Ok(_) => Ok(value),
        Err(error) => plan_err!("{error}"),
    }
}
