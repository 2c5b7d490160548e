"""Trains the towers of go's `line.default` and `line.max` and writes their tables.

A tower is a net of crates/core/src/policy/tower.rs; docs/models.md has the options of each.

    cargo xtask planes train kgs_train.tsv tygem_train.tsv
    cargo xtask planes kgs kgs_dev.tsv
    cargo xtask planes tygem tygem_dev.tsv
    python3 xtask/training/tower.py train crates/tables/go/max.tower --check kgs --check tygem

It needs PyTorch; a GPU is used if there is one, and has to hold the planes: those of seven million
moves take eleven gigabytes. For the first part of the time the layers are normalized by batches, in
floats. Then each normalization becomes part of its layer, and weights and numbers are rounded as
the codec rounds them, while gradients pass the rounding as if it were not there. Every minute the
state is written to a file beside the table, `max.tower.state`; where that exists, training goes on
from it.
"""

import argparse
import math
import os
import pathlib
import struct
import time

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

SIDE = 19
POINTS = SIDE * SIDE
PLANES = 32
OCCUPIED = 1 | 2 | 1 << 5  # ours, theirs, the ko point
ONE = 16  # what stands for 1 in a number
MOST = 127 / ONE
FINE = 256  # means are in 256ths of a number
MEANS = 4  # the nets see so many times the means, as layers learn best from numbers of like size
MEANS_MOST = 127 / 64
SHIFTS = 12
SHIFT_MOST = 16
MEAN_SHIFT = int(math.log2(FINE // MEANS))
FLOAT_SHARE = 0.7  # of the time, if nothing else is said
ROUNDED = 0.2  # of the largest learning rate: where rounding begins
CHECKED = 50_000  # positions of a file that is checked


def symmetries():
    """By symmetry of the board, the point that comes to each point, and the point it goes to."""
    board = np.arange(POINTS).reshape(SIDE, SIDE)
    images = [np.rot90(b, turns).ravel() for b in (board, board.T) for turns in range(4)]
    comes = np.stack(images)
    goes = np.argsort(comes, axis=1)
    # A pass stays a pass.
    goes = np.concatenate([goes, np.full((8, 1), POINTS)], axis=1)
    return torch.from_numpy(comes.copy()), torch.from_numpy(goes.copy())


class Moves:
    """The moves in a folder: a row has the planes of each point, then the move.

    A GPU takes them all into its memory; without one they stay in their files.
    """

    def __init__(self, folder, device):
        files = sorted(pathlib.Path(folder).glob("planes.*"))
        assert files, f"{folder}: it has no files of `cargo xtask planes`"
        files = [np.memmap(file, np.int32, "c").reshape(-1, POINTS + 1) for file in files]
        self.parts = [torch.from_numpy(rows).to(device) for rows in files]
        self.device = device

    def __len__(self):
        return sum(map(len, self.parts))

    def rows(self, numbers):
        """Returns the rows with these numbers, those of a file together."""
        found = []
        for part in self.parts:
            within = (numbers >= 0) & (numbers < len(part))
            found.append(part[numbers[within]])
            numbers = numbers - len(part)
        return torch.cat(found)

    def batches(self, size):
        """Returns all rows again and again, each time in another order."""
        while True:
            order = torch.randperm(len(self), device=self.device)
            yield from map(self.rows, order.split(size))


class Round(torch.autograd.Function):
    """Rounds halves up; the gradient passes."""

    @staticmethod
    def forward(_, x):
        return torch.floor(x + 0.5)

    @staticmethod
    def backward(_, gradient):
        return gradient


class Floor(torch.autograd.Function):
    """Rounds down; the gradient passes."""

    @staticmethod
    def forward(_, x):
        return torch.floor(x)

    @staticmethod
    def backward(_, gradient):
        return gradient


def shifts(*weights, least=0):
    """By output, the largest shift at which all of its weights fit in a byte."""
    most = torch.stack([w.detach().abs().flatten(1).amax(1) for w in weights]).amax(0)
    return torch.floor(torch.log2(127 / most.clamp_min(1e-9))).clamp(least, SHIFTS)


def rounded(weight, shift):
    """Weights in units of 2^-shift."""
    unit = torch.exp2(shift).reshape(-1, *[1] * (weight.dim() - 1))
    return Round.apply(weight * unit).clamp(-127, 127) / unit


class Stage(nn.Module):
    """A convolution that also sees the means of its inputs."""

    def __init__(self, inputs, outputs):
        super().__init__()
        deviation = math.sqrt(2 / (9 * inputs))
        self.weight = nn.Parameter(torch.randn(outputs, inputs, 3, 3) * deviation)
        self.overall = nn.Parameter(torch.zeros(outputs, inputs))
        self.norm = nn.BatchNorm2d(outputs)
        self.bias = nn.Parameter(torch.zeros(outputs))
        self.integers = False

    def forward(self, x, means, added=None):
        if self.integers:
            weight = rounded(self.weight, shifts(self.weight))
            overall = rounded(self.overall, self.mean_shifts())
        else:
            weight, overall = self.weight, self.overall
        x = F.conv2d(x, weight, padding=1) + F.linear(means, overall)[:, :, None, None]
        x = x + self.bias[None, :, None, None] if self.integers else self.norm(x)
        if added is not None:
            x = x + added
        if self.integers:
            x = Round.apply(x.float() * ONE) / ONE
        x = x.clamp(0, MOST)
        return x, average(x, self.integers)

    def factor(self):
        """By output, what the normalization multiplies by."""
        return self.norm.weight / torch.sqrt(self.norm.running_var + self.norm.eps)

    @torch.no_grad()
    def limit(self):
        """Keeps the weights of means so small that rounding leaves their smaller ones whole.

        The means of planes like that of the last move are tiny, and their weights would grow.
        """
        most = MEANS_MOST / (1 if self.integers else self.factor().abs().clamp_min(1e-3)[:, None])
        self.overall.clamp_(-most, most)

    def fold(self):
        """Makes the normalization part of the weights."""
        norm, factor = self.norm, self.factor()
        with torch.no_grad():
            self.weight *= factor[:, None, None, None]
            self.overall *= factor[:, None]
            self.bias.copy_(norm.bias - norm.running_mean * factor)
        self.integers = True

    def mean_shifts(self):
        """By output, the shift of the weights of its means."""
        shift, beside = shifts(self.overall), shifts(self.weight)
        least = beside - MEAN_SHIFT
        return torch.minimum(torch.maximum(shift, least), least + SHIFT_MOST)

    def bytes(self):
        shift, mean_shift = shifts(self.weight), self.mean_shifts()
        unit, mean_unit = torch.exp2(shift), torch.exp2(mean_shift)
        # Half a unit, so that rounding down rounds to the nearest.
        bias = Round.apply(self.bias * unit * ONE) + Floor.apply(unit / 2)
        weight = rounded(self.weight, shift) * unit[:, None, None, None]
        overall = rounded(self.overall, mean_shift) * mean_unit[:, None]
        # The sum of the means times their weights is brought to the units of the others.
        mean_shift = mean_shift - shift + MEAN_SHIFT
        parts = [(shift, np.uint8), (mean_shift, np.uint8), (bias, "<i4")]
        return numbers(*parts, (weight.permute(0, 2, 3, 1), np.int8), (overall, np.int8))


def numbers(*parts):
    """The bytes of tensors."""
    return b"".join(part.detach().cpu().numpy().astype(kind).tobytes() for part, kind in parts)


def average(x, integers):
    """The mean of each channel over the board."""
    means = x.float().mean((2, 3))
    if integers:
        means = Floor.apply(means * (ONE * FINE) + 1e-3) / (ONE * FINE)
    return means * MEANS


class Score(nn.Module):
    """A sum over all channels: a logit to the base 2."""

    def __init__(self, channels, unit):
        super().__init__()
        # What its inputs are multiples of.
        self.unit = unit
        self.weight = nn.Parameter(torch.randn(1, channels) / channels)
        self.bias = nn.Parameter(torch.zeros(1))
        self.integers = False

    def weights(self):
        if not self.integers:
            return self.weight
        return rounded(self.weight, self.shift())

    def shift(self):
        return shifts(self.weight, least=4)

    def bytes(self):
        # Sums are in units of 2^-shift times that of the inputs, scores in 256ths.
        shift = self.shift()
        unit = torch.exp2(shift)
        weight = rounded(self.weight, shift) * unit[:, None]
        bias = Round.apply(self.bias * unit * self.unit)
        shift = shift + int(math.log2(self.unit)) - 8
        return numbers((shift, np.uint8), (bias, "<i4"), (weight, np.int8))


class Tower(nn.Module):
    def __init__(self, channels, blocks):
        super().__init__()
        self.channels, self.blocks = channels, blocks
        self.first = Stage(PLANES, channels)
        self.stages = nn.ModuleList(Stage(channels, channels) for _ in range(2 * blocks))
        self.point = Score(channels, ONE)
        self.passing = Score(channels, ONE * FINE // MEANS)
        for stage in self.stages[1::2]:
            nn.init.zeros_(stage.norm.weight)

    def forward(self, planes):
        """The logits, to the base 2, of all points and a pass."""
        bits = torch.arange(PLANES, dtype=torch.int32, device=planes.device)
        x = (planes[:, None, :] >> bits[None, :, None] & 1).float()
        x = x.reshape(-1, PLANES, SIDE, SIDE).contiguous(memory_format=torch.channels_last)
        x, means = self.first(x, average(x, self.first.integers))
        for one, other in zip(self.stages[::2], self.stages[1::2]):
            within, means = one(x, means)
            x, means = other(within, means, x)
        points = F.conv2d(x, self.point.weights()[:, :, None, None]).flatten(1).float()
        points = points.masked_fill(planes & OCCUPIED != 0, -1e4)
        passing = F.linear(means, self.passing.weights(), self.passing.bias).float()
        return torch.cat([points, passing], 1)

    def integers(self):
        for module in self.modules():
            if isinstance(module, Stage):
                module.fold()
            elif isinstance(module, Score):
                module.integers = True

    def bytes(self):
        """The table, as `Tower::read` takes it."""
        fine = int(math.log2(FINE))
        head = b"PTR\x01" + struct.pack("BBBB", PLANES, self.channels, self.blocks, fine)
        stages = [self.first, *self.stages]
        return head + b"".join(part.bytes() for part in [*stages, self.point, self.passing])


def loss(tower, moves):
    """The mean number of bits of a move."""
    with torch.autocast(moves.device.type, torch.bfloat16):
        logits = tower(moves[:, :POINTS])
    return F.cross_entropy(logits * math.log(2), moves[:, POINTS].long()) / math.log(2)


def turned(moves, comes, goes):
    """Moves, each in one of the eight images of its board."""
    symmetry = torch.randint(8, (len(moves),), device=moves.device)
    planes = torch.gather(moves[:, :POINTS], 1, comes[symmetry])
    return torch.cat([planes, torch.gather(goes[symmetry], 1, moves[:, POINTS:].long()).int()], 1)


def check(tower, folder, device):
    """Returns the bits of a move of games that were not learnt from."""
    moves = Moves(folder, device)
    tower.eval()
    total = 0.0
    with torch.no_grad():
        for numbers in torch.arange(min(len(moves), CHECKED), device=device).split(1000):
            part = moves.rows(numbers)
            logits = tower(part[:, :POINTS]) * math.log(2)
            total += F.cross_entropy(logits, part[:, POINTS].long(), reduction="sum").item()
    tower.train()
    return total / min(len(moves), CHECKED) / math.log(2)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("planes", help="the folder with the moves to learn from")
    parser.add_argument("table", help="the file to write")
    parser.add_argument("--check", action="append", default=[], help="a folder to measure on")
    parser.add_argument("--seconds", type=float, default=600, help="of training, in all")
    parser.add_argument("--floats", type=float, help="seconds of these in floats")
    parser.add_argument("--since", type=float, default=0, help="seconds after which the rate falls, from its largest")
    parser.add_argument("--channels", type=int, default=64)
    parser.add_argument("--blocks", type=int, default=7)
    parser.add_argument("--batch", type=int, default=1024)
    parser.add_argument("--rate", type=float, default=2e-3, help="the largest learning rate")
    parser.add_argument("--as-played", action="store_true", help="do not turn and mirror boards")
    parser.add_argument("--compile", action="store_true", help="compile the steps, which takes a minute")
    options = parser.parse_args()
    floats = options.floats or options.seconds * FLOAT_SHARE
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    torch.backends.cudnn.benchmark = True
    torch.backends.cudnn.allow_tf32 = torch.backends.cuda.matmul.allow_tf32 = False
    began = time.time()
    say = lambda text: print(f"{time.time() - began:6.0f} s  {text}", flush=True)

    torch.manual_seed(0)
    tower = Tower(options.channels, options.blocks).to(device, memory_format=torch.channels_last)
    optimizer = torch.optim.AdamW(tower.parameters(), options.rate, (0.9, 0.98), weight_decay=0.01)
    spent, steps = 0.0, 0
    state = pathlib.Path(options.table + ".state")
    if state.exists():
        known = torch.load(state, map_location=device)
        spent, steps = known["spent"], known["steps"]
        if known["integers"]:
            tower.integers()
        tower.load_state_dict(known["tower"])
        optimizer.load_state_dict(known["optimizer"])
        say(f"going on after {spent:.0f} s and {steps} steps")

    # Not the order of before, should training go on.
    torch.manual_seed(1 + steps)
    moves = Moves(options.planes, device)
    batches = moves.batches(options.batch)
    comes, goes = (table.to(device) for table in symmetries())
    say(f"{len(moves)} moves, {sum(p.numel() for p in tower.parameters())} parameters, {device}")

    def save():
        torch.save({
            "spent": spent, "steps": steps, "integers": tower.first.integers,
            "tower": tower.state_dict(), "optimizer": optimizer.state_dict(),
        }, str(state) + ".new")
        os.replace(str(state) + ".new", state)

    def step():
        batch = next(batches)
        bits = calculate(tower, batch if options.as_played else turned(batch, comes, goes))
        optimizer.zero_grad(set_to_none=True)
        bits.backward()
        return bits.detach()

    for integers in (False, True):
        until = options.seconds if integers else floats
        if spent >= until:
            continue
        if integers and not tower.first.integers:
            tower.integers()
            optimizer = torch.optim.AdamW(tower.parameters(), 0, (0.9, 0.98), weight_decay=0)
        start = floats if integers else options.since
        calculate = torch.compile(loss) if options.compile else loss
        step()  # what has to be compiled is
        say("integers" if integers else "floats")
        mean, told, saved = None, time.time(), time.time()
        last = time.time()
        while spent < until:
            share = (spent - start) / (until - start)
            slope = 0.5 + 0.5 * math.cos(math.pi * share)
            slope *= ROUNDED if integers else 1 - ROUNDED
            rate = options.rate * (slope if integers else ROUNDED + slope)
            for group in optimizer.param_groups:
                group["lr"] = rate * min(1, (steps + 1) / 500)
            bits = step()
            optimizer.step()
            tower.first.limit()
            steps += 1
            mean = bits if mean is None else mean + (bits - mean) * 0.01
            if steps % 20 == 0:
                if device.type == "cuda":
                    torch.cuda.synchronize()
                now = time.time()
                spent, last = spent + now - last, now
                if now - told > 15:
                    told = now
                    say(f"{steps} steps, {mean.item():.4f} bits, rate {rate:.5f}")
                if now - saved > 60:
                    saved = now
                    save()
        save()
        if not integers:
            for folder in options.check:
                say(f"floats: {folder}: {check(tower, folder, device):.4f} bits")
    pathlib.Path(options.table).write_bytes(tower.bytes())
    for folder in options.check:
        say(f"integers: {folder}: {check(tower, folder, device):.4f} bits")


if __name__ == "__main__":
    main()
