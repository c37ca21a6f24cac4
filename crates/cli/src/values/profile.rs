//! The names of the profiles.

use ndbytes::Profile;

#[derive(Debug, Clone, Copy, Default, clap::ValueEnum)]
pub enum ProfileArgument {
    /// Apply the specification.
    #[default]
    Strict,
    /// Predict what the format's reference reader does: an error if it refuses the file, at most a warning if it
    /// accepts the file, and `unforeseen` if its behaviour cannot be predicted.
    Reference,
}

impl From<ProfileArgument> for Profile {
    fn from(profile: ProfileArgument) -> Self {
        match profile {
            ProfileArgument::Strict => Profile::Strict,
            ProfileArgument::Reference => Profile::Reference,
        }
    }
}
