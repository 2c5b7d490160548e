"""Files: what of them is easier said in Python than in Rust."""

import io
import os

from plypack import _plypack
from plypack._plypack import File
from plypack._sources import FileRanges, HttpRanges, is_url


def _named(inputs):
    """Gives inputs that are no paths a name, which no other input may have."""
    alone = isinstance(inputs, (str, bytes, bytearray, memoryview, os.PathLike))
    if alone or hasattr(inputs, "read"):
        inputs = [inputs]
    named = []
    for number, one in enumerate(inputs, 1):
        if isinstance(one, (bytes, bytearray, memoryview)):
            named.append((f"bytes-{number}", bytes(one)))
        elif hasattr(one, "read"):
            name = getattr(one, "name", None)
            name = os.path.basename(name) if isinstance(name, str) else f"stream-{number}"
            if any(isinstance(other, tuple) and other[0] == name for other in named):
                name = f"{number}-{name}"
            named.append((name, one))
        else:
            named.append(os.fspath(one))
    return named


def pack(inputs, out, *, model=None, game=None, index=True, threads=0, progress=None):
    """Packs games into a file, with an index beside it, and returns a report.

    `inputs` is one input or several: paths of files, compressed or not, of folders and archives;
    bytes; files open in binary mode. `model` names a codec of moves, such as `small`, `default`,
    `fast` or `line.index`. `progress` is `True` for a bar, or a function that is called with the
    number of games and of bytes so far. A file at `out` is replaced once all of the new one is on
    disk.

    >>> import plypack
    >>> folder = getfixture("tmp_path")
    >>> plypack.pack(b"1. e4 e5 2. Nf3 *", folder / "a.parquet")["plies"]
    3
    """
    return _plypack._pack(
        _named(inputs),
        os.fspath(out),
        model=model,
        game=game,
        index=index,
        threads=threads,
        progress=progress,
    )


def open(what):
    """Opens packed files as one sequence of games.

    `what` is a path, a folder, whose `*.parquet` files are opened in order of name, a URL, bytes, a
    file that is open in binary mode and can seek, or a list of these. Of a URL only what is asked for is
    read, by ranges, with Python's own client; no index is looked for there.

    >>> import plypack
    >>> folder = getfixture("tmp_path")
    >>> _ = plypack.pack(b"1. e4 e5 2. Nf3 *", folder / "a.parquet")
    >>> games = plypack.open(folder / "a.parquet")
    >>> len(games), games[0].uci()
    (1, ['e2e4', 'e7e5', 'g1f3'])
    """
    several = isinstance(what, (list, tuple))
    paths, sources = [], []
    for one in what if several else [what]:
        if hasattr(one, "read") and hasattr(one, "seek"):
            name = getattr(one, "name", None)
            name = name if isinstance(name, str) else f"file-{len(sources) + 1}"
            sources.append((name, FileRanges(one)))
        elif isinstance(one, str) and is_url(one):
            sources.append((one, HttpRanges(one)))
        elif isinstance(one, (bytes, bytearray, memoryview)):
            sources.append((f"bytes-{len(sources) + 1}", FileRanges(io.BytesIO(one))))
        else:
            paths.append(os.fspath(one))
    if not paths and not sources:
        raise _plypack.InputError("there is nothing to open")
    if paths and sources:
        raise _plypack.InputError("open paths alone, or URLs, bytes and open files alone")
    return File(paths, sources)


def append(packed, inputs, *, index=False, threads=0, progress=None):
    """Appends games to a packed file, a path or an open `File`, and returns a report.

    Its games are copied as they are coded, new ones are coded like its first one, and an index is
    kept up to date.

    >>> import plypack
    >>> path = getfixture("tmp_path") / "a.parquet"
    >>> _ = plypack.pack(b"1. e4 *", path)
    >>> plypack.append(path, b"1. d4 *")["games"]
    1
    >>> len(plypack.open(path))
    2
    """
    file = packed if isinstance(packed, File) else File([os.fspath(packed)])
    return file._append(_named(inputs), index=index, threads=threads, progress=progress)


def merge(packed, out, *, index=True, progress=None):
    """Merges packed files into one, whose games are copied as they are coded; returns how many.

    >>> import plypack
    >>> folder = getfixture("tmp_path")
    >>> for name in "ab":
    ...     _ = plypack.pack(b"1. e4 *", folder / f"{name}.parquet")
    >>> plypack.merge([folder / "a.parquet", folder / "b.parquet"], folder / "c.parquet")
    2
    """
    return _plypack.merge(packed, out, index=index, progress=progress)


def unpack(packed, out=None, *, threads=0, progress=None):
    """Restores the bytes that were packed: into a file at `out`, or returns them.

    >>> import plypack
    >>> path = getfixture("tmp_path") / "a.parquet"
    >>> _ = plypack.pack(b"1. e4  e5 *", path)
    >>> plypack.unpack(path)
    b'1. e4  e5 *'
    """
    return _plypack.unpack(packed, out, threads=threads, progress=progress)
