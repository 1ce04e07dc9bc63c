//! JSON lines: one value per line.

use serde::de::DeserializeOwned;

/// The reason why a line is not the value.
#[derive(Debug, thiserror::Error)]
#[error("column {column}: {message}")]
pub struct JsonLineError {
    /// The byte, from 1, at which the error ends; 0 if unknown.
    pub column: usize,
    pub message: String,
}

/// Reads the value on a line, with or without the line end.
///
/// # Errors
/// [`JsonLineError`], without the line number, which the caller knows.
pub fn parse<T: DeserializeOwned>(line: &[u8]) -> Result<T, JsonLineError> {
    let text = std::str::from_utf8(line.strip_suffix(b"\n").unwrap_or(line))
        .map_err(|error| JsonLineError { column: error.valid_up_to() + 1, message: "invalid UTF-8".to_owned() })?;
    serde_json::from_str(text).map_err(|error| {
        let text = error.to_string();
        // serde_json ends its text with a position.
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
