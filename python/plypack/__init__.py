"""Board-game records in close to the fewest bits: packed, searched, and as training data.

>>> import plypack
>>> cell = plypack.encode(["e4", "e5", "Nf3"])
>>> plypack.decode(cell)
['e4', 'e5', 'Nf3']
"""

from plypack._chess import from_chess, to_chess
from plypack._files import append, merge, open, pack, unpack
from plypack._plypack import (
    Branch,
    Branches,
    DamagedError,
    Duplicate,
    File,
    FileError,
    Found,
    Game,
    InputError,
    Linked,
    MoveError,
    MoveNode,
    Step,
    Table,
    Tree,
    TreeMove,
    Variation,
    __version__,
    codecs,
    decode,
    decode_position,
    encode,
    encode_position,
    games,
    link,
    unlink,
)

__all__ = [
    "Branch",
    "Branches",
    "DamagedError",
    "Duplicate",
    "File",
    "FileError",
    "Found",
    "Game",
    "InputError",
    "Linked",
    "MoveError",
    "MoveNode",
    "Step",
    "Table",
    "Tree",
    "TreeMove",
    "Variation",
    "__version__",
    "append",
    "codecs",
    "decode",
    "decode_position",
    "encode",
    "encode_position",
    "from_chess",
    "games",
    "link",
    "merge",
    "open",
    "pack",
    "to_chess",
    "unlink",
    "unpack",
]
