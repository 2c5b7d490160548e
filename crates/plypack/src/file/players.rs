//! Lists the players of games, with all spellings of their names.

use std::path::{Path, PathBuf};

use super::open_each;
use super::work::{Working, working};
use crate::Player;
use crate::error::Error;
use crate::store::person::SoughtPlayer;
use crate::store::players::Roster;

/// Lists the players of packed files of games, with options.
///
/// Names are one player if all their words are the same, in any order, with or without accents and
/// capitals; so are names with the same number in `WhiteFideId` or `BlackFideId`. All files are
/// treated as one.
///
/// ```
/// # fn main() -> Result<(), plypack::Error> {
/// use plypack::{Packer, PlayerLister};
///
/// let packed = std::env::temp_dir().join("plypack-players.parquet");
/// let games = b"[White \"Li, Wei\"]\n\n1. e4 *\n\n[Black \"Wei Li\"]\n\n1. d4 *\n\n";
/// Packer::new().reader("a.pgn", &games[..]).pack(&packed)?;
/// let players = PlayerLister::new().file(&packed).name("wei li").list()?;
/// let (player, perhaps) = players.iter().next().expect("a player");
/// assert_eq!((player.career.games, player.spellings.len(), perhaps.len()), (2, 2, 0));
/// # Ok(())
/// # }
/// ```
#[must_use = "call `list` to list the players"]
#[derive(Debug, Default)]
pub struct PlayerLister<'a> {
    files: Vec<PathBuf>,
    name: Option<String>,
    limit: Option<u64>,
    work: Working<'a>,
}

/// The players of some games: [`PlayerLister::list`].
#[derive(Debug)]
pub struct Players {
    roster: Roster,
    /// The places of those listed, each with those of others who may be the same.
    listed: Vec<(usize, Vec<usize>)>,
}

impl<'a> PlayerLister<'a> {
    /// Returns a lister without files.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a packed file of games, or a folder, which stands for its `*.parquet` files in order of
    /// name. A file that is added twice counts once.
    pub fn file(mut self, path: impl AsRef<Path>) -> Self {
        self.files.push(path.as_ref().to_path_buf());
        self
    }

    /// Lists only players of this name, as for [`Query::player`](crate::Query::player).
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// Limits the number of players; the default is all.
    pub fn limit(mut self, limit: u64) -> Self {
        self.limit = Some(limit);
        self
    }

    working! {
        /// Calls `progress` as records are read; it may stop the work.
    }

    /// Lists the players.
    ///
    /// # Errors
    /// Returns [`Error::Io`], or [`Error::File`] if a file is damaged or holds positions;
    /// [`Error::Stopped`].
    pub fn list(self) -> Result<Players, Error> {
        let Self { files, name, limit, work } = self;
        let files = open_each(files)?;
        work.run(|work| {
            let roster = Roster::read(&files, work)?;
            let mut places = match name {
                Some(name) => roster.found(&SoughtPlayer::read(&name)),
                None => (0..roster.players().len()).collect(),
            };
            let limit = limit.and_then(|limit| usize::try_from(limit).ok());
            places.truncate(limit.unwrap_or(usize::MAX));
            let doubtful = roster.doubtful(&places, &work.unwatched())?;
            Ok(Players { roster, listed: places.into_iter().zip(doubtful).collect() })
        })
    }
}

impl Players {
    /// Returns the players, the one with the most games first, each with the others who may be the
    /// same person, as a name such as `Carlsen,M` does not tell.
    pub fn iter(&self) -> impl Iterator<Item = (&Player, Vec<&Player>)> {
        let player = |&at: &usize| self.roster.players().get(at);
        self.listed.iter().filter_map(move |(at, doubtful)| {
            Some((player(at)?, doubtful.iter().filter_map(player).collect()))
        })
    }
}
