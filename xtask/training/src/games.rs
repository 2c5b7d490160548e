//! The games for training: one list, and each chore's needs for a game.

use plypack_core::codecs::line::ranked::{MoveOrder, Tally};
use plypack_core::policy::{Features, Gated};
use plypack_core::{MoveModel, Rules};
use plypack_games::chess::{self, Chess};
use plypack_games::go::{self, Go};
use plypack_games::gomoku::{self, Gomoku};
use plypack_games::othello::{self, Othello};
use plypack_games::xiangqi::{self, Xiangqi};

use crate::{frequencies, ranks, train};

/// The training chores of a game.
pub struct Row {
    name: &'static str,
    /// Policies by their tiers, for `cargo xtask train`.
    train: &'static [(&'static str, Chore<train::Options>)],
    /// The weights of an order's features, for `cargo xtask ranks`.
    pub ranks: Option<Chore<ranks::Options>>,
    /// How often each rank of a hand-written order is played, for `cargo xtask frequencies`.
    pub frequencies: Option<Chore<frequencies::Options>>,
}

/// A chore for one game.
pub type Chore<O> = fn(&O) -> Result<(), String>;

/// Every game with something to learn.
const GAMES: &[Row] = &[
    Row {
        name: "chess",
        train: &[
            ("default", train::train::<ChessDefault>),
            ("small", train::train::<ChessSmall>),
            ("fast", train::train::<ChessFast>),
            ("link", train::train::<ChessLink>),
        ],
        ranks: Some(ranks::learn::<Chess>),
        frequencies: None,
    },
    Row {
        name: "xiangqi",
        train: &[
            ("default", train::train::<XiangqiDefault>),
            ("small", train::train::<XiangqiSmall>),
            ("fast", train::train::<XiangqiFast>),
            ("link", train::train::<XiangqiLink>),
        ],
        ranks: Some(ranks::learn::<Xiangqi>),
        frequencies: None,
    },
    Row {
        name: "go",
        train: &[("link", train::train::<GoLink>), ("fast", train::train::<GoFast>)],
        ranks: None,
        frequencies: Some(frequencies::learn::<Go>),
    },
    Row {
        name: "othello",
        train: &[
            ("default", train::train::<OthelloDefault>),
            ("link", train::train::<OthelloLink>),
            ("fast", train::train::<OthelloFast>),
        ],
        ranks: None,
        frequencies: Some(frequencies::learn::<Othello>),
    },
    Row {
        name: "gomoku",
        train: &[("link", train::train::<GomokuLink>), ("fast", train::train::<GomokuFast>)],
        ranks: None,
        frequencies: Some(frequencies::learn::<Gomoku>),
    },
];

impl Row {
    /// Returns the training of a tier's policy.
    pub fn train(&self, tier: &str) -> Option<Chore<train::Options>> {
        self.train.iter().find(|(name, _)| *name == tier).map(|&(_, chore)| chore)
    }
}

/// Returns a chore for the game of this name.
///
/// # Errors
/// Returns an error if it has nothing to learn for this game; the message names the games for which
/// it has.
pub fn chore<O>(name: &str, of: impl Fn(&Row) -> Option<Chore<O>>) -> Result<Chore<O>, String> {
    let found = GAMES.iter().find(|row| row.name == name).and_then(&of);
    found.ok_or_else(|| {
        let others = GAMES.iter().filter(|row| of(row).is_some()).map(|row| row.name);
        let others: Vec<&str> = others.collect();
        format!("this chore does not support {name}, only {}", others.join(", "))
    })
}

/// A game with something to learn.
pub trait Subject: Rules {
    type Order: MoveOrder<Self>;
    const GAME: Self;
    const ORDER: Self::Order;

    /// Returns the kind of a move, for the report.
    fn kind(position: &Self::Position, mv: Self::Move) -> &'static str;
}

/// A trained policy, and its parameters.
pub trait Trained {
    type Rules: Subject;
    type Eyes: Features<Self::Rules>;
    /// An existing first look.
    type First: MoveModel<Self::Rules>;
    const EYES: Self::Eyes;
    /// That first look; without one a gate is trained.
    const FIRST: Option<Self::First> = None;
    /// The least weight of a candidate that the judge looks at.
    const LEAST: u32 = 1 << 16;
    /// The game's files in `crates/tables`: of the gate, if one is trained, of the judge and of the
    /// book.
    const GATE: &str = "link.gate";
    const JUDGE: Option<&str> = Some("default.judge");
    const BOOK: Option<&str> = Some("default.book");
    /// The groups of features, the first of which is empty.
    const GROUPS: &[(&str, usize)];
}

/// A game with a learnt order.
pub trait Learnt: Subject {
    /// The features by groups, each a name and a number of features.
    const GROUPS: &[(&str, usize)];

    /// Calls `done` with the tally of each candidate, in turn.
    fn tally<T: Tally>(
        state: &State<Self>,
        position: &Self::Position,
        candidates: &[Self::Move],
        done: impl FnMut(T),
    );
}

/// The state that a game's order keeps along a line.
pub type State<G> = <<G as Subject>::Order as MoveOrder<G>>::State;

/// A game with a hand-written order.
pub trait Ordered: Subject {
    /// The number of tables, and the number of ranks in each.
    const TABLES: usize;
    const RANKS: usize;
    /// The share of the weights that is spread evenly over the candidates, for games unlike those
    /// counted.
    const EVEN: f64;

    /// Returns the table for a position.
    fn table(keys: &[i32]) -> usize;
}

/// Defines the policy of a tier, of a game, by features: after an existing first look, or else a
/// gate alone.
macro_rules! policy {
    (
        $(#[$doc:meta])*
        $name:ident: $rules:ident by $eyes:path, after $first:path { $($item:item)* }
    ) => {
        $(#[$doc])*
        pub struct $name;

        impl Trained for $name {
            type Rules = $rules;
            type Eyes = $eyes;
            type First = $first;
            const EYES: Self::Eyes = $eyes;
            const FIRST: Option<Self::First> = Some($first);
            $($item)*
        }
    };
    ($(#[$doc:meta])* $name:ident: $rules:ident by $eyes:path { $($item:item)* }) => {
        $(#[$doc])*
        pub struct $name;

        impl Trained for $name {
            type Rules = $rules;
            type Eyes = $eyes;
            type First = Gated<Self::Eyes>;
            const EYES: Self::Eyes = $eyes;
            const JUDGE: Option<&str> = None;
            const BOOK: Option<&str> = None;
            $($item)*
        }
    };
}

impl Subject for Chess {
    type Order = chess::order::Order;
    const GAME: Self = Self;
    const ORDER: Self::Order = chess::order::Order;

    fn kind(position: &chess::Position, mv: <Chess as Rules>::Move) -> &'static str {
        let names = ["pawn", "knight", "bishop", "rook", "queen", "king"];
        position.board.piece_on(mv.from).map_or("none", |piece| names[piece as usize])
    }
}

impl Subject for Xiangqi {
    type Order = xiangqi::order::Order;
    const GAME: Self = Self;
    const ORDER: Self::Order = xiangqi::order::Order;

    fn kind(position: &xiangqi::Position, mv: <Xiangqi as Rules>::Move) -> &'static str {
        let names = ["king", "advisor", "elephant", "horse", "rook", "cannon", "pawn"];
        position.role(mv.from).map_or("none", |role| names[role])
    }
}

impl Subject for Go {
    type Order = go::order::Order;
    const GAME: Self = Self;
    const ORDER: Self::Order = go::order::Order;

    fn kind(position: &go::Position, mv: go::Move) -> &'static str {
        let (row, column) = (mv.point / position.columns(), mv.point % position.columns());
        let edges = [(row, position.rows()), (column, position.columns())];
        let line = edges.map(|(at, side)| at.min((side - 1).saturating_sub(at)));
        if mv.point == go::Move::PASS {
            return "pass";
        }
        let names = ["line 1", "line 2", "line 3", "line 4"];
        names.get(usize::from(line[0].min(line[1]))).unwrap_or(&"middle")
    }
}

impl Subject for Othello {
    type Order = othello::order::Order;
    const GAME: Self = Self;
    const ORDER: Self::Order = othello::order::Order;

    fn kind(_: &othello::Position, cell: u8) -> &'static str {
        let names = ["a1", "b1", "c1", "d1", "b2", "c2", "d2", "c3", "d3"];
        names.get(othello::order::kind(cell)).unwrap_or(&"none")
    }
}

impl Subject for Gomoku {
    type Order = gomoku::order::Order;
    const GAME: Self = Self;
    const ORDER: Self::Order = gomoku::order::Order;

    fn kind(position: &gomoku::Position, _: <Gomoku as Rules>::Move) -> &'static str {
        let names = ["15 freestyle", "15 standard", "19 freestyle", "19 standard", "20 freestyle"];
        let variant =
            gomoku::Variant::ALL.iter().position(|variant| *variant == position.variant());
        variant.and_then(|variant| names.get(variant)).unwrap_or(&"20 standard")
    }
}

policy! {
    /// The tier `default` of chess, which refines the first look of `fast`.
    ChessDefault: Chess by chess::default::Eyes, after chess::fast::Fast {
        const LEAST: u32 = chess::default::LEAST;
        const GROUPS: &[(&str, usize)] = &chess::default::features::GROUPS;
    }
}

policy! {
    /// The tier `small` of chess, which does so with fewer features.
    ChessSmall: Chess by chess::small::Eyes, after chess::fast::Fast {
        const LEAST: u32 = chess::small::LEAST;
        const JUDGE: Option<&str> = Some("small.judge");
        const BOOK: Option<&str> = Some("default.book");
        const GROUPS: &[(&str, usize)] = &chess::small::GROUPS;
    }
}

policy! {
    /// The gate of `line.link` of chess.
    ChessLink: Chess by chess::link::Eyes {
        const GROUPS: &[(&str, usize)] = &chess::link::features::GROUPS;
    }
}

impl Learnt for Chess {
    const GROUPS: &[(&str, usize)] = &chess::order::GROUPS;

    fn tally<T: Tally>(
        state: &State<Self>,
        position: &Self::Position,
        candidates: &[Self::Move],
        done: impl FnMut(T),
    ) {
        chess::order::tally(*state, position, candidates, done);
    }
}

policy! {
    /// The tier `fast` of chess, a policy of its own.
    ChessFast: Chess by chess::fast::features::Eyes {
        const GATE: &str = "fast.gate";
        const GROUPS: &[(&str, usize)] = &chess::fast::features::GROUPS;
    }
}

policy! {
    /// The tier `default` of xiangqi, which refines the first look of `fast`.
    XiangqiDefault: Xiangqi by xiangqi::default::Eyes, after xiangqi::fast::Fast {
        const LEAST: u32 = xiangqi::default::LEAST;
        const GROUPS: &[(&str, usize)] = &xiangqi::default::features::GROUPS;
    }
}

policy! {
    /// The gate of `line.link` of xiangqi.
    XiangqiLink: Xiangqi by xiangqi::link::Eyes {
        const GROUPS: &[(&str, usize)] = &xiangqi::link::features::GROUPS;
    }
}

policy! {
    /// The tier `small` of xiangqi, which refines the first look of `fast`.
    XiangqiSmall: Xiangqi by xiangqi::small::Eyes, after xiangqi::fast::Fast {
        const LEAST: u32 = xiangqi::small::LEAST;
        const JUDGE: Option<&str> = Some("small.judge");
        const BOOK: Option<&str> = None;
        const GROUPS: &[(&str, usize)] = &xiangqi::small::GROUPS;
    }
}

policy! {
    /// The tier `fast` of xiangqi, a policy of its own.
    XiangqiFast: Xiangqi by xiangqi::fast::features::Eyes {
        const GATE: &str = "fast.gate";
        const GROUPS: &[(&str, usize)] = &xiangqi::fast::features::GROUPS;
    }
}

impl Learnt for Xiangqi {
    const GROUPS: &[(&str, usize)] = &xiangqi::order::GROUPS;

    fn tally<T: Tally>(
        state: &State<Self>,
        position: &Self::Position,
        candidates: &[Self::Move],
        done: impl FnMut(T),
    ) {
        xiangqi::order::tally(*state, position, candidates, done);
    }
}

policy! {
    /// The gate of `line.link` of go, which is also its tier `small`.
    GoLink: Go by go::link::Eyes {
        const GROUPS: &[(&str, usize)] = &go::link::features::GROUPS;
    }
}

policy! {
    /// The tier `fast` of go, a policy of its own.
    GoFast: Go by go::fast::features::Eyes {
        const GATE: &str = "fast.gate";
        const GROUPS: &[(&str, usize)] = &go::fast::features::GROUPS;
    }
}

impl Ordered for Go {
    const TABLES: usize = go::order::TABLES;
    const RANKS: usize = 64;
    const EVEN: f64 = 0.0;

    fn table(keys: &[i32]) -> usize {
        go::order::table(keys)
    }
}

policy! {
    /// The tier `default` of othello, which applies the judge to all moves at once.
    OthelloDefault: Othello by othello::default::Eyes, after othello::default::Even {
        const LEAST: u32 = othello::default::LEAST;
        const GROUPS: &[(&str, usize)] = &othello::default::features::GROUPS;
    }
}

policy! {
    /// The gate of `line.link` of othello, which is also its tier `small`.
    OthelloLink: Othello by othello::link::Eyes {
        const GROUPS: &[(&str, usize)] = &othello::link::features::GROUPS;
    }
}

policy! {
    /// The tier `fast` of othello, a policy of its own.
    OthelloFast: Othello by othello::fast::features::Eyes {
        const GATE: &str = "fast.gate";
        const GROUPS: &[(&str, usize)] = &othello::fast::features::GROUPS;
    }
}

impl Ordered for Othello {
    const TABLES: usize = othello::order::TABLES;
    const RANKS: usize = 20;
    const EVEN: f64 = 0.0;

    fn table(keys: &[i32]) -> usize {
        othello::order::table(keys)
    }
}

policy! {
    /// The gate of `line.link` of gomoku, which is also its tier `small`.
    GomokuLink: Gomoku by gomoku::link::Eyes {
        const GROUPS: &[(&str, usize)] = &gomoku::link::features::GROUPS;
    }
}

policy! {
    /// The tier `fast` of gomoku, a policy of its own.
    GomokuFast: Gomoku by gomoku::fast::features::Eyes {
        const GATE: &str = "fast.gate";
        const GROUPS: &[(&str, usize)] = &gomoku::fast::features::GROUPS;
    }
}

impl Ordered for Gomoku {
    const TABLES: usize = gomoku::order::TABLES;
    const RANKS: usize = 48;
    /// The only games to count are a program's, which is more consistent than people.
    const EVEN: f64 = 0.1;

    fn table(keys: &[i32]) -> usize {
        gomoku::order::table(keys)
    }
}
