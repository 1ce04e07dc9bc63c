//! Tips for mistakes on the command line that come from the habits of other programs.

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue};
use clap::{Arg, Command, Error};

/// Adds a tip to a parser error about these arguments, if there is one.
pub fn with_tip(mut error: Error, command: &Command, arguments: &[String]) -> Error {
    let unknown = error.get(ContextKind::InvalidArg).or_else(|| error.get(ContextKind::InvalidSubcommand));
    let Some(ContextValue::String(unknown)) = unknown else { return error };
    if let Some(tip) = tip(unknown, command, arguments) {
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![StyledStr::from(tip)]));
    }
    error
}

fn tip(unknown: &str, command: &Command, arguments: &[String]) -> Option<String> {
    let mut command = command;
    for argument in arguments {
        command = command.find_subcommand(argument).unwrap_or(command);
    }
    let option = |name: &str| command.get_arguments().find(|option| option.get_long() == Some(name));
    if unknown.starts_with('-') {
        if unknown.starts_with("--") {
            return None;
        }
        // The parser takes it for several one-letter options.
        let mut names = arguments.iter().filter_map(|argument| argument.strip_prefix('-')?.split('=').next());
        let name = names.find(|name| option(name).is_some())?;
        return Some(format!("long options begin with two dashes: --{name}"));
    }
    let at = arguments.iter().position(|argument| argument == unknown).filter(|_| unknown.contains('='))?;
    let joined = |texts: &[String]| {
        let pairs = texts.iter().take_while(|text| !text.starts_with('-'));
        pairs.map(String::as_str).collect::<Vec<_>>().join(",")
    };
    let takes_pairs = |option: &&Arg| {
        option.get_value_names().is_some_and(|names| names.iter().any(|value| value.ends_with("=VALUE,…")))
    };
    if let Some(before) = arguments[..at].iter().rposition(|argument| argument.starts_with("--")) {
        let name = arguments[before].trim_start_matches('-').split('=').next()?;
        option(name).filter(takes_pairs)?;
        let sign = if arguments[before].contains('=') { "," } else { " " };
        let pairs = joined(&arguments[before + 1..]);
        return Some(format!("commas go between the keys, not spaces: {}{sign}{pairs}", arguments[before]));
    }
    option("engine").filter(takes_pairs)?;
    let engines = joined(&arguments[at..]).replace(",cmd=", " --engine cmd=");
    Some(format!("an engine stands behind --engine: --engine {engines}"))
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory, Parser};

    use super::*;
    use crate::cli::Cli;

    fn tip_of(line: &str) -> String {
        let arguments: Vec<String> = line.split(' ').map(str::to_owned).collect();
        let error = Cli::try_parse_from(&arguments).map(|_| "").expect_err("it is refused");
        let text = with_tip(error, &Cli::command(), &arguments[1..]).to_string();
        text.lines().find_map(|line| line.trim_start().strip_prefix("tip: ")).unwrap_or_default().to_owned()
    }

    #[test]
    fn habits_of_other_programs_get_a_tip() {
        for (line, tip) in [
            ("judkins match -engine cmd=x,name=y", "long options begin with two dashes: --engine"),
            ("judkins match --engine cmd=x -games=5", "long options begin with two dashes: --games"),
            ("judkins match -verbose --pgn x", "long options begin with two dashes: --verbose"),
            ("judkins tune -params x", "long options begin with two dashes: --params"),
            ("judkins convert x -to usi", "long options begin with two dashes: --to"),
            (
                "judkins match --engine cmd=x name=y tc=1 --games 2",
                "commas go between the keys, not spaces: --engine cmd=x,name=y,tc=1",
            ),
            (
                "judkins match --each=tc=1 option.Hash=2",
                "commas go between the keys, not spaces: --each=tc=1,option.Hash=2",
            ),
            ("judkins match cmd=x name=y", "an engine stands behind --engine: --engine cmd=x,name=y"),
            (
                "judkins match cmd=x,name=y cmd=z --games 2",
                "an engine stands behind --engine: --engine cmd=x,name=y --engine cmd=z",
            ),
            ("judkins tune cmd=x", "an engine stands behind --engine: --engine cmd=x"),
            ("judkins match --games 2 name=y", ""),
            ("judkins bench a=b", ""),
            ("judkins match -x", ""),
        ] {
            assert_eq!(tip_of(line), tip, "{line}");
        }
    }
}
