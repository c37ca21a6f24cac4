//! The tool with the real git, in separate repositories: how git uses the text of a file, and the reasons for the form of the text.

mod cache;
mod driver;
#[cfg(feature = "convert")]
mod merge;
pub mod repository;
mod setup;
mod story;
mod textconv;

use ndarray::Array2;
use ndbytes::b2nd::{self, Codec};
use repository::Repository;

/// An array of 168 rows, in which one item can be replaced.
fn array(changed: Option<(usize, f32)>) -> Array2<f32> {
    let mut array = Array2::from_shape_fn((168, 6), |(row, column)| (row * 6 + column) as f32 / 4.0);
    if let Some((item, number)) = changed {
        array.as_slice_mut().unwrap()[item] = number;
    }
    array
}

fn b2nd_of(array: &Array2<f32>, codec: Codec) -> Vec<u8> {
    b2nd::Writer::new().chunks([72, 6]).blocks([24, 3]).codec(codec).to_vec(array).unwrap()
}

/// A repository with the driver, in which `git diff` compares texts.
fn repository_of_texts() -> Repository {
    let repository = repository();
    repository.git(&["config", "--unset", "diff.ndbytes.command"]);
    repository
}

/// A repository with the driver.
fn repository() -> Repository {
    let repository = Repository::new();
    repository.tool(&["git", "setup"]);
    repository.commit("The driver");
    repository
}
