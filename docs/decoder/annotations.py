"""What stands between the moves, and the pieces of a movetext (docs/FORMAT.md, 2.2 and 2.5)."""

from collections import namedtuple

import lines
from arithmetic import Damaged, Unsupported

MOST_NESTED = 64
MOST_PLIES = 8_388_608

# A piece of the movetext: `kind` is one of the kinds of 2.5, or move, open, close. Of a move there
# is the ply, of all others the text.
Piece = namedtuple("Piece", "kind text ply")

# Kinds of annotations whose text is a piece as it stands, and the kind of that piece.
TEXTS = {
    "suffix": "suffix",
    "glyph": "glyph",
    "comment": "comment",
    "line comment": "line comment",
    "other": "other",
    "uncoded variation": "other",
    "rest": "other",
}


class _Branch:
    """A line that is being written: its plies, and how many of them are pieces already."""

    def __init__(self, line):
        self.line, self.written = line, 0

    def moves(self, count):
        """The pieces of the next `count` moves."""
        first, self.written = self.written, self.written + count
        if not first <= self.written <= len(self.line):
            raise Damaged("an annotation behind the end of its line")
        return [Piece("move", "", ply) for ply in self.line[first : self.written]]


def pieces(codec, line, annotations):
    """The pieces of a record's movetext, in order, without the result (2.5).

    A variation is decoded where it begins: it replaces the last move of the line in which it
    stands, and its codec knows no move before its own.
    """
    written, branches, plies = [], [_Branch(line)], 0
    for element in annotations:
        branch, kind = branches[-1], element["kind"]
        written += branch.moves(element["skip"])
        if kind == "variation":
            plies += element["plies"]
            if branch.written == 0 or len(branches) > MOST_NESTED or plies > MOST_PLIES:
                raise Damaged("a variation where there can be none (2.5, 4)")
            start = branch.line[branch.written - 1].position
            variation = lines.decode(codec, start, element["plies"], element["code"])
            branches.append(_Branch(variation))
            written.append(Piece("open", "(", None))
        elif kind == "end":
            if len(branches) == 1 or branch.written < len(branch.line):
                raise Damaged("a variation ends where it cannot (2.5)")
            branches.pop()
            written.append(Piece("close", ")", None))
        elif kind not in TEXTS:
            raise Unsupported(f"annotations of the kind {kind} are not known (docs/FORMAT.md, 2.5)")
        elif element["text"] == "":
            raise Unsupported("texts in blocks of prose are not read here (docs/FORMAT.md, 1.14)")
        else:
            written.append(Piece(TEXTS[kind], element["text"] or "", None))
    if len(branches) > 1:
        raise Damaged("a variation does not end (2.5)")
    rest = len(line) - branches[0].written
    return written + branches[0].moves(rest)
