//! What a move seems to be worth, as the models of games with captures see it: in classes, and
//! beside the other candidates. The numbers are part of the format of each of these games.

/// Seven classes of what an exchange gains, or of a balance.
pub fn gain_class(gain: i32) -> usize {
    match gain {
        ..=-5 => 0,
        -4..=-2 => 1,
        -1 => 2,
        0 => 3,
        1 => 4,
        2..=4 => 5,
        _ => 6,
    }
}

/// Six classes of what may be lost: nothing; in chess a pawn, two, a minor piece, a rook, a queen.
pub fn loss_class(loss: i32) -> usize {
    match loss {
        ..=0 => 0,
        1 => 1,
        2 => 2,
        3 | 4 => 3,
        5..=8 => 4,
        _ => 5,
    }
}

/// What a candidate seems to be worth, for comparison with the others.
#[derive(Clone, Copy)]
pub struct Value {
    /// What it gains, less what the opponent's best capture then gains.
    pub net: i8,
    /// The rest of the feature: the man and whether it captures.
    pub kind: u8,
}

/// Compares the candidates.
pub struct Best {
    values: [Value; 256],
    count: usize,
    best: i8,
}

impl Default for Best {
    fn default() -> Self {
        Self { values: [Value { net: 0, kind: 0 }; 256], count: 0, best: i8::MIN }
    }
}

impl Best {
    /// Takes note of the next candidate.
    pub fn add(&mut self, value: Value) {
        if let Some(place) = self.values.get_mut(self.count) {
            *place = value;
            self.count += 1;
            self.best = self.best.max(value.net);
        }
    }

    /// The features `best` of the candidates in turn, where there are so many kinds.
    pub fn features(&self, kinds: usize) -> impl Iterator<Item = usize> {
        let values = &self.values[..self.count];
        let good = match values.iter().filter(|value| value.net == self.best).count() {
            0 | 1 => 0,
            2 | 3 => 1,
            4..=9 => 2,
            _ => 3,
        };
        values.iter().map(move |value| {
            let below = match i32::from(self.best) - i32::from(value.net) {
                ..=0 => 0,
                1 => 1,
                2 => 2,
                3 => 3,
                4 | 5 => 4,
                6..=8 => 5,
                9..=12 => 6,
                _ => 7,
            };
            (below * kinds + usize::from(value.kind)) * 4 + good
        })
    }
}
