//! Predictions that start from a trained table, so that short series are predicted well, too.

use plypack_bits::mixing::{Counter, Mixer, ONE, squash};
use plypack_bits::range::{Decoder, Encoder};

use super::inputs::Inputs;
use super::net::{Net, OUTPUTS};
use super::question::{Asker, PLACES, Place, Scene, TRAINED};

/// How many guesses are mixed: those of the table, two learnt within the series, and the curve's.
pub(super) const GUESSES: usize = TRAINED + 3;

/// How many contexts the guess learnt within the series has.
pub(super) const RECENT: u32 = 8;

/// No curve is surer than this, in 256ths of the logarithm of odds.
const ODDS_MAX: i32 = 10 * 256;

/// How large a model is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    /// How many nets there are, and how many inputs each has.
    pub nets: usize,
    pub inputs: usize,
    /// How many kinds of scenes there are.
    pub kinds: u32,
    /// How many contexts each trained guess has.
    pub contexts: [u32; TRAINED],
}

impl Shape {
    /// How many sets of weights there are.
    pub fn sets(&self) -> usize {
        (self.kinds * PLACES) as usize
    }

    /// Where a question's guesses are among all those of a table.
    pub fn cells(&self, scene: &Scene, place: u32) -> [usize; TRAINED] {
        let mut first = 0;
        let mut cells = [0; TRAINED];
        let sizes = self.contexts.iter().zip(&scene.contexts);
        for (cell, (&contexts, &context)) in cells.iter_mut().zip(sizes) {
            *cell = ((first + context.min(contexts - 1)) * PLACES + place) as usize;
            first += contexts;
        }
        cells
    }

    /// Reads consecutive nets.
    pub fn read_nets(&self, bytes: &[u8]) -> Vec<Net> {
        let size = 2 * Net::size(self.inputs);
        let net = |at: usize| bytes.get(at * size..).unwrap_or_default();
        (0..self.nets).map(|at| Net::read(self.inputs, net(at))).collect()
    }

    /// How many guesses a table has.
    pub fn guesses(&self) -> usize {
        (self.contexts.iter().sum::<u32>() * PLACES) as usize
    }
}

/// A trained table.
#[derive(Debug)]
pub(super) struct Table {
    pub shape: Shape,
    pub nets: Vec<Net>,
    /// The logarithms of odds, in 16ths.
    pub guesses: Vec<i8>,
    /// The weights, in 65,536ths.
    pub weights: Vec<[i32; GUESSES]>,
}

impl Table {
    /// Unpacks a table: the weights of all sets, in 32nds, and the guesses, a byte each. A zero is
    /// followed by how many more zeros there are. `nets` holds the nets one after the other.
    pub fn unpack(shape: Shape, nets: &[u8], packed: &[u8]) -> Self {
        let nets = shape.read_nets(nets);
        let mut values: Vec<i8> = Vec::new();
        let mut bytes = packed.iter();
        while let Some(&byte) = bytes.next() {
            let more = if byte == 0 { *bytes.next().unwrap_or(&0) } else { 0 };
            values.resize(values.len() + 1 + usize::from(more), byte.cast_signed());
        }
        values.resize(shape.sets() * GUESSES + shape.guesses(), 0);
        let (weights, guesses) = values.split_at(shape.sets() * GUESSES);
        let weights = weights.as_chunks::<GUESSES>().0.iter();
        let weights = weights.map(|set| set.map(|weight| i32::from(weight) << 11)).collect();
        Self { shape, nets, guesses: guesses.to_vec(), weights }
    }
}

/// Predicts the answers of one series.
pub(super) struct Model<'t> {
    table: &'t Table,
    recent: Vec<Counter>,
    pub mixer: Mixer<GUESSES>,
}

impl<'t> Model<'t> {
    /// A model that has seen no answer yet.
    pub fn new(table: &'t Table) -> Self {
        Self::with(table, Mixer::learnt(&table.weights))
    }

    /// A model with other weights.
    pub fn with(table: &'t Table, mixer: Mixer<GUESSES>) -> Self {
        let recent = vec![Counter::default(); (PLACES * (RECENT + 1)) as usize];
        Self { table, recent, mixer }
    }

    /// The outputs of one of the table's nets.
    pub fn look(&self, net: usize, inputs: &Inputs) -> [i32; OUTPUTS] {
        self.table.nets.get(net).map_or([0; OUTPUTS], |net| net.look(inputs))
    }

    /// Predicts an answer, given the curve's odds; lets `decide` code it with the chance of yes
    /// out of [`ONE`]; and learns from it.
    pub fn answer(
        &mut self,
        scene: &Scene,
        place: u32,
        odds: i32,
        decide: impl FnOnce(u32) -> bool,
    ) -> bool {
        let mut guesses = [0; GUESSES];
        for (guess, cell) in guesses.iter_mut().zip(self.table.shape.cells(scene, place)) {
            *guess = i32::from(self.table.guesses.get(cell).copied().unwrap_or(0)) << 4;
        }
        let nearby = PLACES * (1 + scene.recent.min(RECENT - 1)) + place;
        let recent = [place as usize, nearby as usize];
        for (guess, at) in guesses[TRAINED..].iter_mut().zip(recent) {
            *guess = self.recent.get(at).map_or(0, |counter| counter.guess());
        }
        guesses[GUESSES - 1] = odds.clamp(-ODDS_MAX, ODDS_MAX);
        let set = (scene.kind * PLACES + place) as usize;
        let odds = self.mixer.mix(set, &guesses);
        let answer = decide(squash(odds));
        self.mixer.learn(set, &guesses, odds, answer);
        for at in recent {
            if let Some(counter) = self.recent.get_mut(at) {
                counter.learn(answer);
            }
        }
        answer
    }
}

/// Writes answers.
pub(super) struct Writer<'t> {
    model: Model<'t>,
    coder: Encoder,
}

impl<'t> Writer<'t> {
    pub fn new(table: &'t Table) -> Self {
        Self { model: Model::new(table), coder: Encoder::new() }
    }

    pub fn finish(self) -> Vec<u8> {
        self.coder.finish()
    }
}

impl Asker for Writer<'_> {
    fn look(&mut self, net: usize, inputs: &Inputs, _: Place) -> [i32; OUTPUTS] {
        self.model.look(net, inputs)
    }

    fn ask(&mut self, scene: &Scene, place: u32, odds: i32, answer: bool) -> bool {
        let coder = &mut self.coder;
        self.model.answer(scene, place, odds, |yes| write(coder, yes, answer))
    }

    fn ask_by(&mut self, odds: i32, answer: bool) -> bool {
        write(&mut self.coder, squash(odds), answer)
    }
}

/// Codes an answer that is yes with a chance of `yes` out of [`ONE`].
fn write(coder: &mut Encoder, yes: u32, answer: bool) -> bool {
    let (start, size) = if answer { (0, yes) } else { (yes, ONE - yes) };
    coder.encode(start, size, ONE);
    answer
}

/// Reads answers.
pub(super) struct Reader<'t, 'c> {
    model: Model<'t>,
    coder: Decoder<'c>,
}

impl<'t, 'c> Reader<'t, 'c> {
    pub fn new(table: &'t Table, code: &'c [u8]) -> Self {
        Self { model: Model::new(table), coder: Decoder::new(code) }
    }
}

impl Asker for Reader<'_, '_> {
    fn look(&mut self, net: usize, inputs: &Inputs, _: Place) -> [i32; OUTPUTS] {
        self.model.look(net, inputs)
    }

    fn ask(&mut self, scene: &Scene, place: u32, odds: i32, _: bool) -> bool {
        let coder = &mut self.coder;
        self.model.answer(scene, place, odds, |yes| read(coder, yes))
    }

    fn ask_by(&mut self, odds: i32, _: bool) -> bool {
        read(&mut self.coder, squash(odds))
    }
}

/// Decodes an answer that is yes with a chance of `yes` out of [`ONE`].
fn read(coder: &mut Decoder<'_>, yes: u32) -> bool {
    let answer = coder.is_below(yes, ONE);
    let (start, size) = if answer { (0, yes) } else { (yes, ONE - yes) };
    coder.consume(start, size, ONE);
    answer
}
