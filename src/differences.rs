//! Settings of two runs, compared.

use std::fmt;

use serde_json::{Map, Value};

/// A setting that differs. It is shown as `nodes 200, now 400`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// The setting's name.
    pub name: String,
    /// Its value in the earlier run, `none` if it had none.
    pub then: String,
    /// Its value now.
    pub now: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}, now {}", self.name, self.then, self.now)
    }
}

/// Differences as a list.
pub fn list(differences: &[Difference]) -> String {
    let texts: Vec<String> = differences.iter().map(Difference::to_string).collect();
    texts.join("; ")
}

/// What differs between the settings of two runs, objects of JSON: the settings of now in their order, then those that
/// only the earlier run had.
pub fn differences(then: &Map<String, Value>, now: &Map<String, Value>) -> Vec<Difference> {
    let gone = then.keys().filter(|name| !now.contains_key(*name));
    let names = now.keys().chain(gone);
    let text = |value: Option<&Value>| value.map_or_else(|| "none".to_owned(), text);
    let differing =
        names.filter(|name| then.get(*name).unwrap_or(&Value::Null) != now.get(*name).unwrap_or(&Value::Null));
    differing
        .map(|name| Difference { name: name.clone(), then: text(then.get(name)), now: text(now.get(name)) })
        .collect()
}

/// A value as it is written on the command line.
fn text(value: &Value) -> String {
    match value {
        Value::Null => "none".to_owned(),
        Value::String(text) => text.clone(),
        Value::Array(values) => values.iter().map(text).collect::<Vec<_>>().join(","),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn differences_have_both_values() {
        let then = json!({ "nodes": 200, "starts": ["startpos", "rook"], "ply": 10, "start": null });
        let now = json!({ "nodes": 400, "starts": ["startpos"], "margin": 50 });
        let [Value::Object(then), Value::Object(now)] = [then, now] else { unreachable!("they are objects") };
        let found = list(&differences(&then, &now));
        for difference in
            ["nodes 200, now 400", "starts startpos,rook, now startpos", "margin none, now 50", "ply 10, now none"]
        {
            assert!(found.contains(difference), "{found}");
        }
        assert!(!found.contains("start none"), "{found}");
        assert!(differences(&then, &then).is_empty());
    }
}
