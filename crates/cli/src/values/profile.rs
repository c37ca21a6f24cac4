//! The profile, by its name.

use ndbytes::Profile;

#[derive(Debug, Clone, Copy, Default, clap::ValueEnum)]
pub enum ProfileArgument {
    /// The specification's.
    #[default]
    Strict,
    /// The reference reader's: what it refuses is an error, what it accepts is at most a warning. Where nobody can foresee
    /// its reaction, there is no verdict.
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
