"""Trains a small network that predicts the move played, and says how often it is right.

    pip install torch
    python python/examples/policy.py games.parquet

The positions come from the packed file as they are needed: nothing is written.
"""

import sys

import torch
from plypack.training import Positions
from torch import nn

STEPS = 2_000


def positions(path, split, **options):
    """Positions seen by the side to move, with Leela's 1,858 moves."""
    return Positions(
        path,
        split=split,
        boards="planes",
        perspective="mover",
        policy="leela",
        batch=512,
        **options,
    )


def tensors(batch):
    # Arrays are views that torch shares; the planes are bytes until here.
    return torch.from_numpy(batch["planes"]).float(), torch.from_numpy(batch["move"])


def network(moves):
    layers = [nn.Conv2d(12, 64, 3, padding=1), nn.ReLU()]
    for _ in range(3):
        layers += [nn.Conv2d(64, 64, 3, padding=1), nn.BatchNorm2d(64), nn.ReLU()]
    return nn.Sequential(*layers, nn.Conv2d(64, 32, 1), nn.Flatten(), nn.Linear(32 * 64, moves))


def accuracy(model, path):
    """How often the likeliest move is the one played, over the games kept for that."""
    right = count = 0
    model.eval()
    with torch.no_grad():
        for batch in positions(path, "validation"):
            planes, moves = tensors(batch)
            right += (model(planes).argmax(1) == moves).sum().item()
            count += len(moves)
    model.train()
    return right / max(count, 1)


def main(path):
    torch.manual_seed(0)
    training = positions(path, "train", seed=1)
    model = network(training.move_count)
    optimiser = torch.optim.AdamW(model.parameters(), 1e-3)
    step = 0
    while step < STEPS:
        before = step
        # Each iteration is an epoch, in another order.
        for batch in training:
            planes, moves = tensors(batch)
            loss = nn.functional.cross_entropy(model(planes), moves)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            step += 1
            if step % 100 == 0:
                print(f"step {step}: loss {loss.item():.3f}", flush=True)
            if step == STEPS:
                break
        if step == before:
            raise SystemExit(f"{path}: there are no positions to learn from")
    print(f"right in {accuracy(model, path):.1%} of the positions of other games")


if __name__ == "__main__":
    main(sys.argv[1])
