//! The apparent value of a move in games with captures: its class, and its comparison with the
//! other candidates. The numbers are part of the format of each of these games.

use super::classes::exceeded;

/// Seven classes of what an exchange gains, or of a balance.
#[inline(always)]
pub fn gain_class(gain: i32) -> usize {
    class(&[0, 1, 1, 1, 2, 3, 4, 5, 5, 5, 6], gain.saturating_add(5))
}

/// Six classes of what may be lost; in chess nothing, a pawn, two, a minor piece, a rook, a queen.
#[inline(always)]
pub fn loss_class(loss: i32) -> usize {
    class(&[0, 1, 2, 3, 3, 4, 4, 4, 4, 5], loss)
}

/// Returns the class of a number: that of 0 if it is negative, the last if it is too large. A
/// table, because branches would be hard to predict.
#[inline(always)]
fn class(classes: &[u8], number: i32) -> usize {
    let number = usize::try_from(number.max(0)).unwrap_or(0);
    usize::from(classes[number.min(classes.len() - 1)])
}

/// The apparent value of a candidate, for comparison with the others.
#[derive(Clone, Copy)]
pub struct Value {
    /// What it gains, minus what the opponent's best capture then gains.
    pub net: i8,
    /// The rest of the feature: the man and whether it captures.
    pub kind: u8,
}

/// A comparison of the candidates.
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
    /// Adds the next candidate.
    #[inline(always)]
    pub fn add(&mut self, value: Value) {
        if let Some(place) = self.values.get_mut(self.count) {
            *place = value;
            self.count += 1;
            self.best = self.best.max(value.net);
        }
    }

    /// Returns the candidates' features of the group `best`, in turn, given the number of kinds.
    #[inline(always)]
    pub fn features(&self, kinds: usize) -> impl Iterator<Item = usize> {
        let values = &self.values[..self.count];
        let good = values.iter().filter(|value| value.net == self.best).count();
        let good = exceeded([1, 3, 9], good);
        values.iter().map(move |value| {
            let below = i32::from(self.best) - i32::from(value.net);
            let below = class(&[0, 1, 2, 3, 4, 4, 5, 5, 5, 6, 6, 6, 6, 7], below);
            (below * kinds + usize::from(value.kind)) * 4 + good
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_begin_where_they_should() {
        let begin = |class: fn(i32) -> usize| {
            (-99..99).filter(|&number| class(number) > class(number - 1)).collect::<Vec<i32>>()
        };
        assert_eq!(begin(gain_class), [-4, -1, 0, 1, 2, 5]);
        assert_eq!(begin(loss_class), [1, 2, 3, 5, 9]);
        assert_eq!([gain_class(i32::MIN), gain_class(i32::MAX)], [0, 6]);
        assert_eq!([loss_class(i32::MIN), loss_class(i32::MAX)], [0, 5]);
    }

    #[test]
    fn candidates_are_compared_with_the_best() {
        let mut best = Best::default();
        let nets = [100, 100, 99, 96, 95, 94, 92, 91, 88, 87, -100];
        nets.into_iter().for_each(|net| best.add(Value { net, kind: 2 }));
        let features: Vec<usize> = best.features(5).collect();
        let below = [0, 0, 1, 4, 4, 5, 5, 6, 6, 7, 7];
        assert_eq!(features, below.map(|below| (below * 5 + 2) * 4 + 1));
    }
}
