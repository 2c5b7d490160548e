"""Codes of lines: which candidate each ply plays (docs/FORMAT.md: 1, 1.1, 1.8, 1.12).

Read are `line.uniform` and `line.fast`, also with null moves. A *weigher* is called with
a position, its candidates and the step before it, and returns what each candidate weighs.
"""

from collections import namedtuple
from functools import cache
from pathlib import Path

from arithmetic import Bytes, Damaged, RangeDecoder, RangeEncoder, Unsupported
from chess import KING, PAWN, attackers, reach

TABLES = Path(__file__).resolve().parents[2] / "crates" / "tables" / "chess"

MOST_PLIES = 65_536

# A ply of a line: the position, its candidates and the move that was played.
Ply = namedtuple("Ply", "position candidates move")


def uniform(_position, candidates, _before):
    """`line.uniform`: every candidate weighs 1 (section 1)."""
    return [1] * len(candidates)


@cache
def shares():
    """`F(0)` to `F(255)` (1.8, scores to weights)."""
    values = [1 << 62]
    while len(values) < 256:
        values.append(values[-1] * 4599216278082138665 >> 62)
    return [value >> 40 for value in values]


# The groups of features of `line.fast` and their sizes (chess/SPEC.md, The features of line.fast).
GROUPS = [24576, 9984, 432, 288, 3528, 48, 4, 24]


@cache
def gate():
    """`fast.gate`: its scale, and a signed byte for each feature (1.8, 1.11)."""
    data = (TABLES / "fast.gate").read_bytes()
    if data[:4] != b"PTG\x01" or len(data) != 8 + 1 + sum(GROUPS):
        raise Damaged("fast.gate is not the table that this decoder knows")
    scale = int.from_bytes(data[4:8], "little")
    return scale, [byte - 256 if byte > 127 else byte for byte in data[8:]]


def fast(position, candidates, before):
    """`line.fast`: candidates weigh what a small gate gives them (1.8)."""
    scale, table = gate()
    slots = fast_slots(position, candidates, before)
    sums = [sum(table[slot] for slot in its) for its in slots]
    best = max(sums)
    below = [(best - one) * scale >> 16 for one in sums]
    # No position of chess has 1,024 candidates, from which on weights are halved.
    return [max(1, shares()[score % 256] >> min(score // 256, 31)) for score in below]


# The worths of kinds of men; those of attackers are numbers of `least`, too.
WORTH = [1, 2, 2, 3, 4, 5]


def fast_slots(position, candidates, before):
    """The features that each candidate has (chess/SPEC.md, The features of line.fast)."""
    white, board = position.white, position.board
    turn = 0 if white else 56
    ply = 2 * (max(position.number, 1) - 1) + (not white)
    stretch = ply // 2 if ply < 16 else min(8 + (ply - 16) // 6, 25)
    late = int(sum(abs(man) > PAWN + 1 for man in board) < 9)
    their_king = board.index(-KING - 1 if white else KING + 1)
    without_king = board.copy()
    without_king[position.king] = 0
    last = before and last_move(before)
    firsts = [1 + sum(GROUPS[:number]) for number in range(len(GROUPS))]

    @cache
    def least(square):
        men = attackers(without_king, square, not white)
        return min((WORTH[abs(board[man]) - 1] for man in men), default=0)

    @cache
    def guard(square):
        return len(attackers(board, square, white))

    for move in candidates:
        origin, castling = move.origin, position.is_castling(move)
        to = position.castled(move)[0] if castling else move.destination
        kind = abs(board[origin]) - 1
        victim = 0
        if position.captures(move):
            victim = 1 + (abs(board[to]) - 1 if board[to] else PAWN)
        stays = kind == PAWN and origin % 8 == to % 8
        defended = int(guard(to) >= (1 if stays else 2))
        covered = int(guard(origin) >= 1)
        check = int(kind != KING and their_king in reach(board, kind, to, white))
        danger = 0 if least(to) == 0 else 2 if least(to) < WORTH[kind] else 1
        if victim:
            outcome = 2 if danger == 0 or WORTH[victim - 1] >= WORTH[kind] else 1
        else:
            outcome = 3 if danger == 2 or (danger == 1 and not defended) else 0
        from_, goal = origin ^ turn, to ^ turn
        numbers = [
            (kind * 64 + from_) * 64 + goal,
            (stretch * 6 + kind) * 64 + goal,
            (((kind * 6 + victim) * 3 + danger) * 2 + defended) * 2 + late,
            ((kind * 6 + least(origin)) * 2 + covered) * 4 + outcome,
            None,
            (check * 6 + kind) * 4 + outcome,
            None,
            None,
        ]
        if last:
            place, its_kind, captured = last
            numbers[4] = (step(place ^ turn, goal) * 6 + kind) * 12 + its_kind + 6 * captured
        if castling:
            numbers[6] = 2 * late + (move.destination > origin)
        if move.promotion:
            numbers[7] = (move.promotion - 1) * 6 + victim
        yield [first + number for first, number in zip(firsts, numbers) if number is not None]


def last_move(ply):
    """Of a move that was played: where its man went, his kind, and whether it captured."""
    position, _, move = ply
    to = position.castled(move)[0] if position.is_castling(move) else move.destination
    return to, abs(position.board[move.origin]) - 1, position.captures(move)


def step(a, b):
    """`step(a, b)` of chess/SPEC.md, The features of line.fast."""
    files, ranks = b % 8 - a % 8, b // 8 - a // 8
    return (min(max(files, -3), 3) + 3) * 7 + min(max(ranks, -3), 3) + 3


# The codecs that are read, by name and number (1), and whether they have null moves (1.12).
WEIGHERS = {
    "line.uniform/2": (uniform, False),
    "line.fast/6": (fast, False),
    "line.uniform-null/10": (uniform, True),
    "line.fast-null/11": (fast, True),
}


def decode(codec, position, plies, code):
    """The plies of a line from `position` on (1)."""
    if not 0 <= plies <= MOST_PLIES:
        raise Damaged("more plies than a line may have (docs/FORMAT.md, 4)")
    if codec not in WEIGHERS:
        raise Unsupported(f"lines of {codec} are not read here (docs/FORMAT.md, 1)")
    weigher, has_null = WEIGHERS[codec]
    data = Bytes(code)
    nulls = _null_plies(data, plies) if has_null else set()
    coder = RangeDecoder(data.rest())
    line = []
    for ply in range(1, plies + 1):
        candidates = position.candidates()
        if ply in nulls:
            move = position.null()
        elif not candidates:
            raise Damaged("a move where there is no candidate")
        elif len(candidates) == 1:
            move = candidates[0]
        else:
            weighed = weigher(position, candidates, line[-1] if line else None)
            move = candidates[coder.symbol(weighed)]
        line.append(Ply(position, candidates, move))
        position = position.after(move)
    return line


def _null_plies(data, plies):
    """Which plies, counted from 1, are null moves (1.12)."""
    nulls, ply = set(), 0
    for _ in range(data.number()):
        distance = data.number()
        ply += distance
        if distance == 0 or ply > plies:
            raise Damaged("a null move at a ply that the line does not have")
        nulls.add(ply)
    return nulls


def encode(codec, line):
    """The code of a line without null moves: who reads links compares it (5)."""
    weigher, _ = WEIGHERS[codec]
    coder = RangeEncoder()
    for ply, before in zip(line, [None, *line]):
        if len(ply.candidates) > 1:
            weighed = weigher(ply.position, ply.candidates, before)
            coder.symbol(weighed, ply.candidates.index(ply.move))
    return coder.code()
