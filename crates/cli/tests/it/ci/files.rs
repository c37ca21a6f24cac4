//! The files that call the tool in continuous integration: the action, the pre-commit hook, the workflows, and the
//! examples in the guide.

use super::{folder, put};
use crate::support::tool;
use ndbytes_testkit::project;
use saphyr::{LoadableYamlNode, YamlOwned};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn yaml(text: &str, what: &str) -> YamlOwned {
    let mut documents = YamlOwned::load_from_str(text).unwrap_or_else(|error| panic!("{what}: {error}"));
    assert_eq!(documents.len(), 1, "{what}");
    documents.remove(0)
}

fn read(path: &str) -> String {
    fs::read_to_string(project().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The steps of the action.
fn steps() -> Vec<YamlOwned> {
    yaml(&read("action.yml"), "action.yml")["runs"]["steps"].as_sequence().unwrap().clone()
}

fn text<'y>(node: &'y YamlOwned, key: &str) -> Option<&'y str> {
    node.as_mapping_get(key).and_then(|value| value.as_str())
}

#[test]
fn workflows_are_yaml() {
    let folder = fs::read_dir(project().join(".github/workflows")).unwrap();
    for path in folder.map(|entry| entry.unwrap().path()) {
        let workflow = yaml(&fs::read_to_string(&path).unwrap(), &path.display().to_string());
        let jobs = workflow["jobs"].as_mapping().unwrap();
        assert!(jobs.values().all(|job| job["runs-on"].as_str().is_some()), "{}", path.display());
    }
}

#[test]
fn examples_of_the_guide_are_yaml_and_name_what_is_there() {
    let guide = read("docs/src/ci.md");
    let inputs = yaml(&read("action.yml"), "action.yml");
    let examples: Vec<&str> =
        guide.split("```yaml\n").skip(1).map(|rest| rest.split("\n```").next().unwrap()).collect();
    assert!(examples.len() >= 3, "{}", examples.len());
    let mut actions = 0;
    for example in examples {
        let example = yaml(example, example);
        let jobs = example.as_mapping_get("jobs").and_then(|jobs| jobs.as_mapping());
        for job in jobs.into_iter().flat_map(|jobs| jobs.values()) {
            for step in job["steps"].as_sequence().unwrap() {
                if text(step, "uses").is_some_and(|uses| uses.contains("ndbytes")) {
                    let with = step.as_mapping_get("with").and_then(|with| with.as_mapping());
                    let names = with.into_iter().flat_map(|with| with.keys()).map(|name| name.as_str().unwrap());
                    names.for_each(|name| assert!(inputs["inputs"].as_mapping_get(name).is_some(), "{name}"));
                    actions += 1;
                }
            }
        }
    }
    assert!(actions > 0, "no example uses the action");
}

#[test]
fn the_action_takes_no_text_into_its_scripts() {
    for step in steps() {
        // `run` is a script, so an interpolated value could inject code.
        assert!(!text(&step, "run").unwrap_or_default().contains("${{"), "{step:?}");
        for script in text(&step, "run").unwrap_or_default().split("\"$SCRIPTS/").skip(1) {
            let name = script.split('"').next().unwrap();
            assert!(project().join(".github/scripts").join(name).is_file(), "{name}");
        }
    }
    assert!(steps().len() >= 5);
}

#[test]
fn the_hook_of_pre_commit_checks_the_files_that_it_gets() {
    let hooks = yaml(&read(".pre-commit-hooks.yaml"), ".pre-commit-hooks.yaml");
    let hook = &hooks.as_sequence().unwrap()[0];
    assert_eq!((text(hook, "id"), text(hook, "language")), (Some("ndbytes-check"), Some("system")));
    let entry: Vec<&str> = text(hook, "entry").unwrap().split(' ').collect();
    assert_eq!(entry[0], "ndbytes");
    let folder = folder(&[("good.idx", "idx/ok/u8-2d.idx"), ("warned.idx", "idx/ok/scalar-u8.idx")]);
    let status = |file: &str| {
        let arguments: Vec<&str> = entry[1..].iter().copied().chain([file]).collect();
        tool::run_in(folder.path(), &arguments).status
    };
    assert_eq!([status("good.idx"), status("warned.idx")], [0, 1]);
}

/// A directory at the front of the search path, with the tool and these scripts.
pub fn programs(scripts: &[(&str, &str)]) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let tool = format!("#!/bin/sh\nexec '{}' \"$@\"\n", tool::PATH);
    for (name, script) in [("ndbytes", &*tool)].into_iter().chain(scripts.iter().copied()) {
        put(folder.path(), name, script.as_bytes());
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            fs::set_permissions(folder.path().join(name), fs::Permissions::from_mode(0o700)).unwrap();
        }
    }
    let path = format!("{}:{}", folder.path().display(), std::env::var("PATH").unwrap());
    (folder, path)
}

/// Runs a script of the action in a directory.
pub fn script(name: &str, folder: &Path, path: &str, arguments: &[&str], variables: &[(&str, &str)]) -> Output {
    let script: PathBuf = project().join(".github/scripts").join(name);
    let mut command = Command::new("bash");
    command.arg(script).args(arguments).current_dir(folder).env("PATH", path).env("NO_COLOR", "1");
    command.env_remove("GITHUB_STEP_SUMMARY").env("GIT_CONFIG_NOSYSTEM", "1").env("HOME", folder);
    command.envs(variables.iter().copied()).output().unwrap()
}

#[cfg(unix)]
#[test]
fn the_check_of_the_action_annotates_and_writes_sarif() {
    let folder = folder(&[("a b/bad.idx", "idx/bad/trailing-one.idx"), ("good.idx", "idx/ok/u8-2d.idx")]);
    let (_kept, path) = programs(&[]);
    let outputs = folder.path().join("outputs");
    let variables = |paths: &'static str| {
        [
            ("PATHS", paths),
            ("ARGUMENTS", "--deny-warnings\n"),
            ("SARIF", "log.sarif"),
            ("GITHUB_OUTPUT", outputs.to_str().unwrap()),
        ]
    };
    let ended = script("check.sh", folder.path(), &path, &[], &variables("a b\ngood.idx\n"));
    assert!(ended.status.success(), "{ended:?}");
    assert!(
        String::from_utf8(ended.stdout).unwrap().starts_with("::error file=a b/bad.idx,title=idx/trailing-bytes::")
    );
    assert_eq!(fs::read_to_string(&outputs).unwrap(), "status=1\n");
    let log: serde_json::Value = serde_json::from_slice(&fs::read(folder.path().join("log.sarif")).unwrap()).unwrap();
    assert_eq!(log["runs"][0]["results"].as_array().unwrap().len(), 1);
    fs::remove_file(&outputs).unwrap();
    script("check.sh", folder.path(), &path, &[], &variables("good.idx"));
    assert_eq!(fs::read_to_string(&outputs).unwrap(), "status=0\n");
}

#[cfg(unix)]
#[test]
fn one_comment_is_written_and_then_edited() {
    // A fake `gh` that records its arguments. If comments are listed, it prints the file `comments`.
    let gh =
        "#!/bin/sh\nprintf '%s ' \"$@\" >> calls\necho >> calls\ncase \"$*\" in *--paginate*) cat comments;; esac\n";
    let (_kept, path) = programs(&[("gh", gh)]);
    let run = |comments: &str, files: &str| {
        let folder = tempfile::tempdir().unwrap();
        put(folder.path(), "comments", comments.as_bytes());
        let variables = [("GITHUB_REPOSITORY", "o/r"), ("PULL_REQUEST", "7")];
        let ended = script("comment.sh", folder.path(), &path, &["comment.md", files], &variables);
        assert!(ended.status.success(), "{ended:?}");
        let calls = fs::read_to_string(folder.path().join("calls")).unwrap();
        calls.lines().skip(1).map(|line| line.trim_end().to_owned()).collect::<Vec<_>>()
    };
    let write = "api --silent --method POST repos/o/r/issues/7/comments -F body=@comment.md";
    let edit = "api --silent --method PATCH repos/o/r/issues/comments/31 -F body=@comment.md";
    assert_eq!(run("", "2"), [write]);
    assert_eq!(run("31\n32\n", "2"), [edit]);
    assert_eq!(run("31\n", "0"), [edit]);
    assert_eq!(run("", "0"), Vec::<String>::new());
}
