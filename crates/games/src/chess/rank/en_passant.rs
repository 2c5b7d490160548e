//! What the en passant field fixes among the pawns.
//!
//! *We* are the side to move and play up the board; *they* have made a double step. There are three
//! kinds of case. 0: there is no such field. 1, *taken*: a pawn of ours that can take is named with
//! it. 2, *loose*: nothing is said of pawns that could take. Tromp counts no loose cases.
//!
//! The files of the pawns that are named are opposed in ways of their own, by *guards*.

/// Squares that hold our pawns, theirs, or none, and how many files are opposed by that.
#[derive(Clone, Copy, Debug, Default)]
pub struct Fixed {
    pub ours: u64,
    pub theirs: u64,
    pub empty: u64,
    pub opposed: usize,
}

/// How many kinds of case there are.
pub const KINDS: usize = 3;

/// How many cases of each kind there are.
pub const CASES: [u64; KINDS] = [1, 14, 8];

/// The square of this rank on file a.
const fn on_file_a(rank: u32) -> u64 {
    1 << (8 * (rank - 1))
}

const NOTHING: Fixed = Fixed { ours: 0, theirs: 0, empty: 0, opposed: 0 };

/// The pawn that stepped, and the squares behind it.
const STEPPED: Fixed =
    Fixed { theirs: on_file_a(5), empty: on_file_a(6) | on_file_a(7), ..NOTHING };

/// Our pawn that takes.
const TAKER: Fixed = Fixed { ours: on_file_a(5), ..NOTHING };

/// Guards of the file of the pawn that stepped: none; our pawn below it, with nothing between, one
/// square, or two; and in loose cases, a pair below it, with nothing between or one square.
const STEPPED_GUARDS: [Fixed; 7] = {
    let [second, third, fourth] = [on_file_a(2), on_file_a(3), on_file_a(4)];
    [
        NOTHING,
        Fixed { ours: fourth, opposed: 1, ..NOTHING },
        Fixed { ours: third, empty: fourth, opposed: 1, ..NOTHING },
        Fixed { ours: second, empty: third | fourth, opposed: 1, ..NOTHING },
        Fixed { ours: second, theirs: third, opposed: 1, ..NOTHING },
        Fixed { ours: third, theirs: fourth, opposed: 1, ..NOTHING },
        Fixed { ours: second, theirs: fourth, empty: third, opposed: 1 },
    ]
};

/// Guards of the file of our pawn that takes: none; their pawn above it, with nothing between, or
/// one square.
const TAKER_GUARDS: [Fixed; 3] = [
    NOTHING,
    Fixed { theirs: on_file_a(6), opposed: 1, ..NOTHING },
    Fixed { theirs: on_file_a(7), empty: on_file_a(6), opposed: 1, ..NOTHING },
];

impl Fixed {
    /// Both, `other` being moved from file a to this file.
    fn and(self, other: Self, file: u8) -> Self {
        Self {
            ours: self.ours | other.ours << file,
            theirs: self.theirs | other.theirs << file,
            empty: self.empty | other.empty << file,
            opposed: self.opposed + other.opposed,
        }
    }

    /// The squares on which no other pawn stands.
    pub fn closed(self) -> u64 {
        self.ours | self.theirs | self.empty
    }

    /// Whether these pawns, ours and theirs, stand so.
    pub fn holds(self, [ours, theirs]: [u64; 2]) -> bool {
        self.ours & !ours == 0 && self.theirs & !theirs == 0 && self.empty & (ours | theirs) == 0
    }
}

/// A case.
#[derive(Debug)]
pub struct Case {
    pub kind: usize,
    /// Its number among the cases of its kind.
    pub number: u64,
    /// The file of the pawn that stepped.
    pub file: Option<u8>,
    /// What is fixed without any guard.
    pub fixed: Fixed,
    /// What is fixed with each guard; the first of them is none.
    pub guards: Vec<Fixed>,
    /// The files of no guard, from a.
    pub files: Vec<u64>,
}

impl Case {
    /// All cases by kind and number. Their order is by the file of the pawn that stepped; our pawn
    /// that takes stands left of it first, then right.
    pub fn all() -> [Vec<Self>; KINDS] {
        let taken = (0..8).flat_map(|file| {
            let left = (file > 0).then(|| (file, file - 1));
            let right = (file < 7).then(|| (file, file + 1));
            left.into_iter().chain(right)
        });
        [
            vec![Self::none()],
            taken
                .zip(0..)
                .map(|((file, taker), number)| Self::taken(number, file, taker))
                .collect(),
            (0..8).map(Self::loose).collect(),
        ]
    }

    fn none() -> Self {
        let guards = vec![NOTHING];
        Self { kind: 0, number: 0, file: None, fixed: NOTHING, guards, files: files_without(&[]) }
    }

    fn taken(number: u64, file: u8, taker: u8) -> Self {
        let fixed = NOTHING.and(STEPPED, file).and(TAKER, taker);
        let guards = STEPPED_GUARDS[..4].iter().flat_map(|stepped_guard| {
            let fixed = fixed.and(*stepped_guard, file);
            TAKER_GUARDS.iter().map(move |taker_guard| fixed.and(*taker_guard, taker))
        });
        let guards = guards.collect();
        let files = files_without(&[file, taker]);
        Self { kind: 1, number, file: Some(file), fixed, guards, files }
    }

    fn loose(file: u8) -> Self {
        let fixed = NOTHING.and(STEPPED, file);
        let guards = STEPPED_GUARDS.iter().map(|guard| fixed.and(*guard, file)).collect();
        let files = files_without(&[file]);
        Self { kind: 2, number: file.into(), file: Some(file), fixed, guards, files }
    }
}

fn files_without(guarded: &[u8]) -> Vec<u64> {
    let files = (0..8).filter(|file| !guarded.contains(file));
    files.map(|file| 0x0101_0101_0101_0101 << file).collect()
}
