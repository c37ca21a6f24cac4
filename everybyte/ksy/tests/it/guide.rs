//! The commands of the guide print what it says.

use std::path::Path;
use std::process::Command;

/// Returns the blocks of a page, each with its language and its lines.
fn blocks(page: &str) -> Vec<(String, Vec<String>)> {
    let (mut blocks, mut open): (Vec<(String, Vec<String>)>, bool) = (Vec::new(), false);
    for line in page.lines() {
        match line.strip_prefix("```") {
            Some(language) if !open => blocks.push((language.to_owned(), Vec::new())),
            Some(_) => {}
            None if open => blocks.last_mut().unwrap().1.push(line.to_owned()),
            None => continue,
        }
        open = !open || !line.starts_with("```");
    }
    blocks
}

/// Returns the output of a command, without spaces at the ends of lines.
fn output(folder: &Path, command: &str) -> Vec<String> {
    let program = Path::new(env!("CARGO_BIN_EXE_everybyte")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    let run =
        Command::new("bash").args(["-c", &format!("{command} 2>&1")]).current_dir(folder).env("PATH", path).output();
    let printed = String::from_utf8(run.unwrap().stdout).unwrap();
    printed.trim_end().lines().map(|line| line.trim_end().to_owned()).collect()
}

#[test]
fn commands_of_the_guide_print_what_it_says() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/src/kaitai.md");
    let page = std::fs::read_to_string(page).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut commands = 0;
    for (language, lines) in blocks(&page) {
        match &*language {
            "yaml" => std::fs::write(folder.path().join("packets.ksy"), lines.join("\n") + "\n").unwrap(),
            "console" => {
                let mut lines = lines.into_iter().peekable();
                while let Some(line) = lines.next() {
                    let command = line.strip_prefix("$ ").unwrap().to_owned();
                    let mut wanted = Vec::new();
                    while let Some(line) = lines.next_if(|line| !line.starts_with("$ ")) {
                        wanted.push(line);
                    }
                    assert_eq!(output(folder.path(), &command), wanted, "{command}");
                    commands += 1;
                }
            }
            _ => {}
        }
    }
    assert_eq!(commands, 31);
}
