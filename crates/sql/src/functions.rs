//! The functions that are registered in a session.

use crate::check;
use crate::filters::text;
use crate::named::NamedArguments;
use crate::source::{Depth, Kind, Lake, OnError, Rows, Source, TableOptions};
use crate::stores;
use crate::table::FileTable;
use datafusion::catalog::{TableFunctionArgs, TableFunctionImpl, TableProvider};
use datafusion::common::{Result, plan_err};
use datafusion::prelude::SessionContext;
use ndbytes_arrow::table;
use std::str::FromStr;
use std::sync::Arc;

/// How files are read.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Settings {
    /// The maximum additional memory for each file, beyond its own length, in bytes.
    pub memory: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { memory: ndbytes::Limits::default().memory }
    }
}

impl Settings {
    /// Returns the settings with another memory budget.
    #[must_use]
    pub fn memory(self, memory: u64) -> Self {
        Settings { memory }
    }
}

/// Registers the functions of this crate in a session. From then on, paths in this process may be URLs.
pub fn register(context: &SessionContext, settings: &Settings) {
    stores::serve();
    for name in Name::ALL {
        context.register_udtf(name.text(), Arc::new(Function { name, settings: *settings }));
    }
    let functions = Name::ALL.map(Name::text).to_vec();
    context.register_relation_planner(Arc::new(NamedArguments { functions })).expect("a session takes every planner");
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
    const ALL: [Name; 5] = [Name::Idv, Name::Array, Name::Findings, Name::Files, Name::Columns];

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
        let options = Options::of(options)?;
        let source = Source {
            kind: self.name.kind(&options)?,
            path: path.clone(),
            memory: self.settings.memory,
            on_error: options.choice("on_error", &OnError::NAMES)?,
            filename: options.choice("filename", &SWITCH)?,
        };
        options.ensure_known(self.name)?;
        Ok(Arc::new(FileTable::open(source)?))
    }
}

impl Name {
    /// Returns the names of the options, each of which may be given only once.
    fn options(self) -> &'static [&'static str] {
        match self {
            Name::Idv => &["keys", "times", "sparse", "text", "union_by_name", "on_error", "filename"],
            Name::Array => &["on_error", "filename"],
            Name::Findings | Name::Files | Name::Columns => &[],
        }
    }

    /// Returns the kind of rows that the options after the path select.
    fn kind(self, options: &Options) -> Result<Kind> {
        match (self, options.words.as_slice()) {
            (Name::Idv, []) => table_options(options).map(Kind::Idv),
            (Name::Array, [] | ["items"]) => Ok(Kind::Array(Rows::Items)),
            (Name::Array, ["rows"]) => Ok(Kind::Array(Rows::First)),
            // By default, the whole file is checked.
            (Name::Findings, [] | ["payload"]) => Ok(Kind::Lake(Lake::Findings, Depth::Payload)),
            (Name::Findings, ["structure"]) => Ok(Kind::Lake(Lake::Findings, Depth::Structure)),
            (Name::Files, [] | ["payload"]) => Ok(Kind::Lake(Lake::Files, Depth::Payload)),
            (Name::Files, ["structure"]) => Ok(Kind::Lake(Lake::Files, Depth::Structure)),
            (Name::Columns, []) => Ok(Kind::Lake(Lake::Columns, Depth::Structure)),
            (Name::Idv, [word, ..]) => {
                plan_err!("after its path, idv() takes options such as keys => 'raw', not {word:?}")
            }
            (Name::Array, _) => plan_err!("after its path, array() takes 'items' or 'rows'"),
            (Name::Findings | Name::Files, _) => {
                plan_err!("after its path, {}() takes 'structure' or 'payload'", self.text())
            }
            (Name::Columns, _) => plan_err!("columns() takes only a path"),
        }
    }
}

/// The arguments after a path.
struct Options<'t> {
    /// Options without a name.
    words: Vec<&'t str>,
    /// Options such as `times=ns`: a name and a value.
    named: Vec<(&'t str, &'t str)>,
}

/// The values of a boolean option.
const SWITCH: [(&str, bool); 2] = [("false", false), ("true", true)];

impl<'t> Options<'t> {
    fn of(texts: &'t [String]) -> Result<Self> {
        let mut options = Options { words: Vec::new(), named: Vec::new() };
        for text in texts {
            match text.split_once('=') {
                None => options.words.push(text),
                Some((name, _)) if options.value(name).is_some() => {
                    return plan_err!("the option {name} is given twice");
                }
                Some(named) => options.named.push(named),
            }
        }
        Ok(options)
    }

    fn value(&self, name: &str) -> Option<&'t str> {
        self.named.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
    }

    /// Returns the value of an option. The default is the first value.
    fn choice<T: Copy>(&self, name: &str, values: &[(&str, T)]) -> Result<T> {
        let value = self.value(name).unwrap_or(values[0].0);
        match values.iter().find(|(known, _)| known.eq_ignore_ascii_case(value)) {
            Some((_, found)) => Ok(*found),
            None => {
                let known: Vec<_> = values.iter().map(|(name, _)| *name).collect();
                plan_err!("{value:?} is not a value of {name}: {}", known.join(", "))
            }
        }
    }

    /// Refuses an option that a function does not have.
    fn ensure_known(&self, function: Name) -> Result<()> {
        let known = function.options();
        match self.named.iter().find(|(name, _)| !known.contains(name)) {
            None => Ok(()),
            Some((name, _)) if known.is_empty() => plan_err!("{}() has no option {name:?}", function.text()),
            Some((name, _)) => {
                plan_err!("{name:?} is not an option of {}(): expected {}", function.text(), known.join(", "))
            }
        }
    }
}

fn table_options(options: &Options) -> Result<TableOptions> {
    let default = TableOptions::default();
    Ok(TableOptions {
        keys: known::<table::Keys>(options, "keys", default.keys)?,
        times: known::<table::Times>(options, "times", default.times)?,
        sparse: known::<table::Sparse>(options, "sparse", default.sparse)?,
        text: known::<table::TextPolicy>(options, "text", default.text)?,
        union_by_name: options.choice("union_by_name", &SWITCH)?,
    })
}

/// Parses a value of an option.
fn known<T: FromStr<Err = String>>(options: &Options, name: &str, default: String) -> Result<String> {
    let Some(value) = options.value(name) else { return Ok(default) };
    match value.parse::<T>() {
        Ok(_) => Ok(value.to_owned()),
        Err(error) => plan_err!("{error}"),
    }
}
