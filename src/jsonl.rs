//! Values that stand on a line of JSON each.

use serde::de::DeserializeOwned;

/// Why a line is not the value.
#[derive(Debug, thiserror::Error)]
#[error("column {column}: {message}")]
pub struct JsonLineError {
    /// The byte, from 1, with which the error ends; 0 where none can be named.
    pub column: usize,
    pub message: String,
}

/// Reads the value on a line, with or without the line's end.
///
/// # Errors
/// [`JsonLineError`], which does not number the line: the caller knows its number.
pub fn parse<T: DeserializeOwned>(line: &[u8]) -> Result<T, JsonLineError> {
    serde_json::from_slice(line.strip_suffix(b"\n").unwrap_or(line)).map_err(|error| {
        let text = error.to_string();
        // serde_json ends its text with a place.
        let message = text.rsplit_once(" at line ").map_or(text.as_str(), |(message, _)| message);
        JsonLineError { column: error.column(), message: message.to_owned() }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_the_column() {
        assert_eq!(parse::<[u32; 2]>(b"[1, 2]\n").unwrap(), [1, 2]);
        for (line, error) in [
            (&b"[1, x]\n"[..], "column 5: expected value"),
            (b"[1, 2\n", "column 5: EOF while parsing a list"),
            (b"{}", "column 0: invalid type: map, expected an array of length 2"),
        ] {
            assert_eq!(parse::<[u32; 2]>(line).unwrap_err().to_string(), error);
        }
    }
}
