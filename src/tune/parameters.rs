//! The file of the options to tune (TOML), completed with the engine's own description of them.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::spsa::Parameter;

/// The reason why a list of parameters cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ParameterError {
    /// The text is not valid TOML, or has an unknown key.
    #[error("{0}")]
    Syntax(String),
    #[error("there is nothing to tune: [parameters] is empty")]
    Nothing,
    /// The engine has no such option.
    #[error("the engine has no option '{0}' that takes numbers")]
    NoSuchOption(String),
    /// The values of a parameter contradict each other.
    #[error("{0}: {1}")]
    Value(String, String),
}

/// The file: `[parameters]`, and one line per parameter, `Name = {}` or with some of the values.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    parameters: BTreeMap<String, Line>,
}

#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields)]
struct Line {
    start: Option<f64>,
    min: Option<f64>,
    max: Option<f64>,
    step: Option<f64>,
    rate: Option<f64>,
}

/// Parses a list of parameters. `offered` has the engine's options with default, minimum and maximum, `known_step`
/// gives the step of a search parameter, and `usual_rate` is the default rate.
///
/// # Errors
/// [`ParameterError`] for the first mistake.
pub fn read_parameters(
    text: &str,
    offered: &[(String, [i64; 3])],
    known_step: impl Fn(&str) -> Option<f64>,
    usual_rate: f64,
) -> Result<Vec<Parameter>, ParameterError> {
    let file: File = toml::from_str(text).map_err(|error| ParameterError::Syntax(error.to_string()))?;
    if file.parameters.is_empty() {
        return Err(ParameterError::Nothing);
    }
    let parameter = |(name, line): (String, Line)| {
        let Some((name, [default, least, greatest])) =
            offered.iter().find(|(other, _)| other.eq_ignore_ascii_case(&name))
        else {
            return Err(ParameterError::NoSuchOption(name));
        };
        let wrong = |message: &str| Err(ParameterError::Value(name.clone(), message.to_owned()));
        let [default, least, greatest] = [*default, *least, *greatest].map(|value| value as f64);
        let (min, max) = (line.min.unwrap_or(least), line.max.unwrap_or(greatest));
        let step = line.step.or_else(|| known_step(name)).unwrap_or((max - min) / 20.0);
        let (start, rate) = (line.start.unwrap_or(default), line.rate.unwrap_or(usual_rate));
        if !(least <= min && min < max && max <= greatest) {
            return wrong(&format!("the range {min} to {max} is empty or leaves the engine's, {least} to {greatest}"));
        }
        if !(min..=max).contains(&start) {
            return wrong(&format!("it starts at {start}, outside of {min} to {max}"));
        }
        if !(step > 0.0 && step.is_finite() && rate > 0.0 && rate.is_finite()) {
            return wrong("step and rate must be greater than 0");
        }
        Ok(Parameter { name: name.clone(), start, min, max, step, rate })
    };
    let parameters: Vec<Parameter> = file.parameters.into_iter().map(parameter).collect::<Result<_, _>>()?;
    let mut names: Vec<&str> = parameters.iter().map(|parameter| parameter.name.as_str()).collect();
    names.sort_unstable();
    match names.array_windows().find(|[one, other]| one == other) {
        Some([twice, _]) => Err(ParameterError::Value((*twice).to_owned(), "it is listed twice".to_owned())),
        None => Ok(parameters),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offered() -> Vec<(String, [i64; 3])> {
        vec![("RfpMargin".to_owned(), [100, 20, 300]), ("LmrBase".to_owned(), [500, 0, 2000])]
    }

    fn read(text: &str) -> Result<Vec<Parameter>, ParameterError> {
        read_parameters(text, &offered(), |name| (name == "RfpMargin").then_some(10.0), 0.002)
    }

    #[test]
    fn missing_values_come_from_the_engine() {
        let text = "[parameters]\nRfpMargin = {}\nlmrbase = { start = 400, max = 900, rate = 0.01 }\n";
        let parameters = read(text).unwrap();
        let [rfp, lmr] = &parameters[..] else { panic!("{parameters:?}") };
        let numbers = |p: &Parameter| [p.start, p.min, p.max, p.step, p.rate];
        assert_eq!((rfp.name.as_str(), numbers(rfp)), ("RfpMargin", [100.0, 20.0, 300.0, 10.0, 0.002]));
        assert_eq!((lmr.name.as_str(), numbers(lmr)), ("LmrBase", [400.0, 0.0, 900.0, 45.0, 0.01]));
    }

    #[test]
    fn errors_name_the_fault() {
        for (text, part) in [
            ("[parameters]\n", "nothing to tune"),
            ("", "missing field `parameters`"),
            ("[parameters]\nNoSuch = {}", "no option 'NoSuch'"),
            ("[parameters]\nRfpMargin = { stop = 3 }", "unknown field `stop`"),
            ("[parameters]\nRfpMargin = { min = 10 }", "RfpMargin: the range 10 to 300"),
            ("[parameters]\nRfpMargin = { start = 500 }", "RfpMargin: it starts at 500"),
            ("[parameters]\nRfpMargin = {}\nrfpmargin = {}", "RfpMargin: it is listed twice"),
            ("[parameters]\nRfpMargin = { step = 0 }", "RfpMargin: step and rate"),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
    }
}
