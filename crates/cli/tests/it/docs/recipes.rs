//! Runs the recipes on the pages, each command of each block word for word, in a directory with the files that it names.
//!
//! Each page has its own directory, a repository with copies of the samples. Its blocks run in order. The commands of
//! its stage create everything else that the page mentions. Commands that are not run are in a table, with the reasons.
//! `UPDATE_STORY=1` updates the output of the commands.

use super::{compare_picture, links, pages};
use crate::git::repository::Repository;
use ndbytes::idv::{ColumnType, ItemType, NewColumn, Values, Writer};
use ndbytes_testkit::project;
use ndbytes_testkit::zip::{Entry, zip};
use std::collections::BTreeSet;
use std::fs;
use std::io::Cursor;
use std::path::Path;

/// Pages whose blocks other tests run.
const RUN_ELSEWHERE: [(&str, &str); 7] = [
    ("docs/src/fuzz-your-reader.md", "crates/cli/tests/it/guide.rs runs it, with the engines that it needs"),
    ("docs/src/story.md", "crates/cli/tests/it/git/story.rs plays it"),
    ("docs/src/sql.md", "crates/sql/tests/it/program.rs runs it"),
    ("crates/sql/README.md", "crates/sql/tests/it/program.rs runs it"),
    ("everybyte/README.md", "everybyte/tests/engine/readme.rs runs its program"),
    ("everybyte/ksy/README.md", "has the commands of docs/src/kaitai.md"),
    ("docs/src/kaitai.md", "everybyte/ksy/tests/it/guide.rs runs it"),
];

const SERVED: &str = "needs a server: those of crates/stores/tests/stores and crates/cli/tests/it/tool/urls.rs";

/// Lines that are not run, and why.
const NOT_RUN: [(&str, &str); 15] = [
    ("cargo run --locked --no-default-features -- explain samples/digits-idx3-ubyte.gz", "builds the tool"),
    ("cargo test --workspace --locked", "runs this test"),
    ("cargo install --locked --path crates/cli", "installs the tool"),
    ("pip install ndbytes", "installs the package"),
    ("python -m ndbytes check FOLDER        # 0: no errors, 1: broken files", "needs the package, whose tests run it"),
    ("python -m ndbytes check --depth structure FOLDER", "needs the package, whose tests run it"),
    ("ndbytes convert IN… OUT", "is the form of a command"),
    ("python3 check.py idx ./your-reader", "needs a reader: crates/cli/tests/it/guide.rs runs the script on two"),
    ("ndbytes check https://example.org/train-images-idx3-ubyte.gz", SERVED),
    ("ndbytes cat 's3://bucket/field.b2nd[6:12, :]'", SERVED),
    ("ndbytes check --depth structure s3://bucket/lake/          # everything below it", SERVED),
    ("ndbytes convert 's3://bucket/model.zip!TrainSchema' table.parquet", SERVED),
    ("ndbytes check --format parquet --table files --out monday.parquet s3://bucket/lake/", SERVED),
    (
        "ndbytes check --format parquet --table files --out tuesday.parquet --since monday.parquet s3://bucket/lake/",
        SERVED,
    ),
    ("ndbytes check --format json crashes/ | jq -r '.findings[].rule' | sort | uniq -c", "needs jq"),
];

/// The commands that create the other files that a page, or the pages of a directory, name. `$ACTION` is the directory
/// of the project.
const STAGES: [(&str, &str); 11] = [
    (
        "docs/src/ci.md",
        "rm interrupted-idx3-ubyte; mkdir data; cp digits-idx1-ubyte data/digits.idx; cp surface.ra data",
    ),
    (
        "docs/src/convert.md",
        "cp digits-idx3-ubyte.gz train-images-idx3-ubyte.gz; cp temperatures.b2nd field.b2nd
         ndbytes convert surface.ra monday.npy; cp monday.npy tuesday.npy
         ndbytes convert digits-idx1-ubyte labels.npy
         digits=digits-idx3-ubyte.gz; ndbytes convert $digits $digits $digits $digits images.idx
         mkdir scans; ndbytes convert 'images.idx[0]' scans/0.png; ndbytes convert 'images.idx[1]' scans/1.png
         cp trees.idv monday.idv; cp trees.idv tuesday.idv; printf 'Name,Height\\noak,30.5\\nfir,41\\n' > trees.csv",
    ),
    ("docs/src/commands", "mkdir data; cp surface.ra data; ndbytes convert digits-idx1-ubyte labels.npy"),
    ("docs/src/fix.md", "mkdir data; cp interrupted-idx3-ubyte surface.ra data"),
    (
        "docs/src/show.md",
        "cp digits-idx3-ubyte.gz images-idx3-ubyte.gz; ndbytes convert surface.ra field.npy
         gunzip < digits-idx3-ubyte.gz > images.idx; ndbytes convert images.idx volume.b2nd
         ndbytes convert surface.ra old.npy; ndbytes convert 'surface.ra[::-1]' new.npy",
    ),
    (
        "docs/src/lakes.md",
        "mkdir data; ndbytes convert surface.ra data/a.npy
         ndbytes check data/a.npy --format parquet --table files --out monday.parquet",
    ),
    (
        "docs/src/cookbook/mnist.md",
        "cp digits-idx3-ubyte.gz train-images-idx3-ubyte.gz; cp interrupted-idx3-ubyte broken-idx3-ubyte
         mkdir mirror-a mirror-b; cp train-images-idx3-ubyte.gz mirror-a
         gunzip < digits-idx3-ubyte.gz > mirror-b/train-images-idx3-ubyte
         ndbytes convert digits-idx3-ubyte.gz mirror-b/train-images.npy",
    ),
    ("docs/src/cookbook/model-zip.md", "cp model.zip old.zip; cp model.zip new.zip"),
    (
        "docs/src/cookbook/nnunet.md",
        "mkdir -p nnUNet_preprocessed/Dataset042; cp temperatures.b2nd nnUNet_preprocessed/Dataset042/case_0001.b2nd",
    ),
    ("docs/src/cookbook/seals.md", "mkdir data; cp temperatures.b2nd surface.ra data"),
    (
        "docs/src/start",
        "cp interrupted-idx3-ubyte download-idx3-ubyte; mkdir data; cp surface.ra data
         for name in yours seed crash; do cp temperatures.b2nd $name.b2nd; done
         mkdir -p ../tests/pairs; cp -r \"$ACTION/tests/pairs/idv\" ../tests/pairs
         mkdir old new; cp surface.ra trees.idv old; cp surface.ra new",
    ),
];

/// Stand-ins for third-party commands in the recipes: the reader's own program, and a server.
const STAND_INS: &str = "set -euo pipefail
consumer() { cat > /dev/null; }
curl() { cat field.b2nd; }
";

/// A block of commands, possibly with their output.
struct Block {
    commands: Vec<(String, Option<String>)>,
}

/// The shell blocks of a page.
fn blocks(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let is_console = line == "```console";
        if line != "```sh" && !is_console {
            continue;
        }
        let mut commands: Vec<(String, Option<String>)> = Vec::new();
        for line in lines.by_ref().take_while(|line| *line != "```") {
            match (commands.last_mut(), line.strip_prefix("$ ").filter(|_| is_console)) {
                (_, Some(typed)) => commands.push((typed.to_owned(), Some(String::new()))),
                (Some((_, Some(shown))), None) => *shown += &format!("{line}\n"),
                (Some((command, None)), None) if command.ends_with('\\') => *command += &format!("\n{line}"),
                (_, None) => commands.push((line.to_owned(), None)),
            }
        }
        blocks.push(Block { commands });
    }
    blocks
}

/// An archive as ML.NET saves a model, with a table of labels and features.
fn model() -> Vec<u8> {
    let columns = [
        NewColumn::new("Label", ColumnType::scalar(ItemType::Bool)),
        NewColumn::new("Features", ColumnType::vector(ItemType::F32, [2])),
    ];
    let mut writer = Writer::new(columns).begin(Cursor::new(Vec::new())).unwrap();
    let values = [Values::scalars(vec![true, false]), Values::dense(vec![0.5_f32, 1.5, 2.5, 3.5], 2).unwrap()];
    writer.write(&values).unwrap();
    let table = writer.finish_sink().unwrap().into_inner();
    zip(&[
        Entry::deflated("TrainingInfo\\Version.txt", b"1.7.0\r\n"),
        Entry::deflated("TrainSchema", &table),
        Entry::deflated("TransformerChain\\Transform_000\\TrainSchema", &table),
    ])
}

/// A directory with the samples and the files that the page names.
fn staged(page: &str) -> Repository {
    let repository = Repository::new();
    for entry in fs::read_dir(project().join("samples")).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, repository.root().join(path.file_name().unwrap())).unwrap();
    }
    repository.write("model.zip", model());
    for (of, stage) in STAGES {
        if page.starts_with(of) {
            let ended = run(&repository, stage);
            assert_eq!(ended.status, 0, "{page}: {stage}: {}", ended.err);
        }
    }
    repository
}

fn run(repository: &Repository, command: &str) -> crate::git::repository::Ended {
    fs::write(repository.aside("line.sh"), format!("{STAND_INS}{command}\n")).unwrap();
    repository.shell("bash ../line.sh")
}

/// Runs a command and returns its output. `check` and `diff` end with 1 if there are findings or differences;
/// everything else must succeed.
fn printed(repository: &Repository, page: &str, command: &str) -> String {
    let ended = run(repository, command);
    let may_find = ["ndbytes check", "ndbytes diff"].iter().any(|of| command.starts_with(of));
    let is_right = ended.status == 0 || ended.status == 1 && may_find;
    assert!(is_right, "{page}: {command}: {}: {}{}", ended.status, ended.out, ended.err);
    format!("{}{}", ended.out, ended.err)
}

#[test]
fn commands_of_all_pages_run_word_for_word() {
    let mut documents = pages(&project().join("docs/src"));
    documents.extend(fs::read_dir(project().join("crates")).unwrap().map(|it| it.unwrap().path().join("README.md")));
    documents.extend(["README.md", "everybyte/README.md", "everybyte/ksy/README.md"].map(|page| project().join(page)));
    documents.sort();
    let (mut ran, mut compared, mut left_out, mut elsewhere) = (0, 0, BTreeSet::new(), BTreeSet::new());
    let is_updated = std::env::var_os("UPDATE_STORY").is_some();
    for path in documents.iter().filter(|path| path.exists()) {
        let mut text = fs::read_to_string(path).unwrap();
        let blocks = blocks(&text);
        let page = path.strip_prefix(project()).unwrap().to_str().unwrap();
        if blocks.is_empty() {
            continue;
        }
        if RUN_ELSEWHERE.iter().any(|(of, _)| *of == page) {
            elsewhere.insert(page.to_owned());
            continue;
        }
        let repository = staged(page);
        for (command, shown) in blocks.into_iter().flat_map(|block| block.commands) {
            if NOT_RUN.iter().any(|(line, _)| *line == command) {
                left_out.insert(command);
                continue;
            }
            let printed = printed(&repository, page, &command);
            if let Some(shown) = shown {
                let [before, after] = [&shown, &printed].map(|output| format!("$ {command}\n{output}"));
                text = text.replacen(&before, &after, 1);
                assert!(is_updated || printed == shown, "{page}: {command}: it prints\n{printed}and not\n{shown}");
            }
            ran += 1;
        }
        if is_updated {
            fs::write(path, text).unwrap();
        }
        // The pictures on a page are made by its commands.
        for picture in links(path).iter().filter(|link| link.ends_with(".svg")) {
            let made = repository.root().join(Path::new(picture).file_name().unwrap());
            if made.is_file() {
                compare_picture(picture, &fs::read_to_string(made).unwrap());
                compared += 1;
            }
        }
    }
    assert_eq!(compared, 7, "pictures");
    // Everything in the tables must occur on a page.
    assert!(RUN_ELSEWHERE.iter().all(|(page, _)| elsewhere.contains(*page)), "{elsewhere:?}");
    assert!(NOT_RUN.iter().all(|(line, _)| left_out.contains(*line)), "{left_out:?}");
    assert!(ran > 40, "{ran} commands");
}
