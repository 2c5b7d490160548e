"""Progress: a function of the caller's, or a bar."""

import contextlib
import sys
import time


@contextlib.contextmanager
def teller(progress):
    """Yields a function of the numbers of games and bytes, or None."""
    if progress is None or progress is False:
        yield None
    elif callable(progress):
        yield progress
    else:
        bar = _Bar()
        try:
            yield bar.show
        finally:
            bar.end()


class _Bar:
    """A line on the terminal that says how much is done and how fast."""

    def __init__(self):
        self._begun = time.monotonic()
        self._shown = ""

    def show(self, games, size):
        rate = games / max(time.monotonic() - self._begun, 1e-9)
        text = f"{games:,} games, {size / 1e6:,.1f} MB, {rate:,.0f} games/s"
        print(f"\r{text:<{len(self._shown)}}", end="", file=sys.stderr, flush=True)
        self._shown = text

    def end(self):
        if self._shown:
            print(file=sys.stderr)
