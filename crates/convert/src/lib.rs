//! Converts arrays and tables between the formats of ndbytes and those of others.
