"""To python-chess and back. It need not be there for anything else."""


def to_chess(game):
    """Makes a `chess.pgn.Game` of a game, with comments, variations, clocks and evaluations.

    >>> import plypack
    >>> path = getfixture("tmp_path") / "a.parquet"
    >>> _ = plypack.pack(b"1. e4 {best} e5 (1... c5) 2. Nf3 *", path)
    >>> print(str(plypack.to_chess(plypack.open(path)[0])).splitlines()[-1])
    1. e4 { best } 1... e5 ( 1... c5 ) 2. Nf3 *
    """
    import chess.pgn

    made = chess.pgn.Game(game.tags)
    board = made.headers.board()
    made.setup(board)
    tree = game.tree("uci")
    made.comment = " ".join(tree.comments)
    _add_moves(made, tree.moves, board)
    return made


def _add_moves(node, moves, board):
    """Adds moves after a node whose position is `board`, which is left changed."""
    for move in moves:
        before, here = node, board.copy(stack=False)
        played = board.parse_uci(move.text)
        board.push(played)
        node = before.add_variation(played)
        node.nags.update(move.glyphs)
        node.comment = " ".join(move.comments)
        if move.clock is not None:
            node.set_clock(move.clock)
        if move.elapsed is not None:
            node.set_emt(move.elapsed)
        score = _score(move)
        if score is not None:
            node.set_eval(score)
        for variation in move.variations:
            _add_variation(before, variation, here.copy(stack=False))


def _add_variation(before, variation, board):
    """Adds an alternative to the last move of a node."""
    if not variation.moves:
        return
    known = len(before.variations)
    _add_moves(before, variation.moves, board)
    # The comments of a variation come before its first move.
    before.variations[known].starting_comment = " ".join(variation.comments)


def _score(move):
    import chess.engine

    if move.mate is not None:
        return chess.engine.PovScore(chess.engine.Mate(move.mate), chess.WHITE)
    if move.centipawns is not None:
        return chess.engine.PovScore(chess.engine.Cp(move.centipawns), chess.WHITE)
    return None


def from_chess(games):
    """Returns the bytes of one `chess.pgn.Game` or several, to give to `pack` or `append`.

    >>> import chess.pgn, io, plypack
    >>> game = chess.pgn.read_game(io.StringIO("1. e4 e5 *"))
    >>> path = getfixture("tmp_path") / "a.parquet"
    >>> plypack.pack(plypack.from_chess(game), path)["plies"]
    2
    """
    import chess.pgn

    if isinstance(games, chess.pgn.GameNode):
        games = [games]
    return b"".join(f"{game}\n\n".encode() for game in games)
