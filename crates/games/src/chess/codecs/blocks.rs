//! `board.blocks` of chess: the trained model of squares is one of its predictors, and a block
//! starts from trained tables.

use std::sync::LazyLock;

use plypack_core::Error;
use plypack_core::codecs::blocks::{Answers, Blocks, Model, Start, Tree, Walk};
use plypack_core::table::Head;
use plypack_tables::chess::BOARD_START;

use crate::chess::squares::{Coder, Contents, Guess, SYMBOLS, Seen, chance, walk};
use crate::chess::{Chess, Position};

/// The codec, for a registry row.
pub const BLOCKS: Blocks<Squares> = Blocks { walk: Squares };

/// Squares, then the state, in the order of `board.model`.
#[derive(Debug)]
pub struct Squares;

/// White's men and Black's: pawns, knights, bishops, rooks, queens, kings.
const TREE: Tree = Tree::of([&[11, 5, 4, 3, 2, 1], &[12, 10, 9, 8, 7, 6]]);

const TABLE: &[u8] = Head::START.part(BOARD_START);

static START: LazyLock<Start> =
    LazyLock::new(|| Start::read(TREE, TABLE).unwrap_or_else(|| Start::new(TREE)));

/// An untrained start, for training.
pub fn untrained() -> Start {
    Start::new(TREE)
}

impl Walk<Chess> for Squares {
    fn start(&self) -> &Start {
        &START
    }

    fn walk<A: Answers>(
        &self,
        _: &Chess,
        model: &mut Model,
        coder: &mut A,
        told: Option<&Position>,
    ) -> Result<Option<Position>, Error> {
        let written = told.map(Contents::of);
        let mut parts = Parts { model, coder, guess: None };
        let contents = walk(&mut parts, written.as_ref().unwrap_or(&Contents::NOTHING));
        match written {
            Some(written) if written == contents => return Ok(None),
            Some(_) => return Err(Error::Board { why: "it has a man on an impossible square" }),
            None => {}
        }
        contents.position().map(Some)
    }
}

/// The question whether Black is to move; those of the state follow it.
const SIDE: u32 = 0;

/// Codes the parts of a position with the model, either way.
struct Parts<'a, A> {
    model: &'a mut Model,
    coder: &'a mut A,
    /// Set from the first square on, when the side to move is known.
    guess: Option<Guess>,
}

impl<A: Answers> Coder for Parts<'_, A> {
    fn side(&mut self, black: bool) -> bool {
        let black = self.model.question(self.coder, SIDE, None, black);
        self.model.board(64, u64::from(black));
        black
    }

    fn square(&mut self, seen: &Seen, symbol: u8) -> u8 {
        let guess = self.guess.get_or_insert_with(|| Guess::new(seen.black()));
        let weights = guess.weights(seen);
        let fitting = (0..SYMBOLS).filter(|&symbol| weights[symbol] > 0);
        let fitting = fitting.fold(0, |fitting, symbol| fitting | 1 << symbol);
        let symbol = self.model.cell(self.coder, fitting, Some(&weights), symbol);
        guess.see(seen, symbol);
        symbol
    }

    fn answer(&mut self, question: usize, yes: bool) -> bool {
        let number = u32::try_from(question).unwrap_or(0) + 1;
        self.model.question(self.coder, number, Some(chance(question)), yes)
    }

    fn bit(&mut self, bit: bool) -> bool {
        self.coder.answer(1 << 15, bit)
    }
}
