use everybyte::{Format, bytes::Bytes, layout};

/// Settings: names and their values.
#[layout]
#[brw(little, magic = b"CONF")]
struct Conf {
    /// 1, the only version so far.
    #[br(assert(version == 1, "version {version} is not known"))]
    version: u16,
    /// Number of settings.
    #[br(temp)]
    #[bw(try_calc = u16::try_from(settings.len()))]
    count: u16,
    #[br(count = count)]
    settings: Vec<Setting>,
}

/// One setting.
#[layout]
#[brw(little)]
struct Setting {
    unit: Unit,
    /// Bytes of the name.
    #[layout(extent = name)]
    name_length: u8,
    #[br(args { length: name_length.into() })]
    name: Bytes,
    value: u32,
}

/// The unit of a value.
#[layout]
#[brw(repr = u8)]
enum Unit {
    /// A plain number.
    Number = 1,
    /// Seconds.
    Seconds = 2,
}

impl Format for Conf {
    const NAME: &'static str = "CONF";
}

fn main() -> std::process::ExitCode {
    everybyte::tool::main::<Conf>()
}

#[test]
fn any_settings_are_kept() {
    everybyte::fuzzing::values::<Conf>(1000);
}
