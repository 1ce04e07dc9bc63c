//! Text that stands in XML.

use std::fmt::{self, Display};

/// Adds to a text: `put!(out, "<p>{}</p>", text(name))`. Writing to a string does not fail.
macro_rules! put {
    ($out:expr, $($format:tt)*) => {{
        let _ = std::fmt::Write::write_fmt($out, format_args!($($format)*));
    }};
}
pub(super) use put;

/// A text as it stands in an element or in an attribute with double quotes. Characters that XML forbids become U+FFFD.
pub fn text(text: &str) -> impl Display + '_ {
    fmt::from_fn(move |f| {
        for c in text.chars() {
            match c {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                '\t' | '\n' | ' '..='\u{7e}' | '\u{a0}'..='\u{fffd}' | '\u{10000}'.. => write!(f, "{c}")?,
                _ => f.write_str("\u{fffd}")?,
            }
        }
        Ok(())
    })
}

/// A text with moves, escaped for an HTML page, in which no line breaks at the hyphen of a move.
pub fn prose(words: &str) -> impl Display + '_ {
    fmt::from_fn(move |f| {
        for (index, word) in words.split(' ').enumerate() {
            let gap = if index == 0 { "" } else { " " };
            match word.contains('-') {
                true => write!(f, "{gap}<span class=\"whole\">{}</span>", text(word))?,
                false => write!(f, "{gap}{}", text(word))?,
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_xml_would_take_for_markup_is_escaped() {
        assert_eq!(text("<&\"'>").to_string(), "&lt;&amp;&quot;&#39;&gt;");
        assert_eq!(text("\u{1b}[31m\u{0}\u{ffff}").to_string(), "\u{fffd}[31m\u{fffd}\u{fffd}");
        assert_eq!(text("先手 ▲ é 🙂\n").to_string(), "先手 ▲ é 🙂\n");
    }

    #[test]
    fn moves_in_prose_stay_in_one_line() {
        assert_eq!(prose("<was> P-6d.").to_string(), "&lt;was&gt; <span class=\"whole\">P-6d.</span>");
    }
}
