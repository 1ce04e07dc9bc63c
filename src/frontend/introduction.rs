//! The engine's introduction: its name, its author, and its options in each protocol.

use super::dialect::Dialect;
use crate::engine::{Listed, ListedOption, OptionKind, OptionTable};

/// The name and version of the engine.
pub(super) const NAME: &str = concat!(env!("CARGO_PKG_NAME"), " ", env!("CARGO_PKG_VERSION"));

pub(super) const AUTHOR: &str = "the judkins maintainers";

/// The options that a protocol lists, with their names there.
pub(super) fn options(table: &OptionTable, dialect: Dialect) -> Vec<(String, OptionKind)> {
    let is_listed = |option: &ListedOption| match option.listed {
        Listed::Everywhere => true,
        Listed::NotInCecp => dialect != Dialect::Cecp,
        Listed::OnlyInUci => dialect == Dialect::Uci,
    };
    table.list().into_iter().filter(is_listed).map(|option| in_dialect(option, dialect)).collect()
}

fn in_dialect(option: ListedOption, dialect: Dialect) -> (String, OptionKind) {
    let ListedOption { name, uci_name, uci_choices, mut kind, .. } = option;
    let is_uci = dialect == Dialect::Uci;
    if let OptionKind::Combo { choices, default } = &mut kind {
        // Programs reject a default that is not among the choices.
        choices.retain(|choice| is_uci || choice == default || !uci_choices.contains(&choice.as_str()));
    }
    (uci_name.filter(|_| is_uci).unwrap_or(name).to_owned(), kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(dialect: Dialect) -> Vec<String> {
        let table = OptionTable::new(None, false).unwrap();
        options(&table, dialect).into_iter().map(|(name, _)| name).collect()
    }

    fn choices(dialect: Dialect, wanted: &str) -> Vec<String> {
        let table = OptionTable::new(None, false).unwrap();
        let kind = options(&table, dialect).into_iter().find(|(name, _)| name == wanted).map(|(_, kind)| kind);
        let Some(OptionKind::Combo { choices, .. }) = kind else { panic!("{wanted} is not a combo") };
        choices
    }

    #[test]
    fn each_protocol_lists_the_options_that_it_has_a_use_for() {
        let (usi, uci, cecp) = (names(Dialect::Usi), names(Dialect::Uci), names(Dialect::Cecp));
        assert_eq!(usi[..6], ["USI_Hash", "Threads", "USI_Ponder", "USI_MultiPV", "USI_Variant", "USI_OwnBook"]);
        assert_eq!(uci[..6], ["Hash", "Threads", "Ponder", "MultiPV", "UCI_Variant", "OwnBook"]);
        assert_eq!(cecp[..2], ["USI_OwnBook", "BookFile"], "CECP has commands for the rest");
        for (names, with_elo) in [(usi, false), (uci, true), (cecp, false)] {
            assert_eq!(names.iter().any(|name| name == "UCI_Elo"), with_elo);
        }
    }

    #[test]
    fn only_uci_lists_the_rule_of_cute_chess() {
        for (dialect, listed) in [(Dialect::Usi, false), (Dialect::Uci, true), (Dialect::Cecp, false)] {
            assert_eq!(choices(dialect, "ImpasseRule").contains(&"CuteChess".to_owned()), listed);
        }
    }
}
