"""A bar that shows progress."""

import sys
import time


class Bar:
    """A line that says how much is done and how fast, on a terminal or in a notebook.

    Elsewhere, such as in a log, it shows nothing: there no line can be written over.
    """

    def __init__(self):
        self._begun = time.monotonic()
        self._shown = ""
        terminal = sys.stderr is not None and sys.stderr.isatty()
        self._visible = terminal or "ipykernel" in sys.modules

    def show(self, games, size):
        if not self._visible:
            return
        rate = games / max(time.monotonic() - self._begun, 1e-9)
        text = f"{games:,} games, {size / 1e6:,.1f} MB, {rate:,.0f} games/s"
        print(f"\r{text:<{len(self._shown)}}", end="", file=sys.stderr, flush=True)
        self._shown = text

    def end(self):
        if self._shown:
            print(file=sys.stderr)
