//! Two-colour boards as text, as programs and people write them.

/// A board read from text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diagram {
    /// The cells from the top row, each row from the left: 0 empty, 1 the first player's, 2 the
    /// second's.
    pub cells: Vec<u8>,
    /// The number of cells in a row, if the text separates rows.
    pub width: Option<usize>,
}

/// Reads a board of at most `most` cells.
///
/// `x`, `b` and `*` are the first player's men, `o` and `w` the second's, in either case; `-`, `.`
/// and `_` are empty cells, and a number stands for that many. A `/` separates rows, which must
/// have equal lengths.
///
/// # Errors
/// Returns what is wrong, in words.
pub fn read(text: &str, most: usize) -> Result<Diagram, &'static str> {
    let mut diagram = Diagram::default();
    let mut row = 0;
    let mut empty = 0;
    for symbol in text.chars().chain(['/']) {
        if let Some(digit) = symbol.to_digit(10) {
            empty = empty * 10 + digit as usize;
            if empty == 0 || empty > most {
                return Err("a count of empty cells must be between 1 and the size of the board");
            }
            continue;
        }
        diagram.cells.resize(diagram.cells.len() + std::mem::take(&mut empty), 0);
        match symbol {
            'x' | 'X' | 'b' | 'B' | '*' => diagram.cells.push(1),
            'o' | 'O' | 'w' | 'W' => diagram.cells.push(2),
            '-' | '.' | '_' => diagram.cells.push(0),
            '/' => {
                let width = diagram.cells.len() - row;
                if *diagram.width.get_or_insert(width) != width {
                    return Err("its rows do not have equal lengths");
                }
                row = diagram.cells.len();
            }
            _ => {
                return Err(
                    "a board consists of x, o, -, numbers of empty cells, and / after rows",
                );
            }
        }
        if diagram.cells.len() > most {
            return Err("the board has too many cells");
        }
    }
    diagram.width = diagram.width.filter(|&width| width < diagram.cells.len());
    Ok(diagram)
}

/// Reads the side to move, a man as on the board or `black` or `white`. Returns whether it is the
/// second player.
pub fn second_to_move(word: &str) -> Option<bool> {
    match word.to_ascii_lowercase().as_str() {
        "x" | "b" | "*" | "black" => Some(false),
        "o" | "w" | "white" => Some(true),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_and_runs() {
        let cells = vec![1, 0, 2, 0, 0, 0, 0, 0, 1];
        let rows = Diagram { cells: cells.clone(), width: Some(3) };
        for text in ["x1o/3/2x", "X-O/.../__*", "b1W/2-/1-B"] {
            assert_eq!(read(text, 9).as_ref(), Ok(&rows), "{text}");
        }
        assert_eq!(read("x1o5x", 9), Ok(Diagram { cells, width: None }));
        assert_eq!(read("10x", 11).map(|board| board.cells.len()), Ok(11));
    }

    #[test]
    fn what_is_no_board_is_refused() {
        for text in ["x1o/3/3x", "x/3", "/3", "3/", "0/1", "xx?", "99999999999999999999999", "10"] {
            assert!(read(text, 9).is_err(), "{text}");
        }
    }
}
