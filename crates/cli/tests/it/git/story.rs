//! The story in the guide about what a reviewer sees when array files change. Runs its blocks of commands in a
//! repository in which a scene has changed a file. `UPDATE_STORY=1` updates their output.

use super::array;
use super::repository::Repository;
use ndarray::Array3;
use ndbytes::b2nd::{Codec, Writer};
use ndbytes::idx;
use ndbytes_testkit::project;
use ndbytes_testkit::tables::made::trees;
use std::fs;
use std::path::Path;

const BEGIN: &str = "```console\n";

/// Ten pictures, in which one pixel can be changed.
fn digits(path: &Path, pixel: u8) {
    let mut pictures = Array3::from_shape_fn((10, 28, 28), |(number, row, column)| (number * row * column % 256) as u8);
    pictures[[3, 14, 13]] = pixel;
    idx::write(path, &pictures).unwrap();
}

fn field(path: &Path, blocks: [usize; 2], is_shuffled: bool) {
    let writer = Writer::new().chunks([72, 6]).blocks(blocks).codec(Codec::LZ4);
    let writer = if is_shuffled { writer } else { writer.filters([]) };
    writer.write(path, &array(None)).unwrap();
}

/// Commits the result of the previous scene and changes the files for the next one.
fn play(scene: &str, repository: &Repository) {
    let path = |name: &str| repository.root().join(name);
    repository.git(&["add", "--all"]);
    repository.git(&["commit", "-q", "--allow-empty", "-m", scene]);
    match scene {
        "begin" => {
            repository.tool(&["git", "setup"]);
            field(&path("field.b2nd"), [24, 3], true);
            digits(&path("digits-idx3-ubyte"), 255);
            repository.write("trees.idv", trees(&["oak", "fir", "beech", "alder"]));
            repository.commit("Files");
        }
        "blocks" => field(&path("field.b2nd"), [12, 6], true),
        "flag" => field(&path("field.b2nd"), [12, 6], false),
        "pixel" => digits(&path("digits-idx3-ubyte"), 170),
        "row" => repository.write("trees.idv", trees(&["oak", "spruce", "fir", "beech", "alder"])),
        "column" => {
            let renamed = trees(&["oak", "spruce", "fir", "beech", "alder"]);
            let place = renamed.windows(7).rposition(|bytes| bytes == b"Letters").unwrap();
            let renamed = [&renamed[..place], b"Lengths", &renamed[place + 7..]].concat();
            repository.write("trees.idv", renamed);
        }
        "cut" => {
            let whole = fs::read(path("digits-idx3-ubyte")).unwrap();
            repository.write("digits-idx3-ubyte", &whole[..2468]);
        }
        "comment" => {}
        other => panic!("there is no scene {other}"),
    }
}

/// Returns the output of a command without blob names, which mean nothing to a reader.
fn printed(command: &str, repository: &Repository) -> String {
    let ended = repository.shell(command);
    assert!(ended.status <= 1, "{command}: {}", ended.err);
    let lines = ended.out.lines().filter(|line| !line.starts_with("index "));
    lines.map(|line| format!("{line}\n")).collect()
}

#[test]
fn the_story_is_true() {
    let path = project().join("docs/src/story.md");
    let told = fs::read_to_string(&path).unwrap();
    let repository = Repository::new();
    let mut happened = String::new();
    let mut blocks = 0;
    let mut rest = told.as_str();
    while let Some((prose, block)) = rest.split_once(BEGIN) {
        for scene in prose.split("<!-- scene: ").skip(1) {
            play(scene.split(" -->").next().unwrap(), &repository);
        }
        let (block, after) = block.split_once("```\n").unwrap();
        happened += prose;
        happened += BEGIN;
        for command in block.lines().filter_map(|line| line.strip_prefix("$ ")) {
            happened += &format!("$ {command}\n{}", printed(command, &repository));
        }
        happened += "```\n";
        (rest, blocks) = (after, blocks + 1);
    }
    happened += rest;
    assert!(blocks >= 6, "{blocks} blocks");
    if std::env::var_os("UPDATE_STORY").is_some() {
        fs::write(&path, &happened).unwrap();
    }
    assert_eq!(fs::read_to_string(&path).unwrap(), happened);
}
