//! Several recipes in one file, each of which begins with a line `[NAME]`.

use std::path::{Component, Path};

/// The recipe of one file of a family.
#[derive(Debug, PartialEq, Eq)]
pub struct Member<'a> {
    /// The name of the file. The name of a directory ends with `/`.
    pub name: &'a str,
    /// The recipe, without the line with its name.
    pub text: String,
    /// The number of the line with its name.
    pub line: usize,
}

/// The recipes of a family, in order. An error begins with the number of its line.
pub fn members(text: &str) -> Result<Vec<Member<'_>>, String> {
    let mut members: Vec<Member<'_>> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            if !is_plain(name) || members.iter().any(|member| member.name == name) {
                return Err(format!("line {}: `{name}` is not a name, or is there twice", index + 1));
            }
            members.push(Member { name, text: String::new(), line: index + 1 });
            continue;
        }
        match members.last_mut() {
            Some(member) => {
                member.text += line;
                member.text.push('\n');
            }
            None if line.is_empty() => {}
            None => return Err(format!("line {}: `[NAME]` has to come first", index + 1)),
        }
    }
    for member in &mut members {
        let end = member.text.trim_end_matches('\n').len();
        member.text.truncate(end);
        member.text.push('\n');
    }
    Ok(members)
}

/// True if the file is inside the target directory.
fn is_plain(name: &str) -> bool {
    !name.is_empty() && Path::new(name).components().all(|part| matches!(part, Component::Normal(_)))
}
