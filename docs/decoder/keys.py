"""Keys and structures of positions (docs/FORMAT.md, 3.15, 10.1; chess/SPEC.md: Key, Structure)."""

from functools import cache, reduce
from operator import xor

from arithmetic import WORD
from chess import PAWN, PAWN_STEPS

CHESS = 2


@cache
def word(fact, game=CHESS):
    """The word of a fact of a game (3.15)."""
    state = (game << 56) + (fact + 1) * 0x9E3779B97F4A7C15 & WORD
    state = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 & WORD
    state = (state ^ state >> 27) * 0x94D049BB133111EB & WORD
    return state ^ state >> 31


def man_fact(man, square):
    """The fact that a man stands on a square: White's kinds are 0 to 5, Black's 6 to 11."""
    kind = man - 1 if man > 0 else 5 - man
    return 64 + 12 * square + kind


def words(facts):
    """The exclusive or of the words of facts."""
    return reduce(xor, map(word, facts), 0)


def key(position):
    """The key of a position (3.15)."""
    board = position.board
    facts = [8] + [man_fact(man, square) for square, man in enumerate(board) if man]
    if not position.white:
        facts.append(0)
    for rook in position.rights:
        facts.append((832 if board[rook] > 0 else 840) + rook % 8)
    if position.passed is not None and _may_pass(position):
        facts.append(848 + position.passed % 8)
    return words(facts)


def _may_pass(position):
    """Whether some pawn can take en passant."""
    pawn = PAWN + 1 if position.white else -PAWN - 1
    beside = PAWN_STEPS[not position.white][position.passed]
    if not any(position.board[square] == pawn for square in beside):
        return False
    return any(
        move.destination == position.passed and position.board[move.origin] == pawn
        for move in position.candidates()
    )


def structure(position):
    """The frame and the men of a position (chess/SPEC.md, Structure)."""
    frame, men, seen = [8], [], {}
    for square, man in enumerate(position.board):
        if abs(man) - 1 == PAWN:
            frame.append(man_fact(man, square))
        elif man:
            men.append(man_fact(man, seen.get(man, 0)))
            seen[man] = seen.get(man, 0) + 1
    return words(frame), words(men)
