//! The text of a layout: the name of its syntax, then a word for everything that is not as usual.

/// Whether a text is a layout of the syntax of this name.
pub fn are_of(name: &str, text: &str) -> bool {
    text.split(' ').next() == Some(name)
}

/// The words behind the name.
///
/// # Errors
/// A sentence, with the syntax' title, if the layout is of another.
pub fn behind<'a>(
    name: &str,
    title: &str,
    text: &'a str,
) -> Result<impl Iterator<Item = &'a str> + use<'a>, String> {
    if are_of(name, text) {
        Ok(text.split(' ').skip(1))
    } else {
        Err(format!("`{text}` is not a layout of {title}"))
    }
}

/// The sentence about a word that is not known.
pub fn unknown(word: &str) -> String {
    format!("layout word `{word}` is unknown; a newer plypack wrote it")
}
