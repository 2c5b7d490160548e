//! Lines with null moves: the plies of these, then the code of the other moves by another codec.
//!
//! In chess an annotator's variation may let a side pass (`--`, `Z0`), which no rule allows. It is
//! too rare to cost other lines anything: if a record has one, all its lines are coded like this.

use crate::bits::varint;

use crate::candidates::Candidates;
use crate::codec::{CodecInfo, Excursion, Finish, LineCodec};
use crate::error::Error;
use crate::game::Rules;
use crate::limits::check_plies;
use crate::line::{MoveSink, MoveSource, Ply};

/// The number of null moves, then the distance in plies of each from the previous one, as
/// variable-length integers; then the code of the other moves by another codec, which sees all
/// moves.
#[derive(Debug)]
pub struct Nulls<C> {
    /// The description of the codec.
    pub info: &'static CodecInfo,
    /// The codec of the other moves.
    pub others: C,
}

/// Returns the description of a codec with this name and number.
const fn info(name: &'static str, id: u16) -> CodecInfo {
    CodecInfo {
        name,
        id,
        summary: "the plies of null moves, then the other moves in another codec",
        source: "ours",
    }
}

/// `line.uniform-null`.
pub const UNIFORM: CodecInfo = info("line.uniform-null", 10);

/// `line.fast-null`; the first table is 11.
pub const FAST: CodecInfo = info("line.fast-null", 11);

/// `line.small-null`; the first table is 12.
pub const SMALL: CodecInfo = info("line.small-null", 12);

/// `line.default-null`; the first table is 13.
pub const DEFAULT: CodecInfo = info("line.default-null", 13);

impl<G: Rules, C: LineCodec<G>> LineCodec<G> for Nulls<C> {
    const NULLS: bool = true;

    fn info(&self) -> &'static CodecInfo {
        self.info
    }

    fn encoder<'a>(
        &'a self,
        game: &'a G,
        start: &G::Position,
    ) -> impl MoveSink<G> + Excursion<G> + Finish + 'a {
        let others = self.others.encoder(game, start);
        Beside { game, others, nulls: Written::default() }
    }

    fn decoder<'a>(
        &'a self,
        game: &'a G,
        start: &G::Position,
        plies: u32,
        code: &'a [u8],
    ) -> Result<impl MoveSource<G> + Excursion<G> + 'a, Error> {
        check_plies(plies)?;
        let mut rest = code;
        let nulls = read_nulls(&mut rest, plies);
        let at = code.len() - rest.len();
        let nulls = nulls.ok_or(Error::Cell { at, why: "invalid plies of null moves" })?;
        // There are at most as many as plies.
        let others = plies - u32::try_from(nulls.len()).unwrap_or(plies);
        let others = self.others.decoder(game, start, others, rest)?;
        Ok(Beside { game, others, nulls: Told { plies: nulls, passed: 0, is_null: false } })
    }
}

/// Takes the plies of null moves, ascending; `None` if they are not plies of the line.
fn read_nulls(code: &mut &[u8], plies: u32) -> Option<Vec<u32>> {
    let mut number = || {
        let (number, length) = varint::read_u32(code)?;
        *code = code.get(length..)?;
        Some(number)
    };
    let count = number().filter(|&count| count <= plies)?;
    let (mut nulls, mut last) = (Vec::new(), 0u32);
    for _ in 0..count {
        last = last.checked_add(number().filter(|&step| step > 0)?)?;
        nulls.push(last);
    }
    (last <= plies).then_some(nulls)
}

/// A codec of the other moves, with what is known of the null moves.
struct Beside<'a, G, C, N> {
    game: &'a G,
    others: C,
    nulls: N,
}

/// The null moves of what was encoded.
#[derive(Default)]
struct Written {
    /// Number of plies so far, of all branches together.
    count: u32,
    /// The ones that are null moves.
    plies: Vec<u32>,
}

/// The null moves of what is decoded.
struct Told {
    /// Their plies, ascending.
    plies: Vec<u32>,
    /// How many of them have been played.
    passed: usize,
    /// Whether the current move is one of them.
    is_null: bool,
}

impl<G: Rules, C: Excursion<G>, N> Excursion<G> for Beside<'_, G, C, N> {
    fn pass(&mut self, ply: &Ply<'_, G>) {
        self.others.pass(ply);
    }

    fn leave(&mut self, known: Option<usize>) {
        self.others.leave(known);
    }

    fn doubt(&mut self, known: Option<usize>) {
        self.others.doubt(known);
    }

    fn come_back(&mut self) {
        self.others.come_back();
    }
}

impl<G: Rules, C: MoveSink<G> + Excursion<G>> MoveSink<G> for Beside<'_, G, C, Written> {
    fn push(&mut self, ply: &Ply<'_, G>) {
        self.nulls.count += 1;
        if self.game.null(ply.before) == Some(ply.mv()) {
            self.nulls.plies.push(self.nulls.count);
            self.others.pass(ply);
        } else {
            self.others.push(ply);
        }
    }
}

impl<G, C: Finish> Finish for Beside<'_, G, C, Written> {
    fn finish(self) -> Vec<u8> {
        let mut out = Vec::new();
        varint::write_u32(u32::try_from(self.nulls.plies.len()).unwrap_or(u32::MAX), &mut out);
        let mut last = 0;
        for ply in self.nulls.plies {
            varint::write_u32(ply - last, &mut out);
            last = ply;
        }
        out.extend(self.others.finish());
        out
    }
}

impl<G: Rules, C: MoveSource<G> + Excursion<G>> MoveSource<G> for Beside<'_, G, C, Told> {
    fn next(&mut self, ply: u32, candidates: &Candidates<'_, G>) -> Result<Option<G::Move>, Error> {
        let nulls = &mut self.nulls;
        nulls.is_null = nulls.plies.get(nulls.passed) == Some(&ply);
        if nulls.is_null {
            nulls.passed += 1;
            let null = self.game.null(candidates.position());
            let cannot = Error::Cell { at: 0, why: "a null move where none can be played" };
            return null.map(Some).ok_or(cannot);
        }
        let before = u32::try_from(nulls.passed).unwrap_or(u32::MAX);
        self.others.next(ply.saturating_sub(before), candidates)
    }

    fn played(&mut self, ply: &Ply<'_, G>) {
        if self.nulls.is_null { self.others.pass(ply) } else { self.others.played(ply) }
    }
}
