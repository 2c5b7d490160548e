//! What the en passant field fixes among the pawns.
//!
//! *We* are the side to move and play up the board; *they* have made a double step. There are three
//! kinds of case. 0: no en passant field. 1, *taken*: the case names one of our pawns that can
//! capture. 2, *loose*: it does not. Tromp counts no loose cases.
//!
//! The files of the named pawns may be opposed, too, by *guards*.

/// Squares with our pawns, with theirs, and empty ones, and the number of files that they oppose.
#[derive(Clone, Copy, Debug, Default)]
pub struct Fixed {
    pub ours: u64,
    pub theirs: u64,
    pub empty: u64,
    pub opposed: usize,
}

/// The number of kinds of case.
pub const KINDS: usize = 3;

/// The number of cases of each kind.
pub const CASES: [u64; KINDS] = [1, 14, 8];

/// Returns the square of this rank on file a.
const fn on_file_a(rank: u32) -> u64 {
    1 << (8 * (rank - 1))
}

const NOTHING: Fixed = Fixed { ours: 0, theirs: 0, empty: 0, opposed: 0 };

/// The pawn that stepped, and the squares behind it.
const STEPPED: Fixed =
    Fixed { theirs: on_file_a(5), empty: on_file_a(6) | on_file_a(7), ..NOTHING };

/// Our pawn that captures.
const TAKER: Fixed = Fixed { ours: on_file_a(5), ..NOTHING };

/// Guards on the file of the pawn that stepped: none; our pawn below it, with no square between,
/// one, or two; and in loose cases a pair below it, with no square between or one.
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

/// Guards on the file of our pawn that captures: none; their pawn above it, with no square between,
/// or one.
const TAKER_GUARDS: [Fixed; 3] = [
    NOTHING,
    Fixed { theirs: on_file_a(6), opposed: 1, ..NOTHING },
    Fixed { theirs: on_file_a(7), empty: on_file_a(6), opposed: 1, ..NOTHING },
];

impl Fixed {
    /// Returns both, with `other` moved from file a to this file.
    fn and(self, other: Self, file: u8) -> Self {
        Self {
            ours: self.ours | other.ours << file,
            theirs: self.theirs | other.theirs << file,
            empty: self.empty | other.empty << file,
            opposed: self.opposed + other.opposed,
        }
    }

    /// Returns the squares that no other pawn can be on.
    pub fn closed(self) -> u64 {
        self.ours | self.theirs | self.empty
    }

    /// Whether these pawns, ours and theirs, match.
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
    /// What is fixed without a guard.
    pub fixed: Fixed,
    /// What is fixed with each guard; the first of them is none.
    pub guards: Vec<Fixed>,
    /// The files without a guard, from a.
    pub files: Vec<u64>,
}

impl Case {
    /// Returns all cases by kind and number, in the order of the file of the pawn that stepped; our
    /// capturing pawn on its left comes first.
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
