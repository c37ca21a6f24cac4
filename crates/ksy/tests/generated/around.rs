// Made by `everybyte spec rust` from the specification `around`.

#[everybyte::layout]
pub struct Around {
    pub header: Header,
    #[br(count = 2, args { inner: (i128::from(header.version), i128::from(header.width) > 1, if i128::from(header.width) > 1 { 2 } else { 1 }) })]
    pub tables: Vec<Table>,
}

impl everybyte::Format for Around {
    const NAME: &'static str = "around";
}

#[everybyte::layout]
pub struct Header {
    pub version: u8,
    pub width: u8,
}

#[everybyte::layout]
#[br(import(version: i128, root_header_is_wide: bool, root_header_columns: i128))]
pub struct Table {
    pub rows: u8,
    #[br(if(root_header_is_wide), count = rows)]
    pub name: Vec<u8>,
    #[br(count = rows, args { inner: (version, root_header_columns) })]
    pub cells: Vec<Cell>,
}

#[everybyte::layout]
#[br(import(parent_version: i128, root_header_columns: i128))]
pub struct Cell {
    pub mark: u8,
    #[br(if(parent_version > 1))]
    pub flag: Option<u8>,
    #[br(count = root_header_columns)]
    pub data: Vec<u8>,
}
