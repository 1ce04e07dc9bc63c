//! The types of options in USI, UCI and CECP, common to the engine's own options and the protocols.

/// The type of an engine's option, with its default and range.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // The names of the fields are USI's words.
pub enum OptionKind {
    /// On or off.
    Check { default: bool },
    /// An integer.
    Spin { default: i64, min: i64, max: i64 },
    /// One of several words.
    Combo { default: String, choices: Vec<String> },
    /// Any text.
    String { default: String },
    /// The path of a file.
    Filename { default: String },
    /// An action without a value.
    Button,
}
