//! Values that differ from the bytes of a field.

use crate::label::Label;
use crate::mode::{self, RECORDED};
use crate::recorder;
use crate::reference::Layout;
use binrw::io::{Read, Seek};
use binrw::{BinResult, Endian};

/// Returns whether a map of the current file is being built.
fn is_mapped() -> bool {
    #[cfg(feature = "arbitrary")]
    if crate::generator::is_on() {
        return false;
    }
    mode::has(RECORDED)
}

/// Runs after a field. Sets the value of its node to the value that its bytes represent.
pub fn valued<V: Layout, R: Read + Seek>(
    name: &'static str,
    value: impl Fn() -> Result<V, String>,
) -> impl FnOnce(&mut R, Endian, ()) -> BinResult<()> {
    move |_, _, ()| {
        if is_mapped()
            && let Ok(value) = value()
        {
            recorder::set_last_value(name, &value.value());
        }
        Ok(())
    }
}

/// Runs after a calculated field. Creates a node with its value and without bytes.
pub fn calculated<V: Layout + Clone, R: Read + Seek>(
    label: &'static Label,
    value: &V,
) -> impl FnOnce(&mut R, Endian, ()) -> BinResult<()> {
    let value = is_mapped().then(|| value.clone());
    move |reader, _, ()| match value {
        Some(value) => recorder::field(reader, label, |_| Ok(value)).map(drop),
        None => Ok(()),
    }
}
