"""Trains a small network that predicts the move played, and says how often it is right.

    pip install -r python/requirements-examples.txt
    python python/examples/policy.py games.parquet

It takes about a minute on one core. The positions come from the packed file as they are needed:
nothing is written.
"""

import sys
import time

import torch
from plypack.training import Positions
from torch import nn

STEPS = 1_000
BATCH = 512

#: The positions of a game follow each other and are alike: batches are taken from more of them.
POOL = 64 * BATCH


def positions(path, split, **options):
    """Positions seen by the side to move, with Leela's 1,858 moves."""
    return Positions(
        path,
        split=split,
        boards="planes",
        perspective="mover",
        policy="leela",
        batch=POOL,
        **options,
    )


def batches(training):
    """Shuffled batches without end; each iteration of `training` is an epoch, in another order."""
    if training.count()[1] < BATCH:
        raise SystemExit("there are too few positions to learn from")
    while True:
        for pool in training:
            # Arrays are views that torch shares; the planes are bytes until they are needed.
            planes, moves = torch.from_numpy(pool["planes"]), torch.from_numpy(pool["move"])
            for rows in torch.randperm(len(moves)).split(BATCH):
                yield planes[rows].float(), moves[rows]


def network(moves):
    return nn.Sequential(
        nn.Flatten(), nn.Linear(12 * 64, 512), nn.ReLU(), nn.Linear(512, 512), nn.ReLU(),
        nn.Linear(512, moves),
    )  # fmt: skip


def accuracy(model, path):
    """How often the likeliest of the legal moves is the one played, over games kept for that."""
    right = count = 0
    with torch.no_grad():
        for batch in positions(path, "validation", legal="mask"):
            scores = model(torch.from_numpy(batch["planes"]).float())
            legal, played = torch.from_numpy(batch["legal"]), torch.from_numpy(batch["move"])
            likeliest = scores.masked_fill(~legal, -torch.inf).argmax(1)
            right += (likeliest == played).sum().item()
            count += len(played)
    return right / max(count, 1), count


def main(path):
    torch.manual_seed(0)
    torch.set_num_threads(1)
    begun = time.process_time()
    training = positions(path, "train", seed=1)
    model = network(training.move_count)
    optimiser = torch.optim.AdamW(model.parameters(), 1e-3)
    step = 0
    for planes, moves in batches(training):
        loss = nn.functional.cross_entropy(model(planes), moves)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        step += 1
        if step % 100 == 0:
            print(f"step {step}: loss {loss.item():.3f}", flush=True)
        if step == STEPS:
            break
    print(f"trained in {time.process_time() - begun:.0f} s of processor time")
    share, count = accuracy(model, path)
    print(f"right in {share:.1%} of {count:,} positions of other games")


if __name__ == "__main__":
    main(sys.argv[1])
