//! What the tool says of every file of the corpus, word for word. `cargo insta review` shows what has changed.

mod support;

use insta::{Settings, assert_snapshot};
use support::corpus::{self, Sample};
use support::tool;

#[test]
fn every_file_of_the_corpus() {
    for sample in corpus::everything() {
        let mut text = format!("{}\n", sample.recipe.title);
        for command in ["info", "explain", "cat"] {
            if command == "cat" && sample.folder == "bad" {
                continue;
            }
            text += &transcript(command, &sample);
        }
        snapshot(&format!("{}__{}__{}", sample.format, sample.folder, sample.name), &text);
    }
}

#[test]
fn the_rule_catalogue() {
    snapshot("rules", &tool::run(&["rules"]).stdout);
}

#[test]
fn the_field_reference() {
    for format in ["idx", "rawarray", "idv", "b2nd", "gzip"] {
        snapshot(&format!("schema__{format}"), &tool::run(&["schema", format]).stdout);
    }
}

#[test]
fn the_help() {
    let mut text = tool::run(&["--help"]).stdout;
    for command in ["info", "check", "explain", "cat", "export", "rules", "schema"] {
        text += &format!("\n$ ndbytes {command} --help\n{}", tool::run(&[command, "--help"]).stdout);
    }
    snapshot("help", &text);
}

/// A command as a user would type it in the corpus, with everything that it prints.
fn transcript(command: &str, sample: &Sample) -> String {
    let path = sample.path.strip_prefix(corpus::root()).unwrap().to_str().unwrap().replace('\\', "/");
    let memory = sample.recipe.memory.map(|memory| memory.to_string());
    let mut arguments = vec![command];
    if let Some(memory) = &memory {
        arguments.extend(["--max-memory", memory]);
    }
    arguments.push(&path);
    let ended = tool::run(&arguments);
    let typed = arguments.join(" ");
    format!("\n$ ndbytes {typed}    [exit {}]\n{}{}", ended.status, ended.stdout, ended.stderr)
}

fn snapshot(name: &str, text: &str) {
    let mut settings = Settings::clone_current();
    settings.set_snapshot_path("../snapshots");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| assert_snapshot!(name, text));
}
