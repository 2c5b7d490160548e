"""Files that are read by ranges: open files, and URLs."""

import threading
import urllib.request

from plypack._plypack import FileError


def is_url(text):
    """Whether a text is the address of a file on a server."""
    return text.startswith(("http://", "https://"))


class FileRanges:
    """Reads ranges of a file that is open in binary mode, such as fsspec's."""

    def __init__(self, file):
        self._file = file
        # The place in the file is shared by threads.
        self._lock = threading.Lock()

    def size(self):
        with self._lock:
            return self._file.seek(0, 2)

    def read_range(self, start, end):
        with self._lock:
            self._file.seek(start)
            parts = []
            while start < end:
                part = self._file.read(end - start)
                if isinstance(part, str):
                    raise TypeError("open the file in binary mode")
                if not part:
                    break
                parts.append(part)
                start += len(part)
            return b"".join(parts)


class HttpRanges:
    """Reads ranges of a file on a server."""

    def __init__(self, url):
        self._url = url

    def _open(self, headers, method):
        request = urllib.request.Request(self._url, headers=headers, method=method)
        try:
            return urllib.request.urlopen(request, timeout=60)
        except OSError as error:
            # The Rust side adds the address.
            raise FileError(getattr(error, "reason", error)) from error

    def size(self):
        with self._open({}, "HEAD") as answer:
            length = answer.headers.get("Content-Length")
        if length is None:
            raise FileError("the server does not tell its size; download it")
        return int(length)

    def read_range(self, start, end):
        with self._open({"Range": f"bytes={start}-{end - 1}"}, "GET") as answer:
            if answer.status != 206:
                raise FileError("the server serves no ranges; download it")
            return answer.read()
