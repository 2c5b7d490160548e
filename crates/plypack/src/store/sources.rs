//! Reads and writes the list of inputs of a packed file. Inputs with rows are in the column
//! `source`; those without are in the metadata, each with its place among all inputs.

use serde_json::Value;

/// An input without rows: its place among all inputs, counted from 0, and its name.
pub type Rowless = (usize, String);

/// Writes the list as in the metadata: a JSON array of pairs.
pub(crate) fn write(rowless: &[Rowless]) -> String {
    rowless
        .iter()
        .map(|(place, name)| Value::from(vec![Value::from(*place), Value::from(name.as_str())]))
        .collect::<Value>()
        .to_string()
}

/// Reads the list.
///
/// # Errors
/// Returns what is wrong with it.
pub(crate) fn read(text: &str) -> Result<Vec<Rowless>, String> {
    let list: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let entry = |entry: &Value| {
        let [place, name] = entry.as_array()?.as_slice() else { return None };
        Some((usize::try_from(place.as_u64()?).ok()?, name.as_str()?.to_owned()))
    };
    let list = list.as_array().ok_or("it is not an array")?.iter().map(entry);
    list.collect::<Option<_>>().ok_or_else(|| "an entry is not a place and a name".to_owned())
}

/// Returns all inputs in order: those with rows, and the others at their places.
pub(crate) fn all(with_rows: Vec<String>, mut rowless: Vec<Rowless>) -> Vec<String> {
    rowless.sort();
    let mut all = Vec::with_capacity(with_rows.len() + rowless.len());
    let mut rowless = rowless.into_iter().peekable();
    for name in with_rows {
        while let Some((_, name)) = rowless.next_if(|(place, _)| *place <= all.len()) {
            all.push(name);
        }
        all.push(name);
    }
    all.extend(rowless.map(|(_, name)| name));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn inputs_without_rows_come_back_to_their_places() {
        let inputs = ["-a", "b", "-c", "-d", "e", "f", "-g"];
        let rowless: Vec<Rowless> = inputs
            .iter()
            .enumerate()
            .filter(|(_, name)| name.starts_with('-'))
            .map(|(place, name)| (place, (*name).to_owned()))
            .collect();
        let text = write(&rowless);
        assert_eq!(text, r#"[[0,"-a"],[2,"-c"],[3,"-d"],[6,"-g"]]"#);
        let read = read(&text).expect("our own list");
        assert_eq!(all(names(&["b", "e", "f"]), read.clone()), names(&inputs));
        // A copy may have lost rows.
        assert_eq!(all(names(&["f"]), read), names(&["-a", "f", "-c", "-d", "-g"]));
        assert_eq!(all(names(&["b"]), Vec::new()), names(&["b"]));
    }

    #[test]
    fn what_is_no_list_is_refused() {
        for text in ["", "{}", "null", "[1]", r#"["a"]"#, r#"[[-1,"a"]]"#, r#"[[0]]"#, "[[0,1]]"] {
            assert!(read(text).is_err(), "{text}");
        }
        assert_eq!(read("[]"), Ok(Vec::new()));
    }
}
