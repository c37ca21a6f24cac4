//! Independent readers of converted files: NumPy, python-blosc2, idx2numpy, safetensors and Pillow.

use crate::support::project;
use std::process::Command;

#[test]
#[ignore = "needs the peers that tests/peers/setup.sh installs"]
fn converted_files_are_equal_to_independent_readers() {
    let python = project().join("target/peers/venv/bin/python");
    assert!(python.exists(), "{} is missing: run tests/peers/setup.sh", python.display());
    let mut command = Command::new(python);
    command.env("PYTHONDONTWRITEBYTECODE", "1").arg(project().join("tests/peers/converted.py"));
    let output = command.arg(env!("CARGO_BIN_EXE_ndbytes")).output().unwrap();
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{}\n{out}{err}", output.status);
}

#[test]
#[ignore = "needs the peers that tests/peers/setup.sh installs"]
fn zarr_stores_are_equal_to_those_of_zarr_python() {
    let python = project().join("target/peers/venv/bin/python");
    assert!(python.exists(), "{} is missing: run tests/peers/setup.sh", python.display());
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(python);
    command.env("PYTHONDONTWRITEBYTECODE", "1").arg(project().join("tests/peers/zarr_check.py"));
    command.arg(env!("CARGO_BIN_EXE_ndbytes")).arg(folder.path().join("arrays")).arg("150");
    let output = command.output().unwrap();
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{}\n{out}{err}", output.status);
    assert!(out.ends_with("150 arrays, 0 differ\n"), "{out}");
}
