//! Parsers of words, which all protocols use.

use nom::bytes::complete::{take_till1, take_while};
use nom::combinator::verify;
use nom::sequence::preceded;
use nom::{IResult, Parser};

pub(super) fn word(input: &str) -> IResult<&str, &str> {
    preceded(take_while(char::is_whitespace), take_till1(char::is_whitespace)).parse(input)
}

/// Parses the next word if it is this one.
pub(super) fn keyword<'a>(
    expected: &'static str,
) -> impl Parser<&'a str, Output = &'a str, Error = nom::error::Error<&'a str>> {
    verify(word, move |word: &str| word == expected)
}

/// The result of a parser, or a default instead of its error.
pub(super) fn infallible<T>(result: IResult<&str, T>, otherwise: T) -> (&str, T) {
    result.unwrap_or(("", otherwise))
}
