//! The rules of a match, impasse and adjudication, and the engine options that correspond to them.

use serde::{Deserialize, Serialize};

use super::Adjudication;
use crate::shogi::{DEFAULT_IMPASSE_PLIES, ImpasseRule};

/// The rules that every game of a match is played under.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Rules {
    pub impasse_rule: ImpasseRule,
    /// Its quiet plies, for [`ImpasseRule::Points12`].
    pub impasse_plies: u32,
    /// The rules that end games early.
    pub adjudication: Adjudication,
}

impl Default for Rules {
    fn default() -> Rules {
        Rules {
            impasse_rule: ImpasseRule::default(),
            impasse_plies: DEFAULT_IMPASSE_PLIES,
            adjudication: Adjudication::default(),
        }
    }
}

impl Rules {
    /// The options that state the rules, for engines that have them and whose spec does not set them.
    pub fn engine_options(&self) -> [(&'static str, String); 4] {
        [
            ("USI_Variant", "judkins".to_owned()),
            ("UCI_Variant", "judkins".to_owned()),
            ("ImpasseRule", self.impasse_rule.to_string()),
            ("ImpassePlies", self.impasse_plies.to_string()),
        ]
    }
}

#[cfg(test)]
mod tests {
    use strum::VariantArray;

    use super::*;

    #[test]
    fn rules_are_written_by_their_names_and_read_again() {
        for &impasse_rule in ImpasseRule::VARIANTS {
            let rules = Rules { impasse_rule, impasse_plies: 30, ..Rules::default() };
            let text = serde_json::to_string(&rules).unwrap();
            assert!(
                text.starts_with(&format!("{{\"impasse_rule\":\"{impasse_rule}\",\"impasse_plies\":30,")),
                "{text}"
            );
            assert_eq!(serde_json::from_str::<Rules>(&text).unwrap(), rules);
        }
        assert_eq!(serde_json::from_str::<Rules>("{}").unwrap(), Rules::default());
        serde_json::from_str::<Rules>(r#"{"impasse_rule":"Points13"}"#).unwrap_err();
    }
}
