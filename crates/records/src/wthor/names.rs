//! The names of players and tournaments, to which games refer by number, from the `.jou` and `.trn`
//! files beside the games; and the year, which only the header of the games' own file has.

use std::fmt::Write;

use super::file::{File, Header, PLAYER_BYTES, TOURNAMENT_BYTES, may_begin, read_name};

/// The names of players and tournaments, indexed by their numbers, and the year of the games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    players: Vec<String>,
    tournaments: Vec<String>,
    /// 0 if it is unknown.
    year: u16,
}

impl Names {
    /// Reads the year from the beginning of a file of games. Returns whether it is one.
    pub fn read_year(&mut self, begin: &[u8]) -> bool {
        let header = begin.first_chunk().map(Header::read).filter(|_| may_begin(begin));
        self.year = header.map_or(0, |header| header.year);
        header.is_some()
    }

    /// Reads the names of players from the bytes of a `.jou` file. Returns whether they are one.
    pub fn read_players(&mut self, bytes: &[u8]) -> bool {
        read::<PLAYER_BYTES>(bytes, &mut self.players)
    }

    /// Reads the names of tournaments from the bytes of a `.trn` file. Returns whether they are
    /// one.
    pub fn read_tournaments(&mut self, bytes: &[u8]) -> bool {
        read::<TOURNAMENT_BYTES>(bytes, &mut self.tournaments)
    }

    /// Whether there are none, and no year.
    pub fn is_empty(&self) -> bool {
        self.players.is_empty() && self.tournaments.is_empty() && self.year == 0
    }

    /// Appends the names of the tournament, of Black and of White, and the year, to the description
    /// of a game (`describe`), empty where unknown. Any other text is returned unchanged.
    pub fn describe(&self, text: &str) -> String {
        let mut text = text.to_owned();
        let mut fields = text.split('\t').skip(1);
        let mut number = || fields.next()?.parse::<usize>().ok();
        let [Some(tournament), Some(black), Some(white)] = [number(), number(), number()] else {
            return text;
        };
        let name = |names: &[String], number: usize| names.get(number).cloned().unwrap_or_default();
        let names = [
            name(&self.tournaments, tournament),
            name(&self.players, black),
            name(&self.players, white),
        ];
        for name in names {
            // Writing to a string cannot fail.
            let _ = write!(text, "\t{name}");
        }
        text.push('\t');
        if (1..=9999).contains(&self.year) {
            let _ = write!(text, "{:04}.??.??", self.year);
        }
        text
    }
}

/// Reads a file of names; those that a description cannot hold become empty.
fn read<const BYTES: usize>(bytes: &[u8], names: &mut Vec<String>) -> bool {
    let Some(File { header, records, .. }) = File::<BYTES>::read(bytes) else { return false };
    let Header { games, names: count, .. } = header;
    if games > 0 || usize::from(count) != records.len() {
        return false;
    }
    let name = |record: &[u8; BYTES]| {
        let name = read_name(record);
        if name.chars().any(char::is_control) { String::new() } else { name.trim_end().to_owned() }
    };
    *names = records.iter().map(name).collect();
    true
}

#[cfg(test)]
mod tests {
    use super::super::file::write_name;
    use super::*;

    /// A file of these names.
    fn file(names: &[&str], bytes: usize, count: u16) -> Vec<u8> {
        let mut file = Vec::new();
        Header { names: count, ..Header::default() }.write(&mut file);
        for name in names {
            write_name(name, bytes, &mut file).expect("it is short enough");
        }
        file
    }

    #[test]
    fn names_stand_behind_the_moves() {
        let mut names = Names::default();
        assert!(names.is_empty());
        assert!(names.read_players(&file(&["???", "Tamenori Hideshi", "a\tb "], 20, 3)));
        assert!(names.read_tournaments(&file(&["Divers", "Européen "], 26, 2)));
        assert!(!names.is_empty());
        for (numbers, expected) in [
            ("1\t1\t0", "\tEuropéen\tTamenori Hideshi\t???"),
            ("0\t2\t1", "\tDivers\t\tTamenori Hideshi"),
            ("2\t3\t65535", "\t\t\t"),
        ] {
            let text = format!("00\t{numbers}\t40\t33\tf5d6");
            assert_eq!(names.describe(&text), text.clone() + expected + "\t");
        }
        for text in ["", "f5d6", "\t1\t2", "\t1\tx\t2\t3"] {
            assert_eq!(names.describe(text), text);
        }
    }

    #[test]
    fn the_year_stands_behind_the_names() {
        let mut names = Names::default();
        let mut begin = Vec::new();
        Header { made: [20, 16, 10, 29], games: 9, year: 2010, ..Header::default() }
            .write(&mut begin);
        assert!(!names.read_year(&begin[..15]) && !names.read_year(&[0; 16]) && names.is_empty());
        assert!(names.read_year(&begin) && !names.is_empty());
        let text = names.describe("00\t1\t1\t0\t40\t33\tf5d6");
        assert_eq!(text, "00\t1\t1\t0\t40\t33\tf5d6\t\t\t\t2010.??.??");
    }

    #[test]
    fn what_is_no_file_of_names_gives_none() {
        let whole = file(&["a", "b"], 20, 2);
        let mut names = Names::default();
        for bytes in [&whole[..15], &whole[..36], &file(&["a"], 20, 2), &[0; 200][..]] {
            assert!(!names.read_players(bytes) && names.is_empty());
        }
        let games = Header { games: 1, names: 2, ..Header::default() };
        let mut other = Vec::new();
        games.write(&mut other);
        other.extend(&whole[16..]);
        assert!(!names.read_players(&other) && names.is_empty());
    }
}
