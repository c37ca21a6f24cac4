//! The modules that each module of a crate imports.

use super::crates::Module;
use std::collections::{BTreeMap, BTreeSet};

/// The modules that each module refers to.
pub type Imports = BTreeMap<Module, BTreeSet<Module>>;

/// The imports of the modules of a crate, given their code. A module imports everything that it names with a path from
/// `crate`, from `super`, or from a module that it declares. The root of the crate imports everything that it declares.
pub fn imports(modules: &BTreeMap<Module, String>) -> Imports {
    let named = |module: &Module, code: &String| {
        let paths = paths(code).into_iter().filter_map(|path| target(module, &path, modules));
        let roots = [["lib"], ["main"]].map(|root| root.map(str::to_owned).to_vec());
        let declared =
            modules.keys().filter(|other| roots.contains(module) && other.len() == 1 && !roots.contains(other));
        paths.chain(declared.cloned()).filter(|other| other != module).collect()
    };
    modules.iter().map(|(module, code)| (module.clone(), named(module, code))).collect()
}

/// The module that a path refers to: the longest prefix that is a module. `None` if the path leads out of the crate.
fn target(module: &Module, path: &str, modules: &BTreeMap<Module, String>) -> Option<Module> {
    let mut steps = path.split("::").map(str::trim).filter(|step| !step.is_empty()).peekable();
    let root = || if modules.contains_key(&["lib".to_owned()][..]) { "lib" } else { "main" };
    let is_root = |module: &Module| *module == ["lib"] || *module == ["main"];
    let mut from = if is_root(module) { Vec::new() } else { module.clone() };
    match *steps.peek()? {
        "crate" => {
            from.clear();
            steps.next();
        }
        "super" => {
            while steps.next_if_eq(&"super").is_some() {
                from.pop();
            }
        }
        "self" => {
            steps.next();
        }
        child => {
            modules.get(&[from.clone(), vec![child.to_owned()]].concat())?;
        }
    }
    from.extend(steps.map(str::to_owned));
    while !from.is_empty() && !modules.contains_key(&from) {
        from.pop();
    }
    Some(if from.is_empty() { vec![if is_root(module) { module[0].clone() } else { root().to_owned() }] } else { from })
}

/// Every path in the code of a module that may lead into the crate.
fn paths(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut until = 0;
    for (at, _) in code.match_indices("::") {
        let start = code[..at].rfind(|letter: char| !is_part(letter)).map_or(0, |before| before + 1);
        let before = code[..start].trim_end();
        // The path in `pub(in …)` is not an import either.
        let is_foreign = ["::", "$", "(in"].iter().any(|end| before.ends_with(end));
        if start < until || start == at || is_foreign || code[start..].starts_with(char::is_uppercase) {
            continue;
        }
        let mut depth = 0;
        let end = code[start..].find(|letter: char| {
            depth += i32::from(letter == '{') - i32::from(letter == '}');
            depth < 0 || (depth == 0 && !is_part(letter) && !matches!(letter, ':' | '{' | '}')) || letter == ';'
        });
        until = end.map_or(code.len(), |end| start + end);
        found.extend(expanded(&code[start..until]));
    }
    found
}

fn is_part(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// All paths of a tree such as `a::{b, c::{d, e}}`.
fn expanded(tree: &str) -> Vec<String> {
    let Some(open) = tree.find('{') else { return vec![tree.split(" as ").next().unwrap().trim().to_owned()] };
    let (head, mut rest) = (tree[..open].trim(), &tree[open + 1..tree.rfind('}').unwrap_or(tree.len())]);
    let mut paths = Vec::new();
    while !rest.trim().is_empty() {
        let mut depth = 0;
        let end = rest.char_indices().find(|&(_, letter)| {
            depth += i32::from(letter == '{') - i32::from(letter == '}');
            depth == 0 && letter == ','
        });
        let end = end.map_or(rest.len(), |(at, _)| at);
        paths.extend(expanded(&rest[..end]).iter().map(|path| format!("{head}{path}")));
        rest = rest.get(end + 1..).unwrap_or_default();
    }
    paths
}
