//! Which game a text is of, in which syntax, and what it says: where the rules of games and the
//! syntax of records meet, for whoever reads what people wrote.

pub mod form;
pub mod game;
pub mod kind;
pub mod pasted;
