//! The differences between two values of a type, setting by setting, for messages.

use std::fmt;

use serde::Serialize;
use serde_json::Value;

/// A setting with different values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Its name; `outer.inner` for a nested one.
    pub name: String,
    /// The first value.
    pub one: String,
    /// The second value.
    pub other: String,
}

/// For stored and given settings: `batch 4 there, 8 here`.
impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Difference { name, one, other } = self;
        write!(f, "{name} {one} there, {other} here")
    }
}

pub fn list(differences: &[Difference]) -> String {
    differences.iter().map(Difference::to_string).collect::<Vec<_>>().join("; ")
}

/// The settings that differ, in order.
///
/// # Panics
/// If the values cannot be serialised to JSON.
pub fn differences(one: &impl Serialize, other: &impl Serialize) -> Vec<Difference> {
    let [one, other] = [serde_json::to_value(one), serde_json::to_value(other)]
        .map(|value| value.expect("settings are values of JSON"));
    let mut found = Vec::new();
    compare("", Some(&one), Some(&other), &mut found);
    found
}

fn compare(name: &str, one: Option<&Value>, other: Option<&Value>, found: &mut Vec<Difference>) {
    // A setting without a value counts as missing.
    let [one, other] = [one, other].map(|value| value.filter(|value| !value.is_null()));
    match (one, other) {
        (None, None) => {}
        (Some(one), Some(other)) if one == other => {}
        (Some(Value::Object(one)), Some(Value::Object(other))) => {
            let only_other = other.keys().filter(|key| !one.contains_key(*key));
            for key in one.keys().chain(only_other) {
                let name = if name.is_empty() { key.clone() } else { format!("{name}.{key}") };
                compare(&name, one.get(key), other.get(key), found);
            }
        }
        _ => {
            let [one, other] = [one, other].map(|value| value.map_or_else(|| text(&Value::Null), text));
            found.push(Difference { name: name.to_owned(), one, other });
        }
    }
}

/// A value in readable form.
fn text(value: &Value) -> String {
    match value {
        Value::Null => "none".to_owned(),
        Value::String(text) if text.is_empty() => "''".to_owned(),
        Value::String(text) => text.clone(),
        Value::Array(values) if values.is_empty() => "none".to_owned(),
        Value::Array(values) => values.iter().map(text).collect::<Vec<_>>().join(" "),
        Value::Object(values) => {
            values.iter().map(|(key, value)| format!("{key}={}", text(value))).collect::<Vec<_>>().join(",")
        }
        Value::Bool(_) | Value::Number(_) => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_setting_that_differs_is_named_with_both_values() {
        let one = json!({"a": 1, "b": ["x", "y"], "c": {"d": "", "e": true}, "g": null, "k": null, "same": {"h": [1]}});
        let other = json!({"a": 2, "b": [], "c": {"e": false, "f": 0.5}, "g": {"i": 1, "j": "k"}, "same": {"h": [1]}});
        let found: Vec<String> = differences(&one, &other)
            .iter()
            .map(|found| format!("{} {} {}", found.name, found.one, found.other))
            .collect();
        assert_eq!(found, ["a 1 2", "b x y none", "c.d '' none", "c.e true false", "c.f none 0.5", "g none i=1,j=k"]);
        assert_eq!(differences(&one, &one), []);
    }
}
