//! Builds safetensors files.

/// A tensor: its name, in characters that JSON does not escape, and its description in the header.
#[derive(Debug, Clone)]
pub(super) struct Tensor {
    pub name: String,
    pub dtype: &'static str,
    pub shape: Vec<u64>,
    pub bytes: Vec<u8>,
}

impl Tensor {
    /// Returns its entry in the header, for bytes that begin at this offset.
    pub fn entry(&self, start: usize) -> String {
        self.entry_of(&[start, start + self.bytes.len()])
    }

    /// Returns an entry with other offsets.
    pub fn entry_of(&self, offsets: &[usize]) -> String {
        let axes: Vec<String> = self.shape.iter().map(u64::to_string).collect();
        let offsets: Vec<String> = offsets.iter().map(usize::to_string).collect();
        let (name, dtype) = (&self.name, self.dtype);
        format!(
            "\"{name}\":{{\"dtype\":\"{dtype}\",\"shape\":[{}],\"data_offsets\":[{}]}}",
            axes.join(","),
            offsets.join(",")
        )
    }
}

/// Returns the entries of contiguous tensors, and their bytes.
pub(super) fn laid_out(tensors: &[Tensor]) -> (Vec<String>, Vec<u8>) {
    let (mut entries, mut data) = (Vec::new(), Vec::new());
    for tensor in tensors {
        entries.push(tensor.entry(data.len()));
        data.extend(&tensor.bytes);
    }
    (entries, data)
}

/// Returns the header with some entries, padded like the reference writer's.
pub(super) fn header(entries: &[String]) -> String {
    let header = format!("{{{}}}", entries.join(","));
    let padded = header.len().next_multiple_of(8);
    format!("{header:padded$}")
}

/// Builds a file with this header.
pub(super) fn with_header(header: &str, data: &[u8]) -> Vec<u8> {
    [&(header.len() as u64).to_le_bytes(), header.as_bytes(), data].concat()
}
