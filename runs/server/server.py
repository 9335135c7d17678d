"""The server of `isoplane serve`: GET and HEAD on loopback, of its own pages and of files that runs have written."""

import json
import os
import socketserver
import sys
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from hashlib import sha256
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path, PurePosixPath
from socket import socket
from typing import Any
from urllib.parse import quote_from_bytes, unquote

import jinja2

from isoplane.models import InputError
from isoplane.models.checks import check_int
from isoplane.runs.drawing.drawing import DARK, LIGHT
from isoplane.runs.terminal.messages import print_message

from .run_states import Cache, listed_runs
from .shared_files import Place, chunks_of, entries_of, is_shown, opened

ADDRESS = "127.0.0.1"
# A page elsewhere whose name leads to this address, by DNS, must not read what is served; a tunnel has any port.
HOSTS = ("localhost", ADDRESS)
FILES = "files"  # first part of the paths of files
HERE = Path(__file__).parent
STYLE = HERE.parent / "report" / "page.css"
SCAN_S = 1.0  # runs are listed at most this often, for all browsers together
SCAN_SHARE = 0.05  # most of the time that is spent on that
TIMEOUT_S = 15.0  # of a request that does not arrive, or an answer that nobody takes
MAX_CONNECTIONS = 128
METHODS = "GET, HEAD"
OWN_POLICY = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'"
# Reports have script and style inside; the sandbox keeps what is in the folder from reading the files beside it.
FILE_POLICY = "sandbox allow-scripts allow-downloads; default-src 'none'; style-src 'unsafe-inline'; " \
    "script-src 'unsafe-inline'; img-src data:"  # fmt: skip
CLOSED = "; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
HTML = "text/html; charset=utf-8"
TEXT = "text/plain; charset=utf-8"
TYPES: Mapping[str, str] = {
    ".html": HTML,
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".pdf": "application/pdf",
    **dict.fromkeys((".csv", ".jsonl", ".yaml", ".yml", ".txt", ".log", ".ndl"), TEXT),
}
ANY_TYPE = "application/octet-stream"


@contextmanager
def listening(folder: Path, port: object) -> Iterator[ThreadingHTTPServer]:
    """Listen on loopback for requests for a folder, inside the block; `serve_forever` answers them.

    Parameters
    ----------
    folder
        The folder, in which nothing is locked or written.
    port
        The port; 0 for any that is free.

    Raises
    ------
    InputError
        If there is no such folder, or the port cannot be had.
    """
    number = check_int("port", port, 0, 65535)
    try:
        root = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError as error:
        raise InputError(f"folder={folder}: {error.strerror}; expected a folder of runs") from error
    try:
        try:
            server = _Server((ADDRESS, number), _Handler)
        except OSError as error:
            raise InputError(f"port={number}: {error.strerror}; expected a free port, or 0 for any") from error
        with server:
            server.share(root, folder)
            yield server
    finally:
        os.close(root)


class _Server(ThreadingHTTPServer):
    """Answers every request in a thread, of which none outlives the program."""

    daemon_threads = True
    block_on_close = False
    request_queue_size = MAX_CONNECTIONS
    root: int
    title: str

    def share(self, root: int, folder: Path) -> None:
        """Serve an open folder."""
        self.root, self.title = root, str(folder)
        self._slots = threading.BoundedSemaphore(MAX_CONNECTIONS)
        self._lock = threading.Lock()
        self._cache: Cache = {}
        self._listed, self._due = b"", 0.0

    def server_bind(self) -> None:
        """Bind the address, whose name nobody needs: to look it up may take seconds."""
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = self.server_address[:2]  # type: ignore[assignment]

    def process_request(self, request: socket | tuple[bytes, socket], client_address: Any) -> None:
        """Answer a request in a thread; close it at once if there are too many."""
        if self._slots.acquire(blocking=False):
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def process_request_thread(self, request: socket | tuple[bytes, socket], client_address: Any) -> None:
        """Answer a request."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._slots.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say in one line what went wrong, unless the browser has gone, or the server has closed folder or connection.

        An interruption while a connection is handed to its thread closes the connection first.
        """
        error = sys.exception()
        is_open = self.fileno() >= 0 and request.fileno() >= 0
        if is_open and not isinstance(error, (ConnectionError, TimeoutError)):
            print_message(f"isoplane serve: {error!r}")

    def listed(self) -> bytes:
        """Return the runs as JSON, as they were a moment ago."""
        with self._lock:
            began = time.monotonic()
            if began >= self._due:
                self._listed = json.dumps(listed_runs(self.root, self._cache)).encode()
                ended = time.monotonic()
                self._due = ended + max(SCAN_S, (ended - began) / SCAN_SHARE)
            return self._listed


class _Handler(BaseHTTPRequestHandler):
    """Answers one request, and closes its connection."""

    server: _Server
    timeout = TIMEOUT_S

    def version_string(self) -> str:
        """Return the name of the program without its version."""
        return "isoplane"

    def log_message(self, format: str, *args: object) -> None:  # the name in the library
        """Log nothing."""

    def do_GET(self) -> None:  # the name in the library
        """Answer with a page, a list or a file."""
        host, _, port = self.headers.get("Host", "").partition(":")
        if host.lower() not in HOSTS or not (port.isdecimal() or not port):
            return self.send_error(HTTPStatus.FORBIDDEN)
        path = self.path.partition("?")[0]
        names = tuple(unquote(part, errors="surrogateescape") for part in path.split("/")[1:])
        if names == ("",):
            self._send(_page(self.server.title), HTML)
        elif names == ("runs.json",):
            self._send(self.server.listed(), "application/json")
        elif len(names) == 1 and names[0] in _own_files():
            self._send(*_own_files()[names[0]])
        elif path.startswith("/") and names[0] == FILES:
            self._send_below(names[1:])
        else:
            self.send_error(HTTPStatus.NOT_FOUND)
        return None

    do_HEAD = do_GET  # noqa: N815  # the name in the library

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Answer with an error in a few words, which repeat nothing of the request."""
        if code == HTTPStatus.NOT_IMPLEMENTED:  # a method without a function here
            code = HTTPStatus.METHOD_NOT_ALLOWED
        self._begin(code, TEXT, OWN_POLICY)
        if code == HTTPStatus.METHOD_NOT_ALLOWED:
            self.send_header("Allow", METHODS)
        text = f"{int(code)} {HTTPStatus(code).phrase}\n".encode()
        self._end([text], len(text))

    def _begin(self, code: int, kind: str, policy: str) -> None:
        self.send_response(code)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Security-Policy", policy + CLOSED)
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Referrer-Policy", "no-referrer")
        self.send_header("Cross-Origin-Resource-Policy", "same-origin")
        self.send_header("Cache-Control", "no-cache")

    def _end(self, content: Iterable[bytes], size: int) -> None:
        self.send_header("Content-Length", str(size))
        self.end_headers()
        if self.command != "HEAD":
            for chunk in content:
                self.wfile.write(chunk)

    def _send(self, content: bytes, kind: str) -> None:
        """Answer with something made here, or that it is what the browser has."""
        tag = f'"{sha256(content).hexdigest()[:32]}"'
        known = self.headers.get("If-None-Match") == tag
        self._begin(HTTPStatus.NOT_MODIFIED if known else HTTPStatus.OK, kind, OWN_POLICY)
        self.send_header("ETag", tag)
        if known:
            self.end_headers()
        else:
            self._end([content], len(content))

    def _send_below(self, names: Place) -> None:
        """Answer with a file, or with the list of a folder, whose path ends with a slash."""
        place = names[:-1] if names and not names[-1] else names
        try:
            with opened(self.server.root, place) as descriptor:
                try:
                    files, folders = entries_of(descriptor)
                except NotADirectoryError:
                    if place is not names:
                        raise
                    size = os.fstat(descriptor).st_size
                    self._begin(HTTPStatus.OK, TYPES.get(PurePosixPath(place[-1]).suffix, ANY_TYPE), FILE_POLICY)
                    return self._end(chunks_of(descriptor, size), size)
        except (OSError, ValueError) as error:
            if isinstance(error, (ConnectionError, TimeoutError)):
                raise
            return self.send_error(HTTPStatus.NOT_FOUND)
        if place is names:
            self._begin(HTTPStatus.MOVED_PERMANENTLY, TEXT, OWN_POLICY)
            self.send_header("Location", f"/{'/'.join([FILES, *map(_link, place)])}/")
            return self._end((), 0)
        return self._send(_listing(self.server.title, place, files, folders), HTML)


@cache
def _own_files() -> dict[str, tuple[bytes, str]]:
    """Return content and type of the style and the script of the pages."""
    colours = [f":root {{ {_variables(LIGHT)} color-scheme: light dark; }}"]
    colours.append(f"@media (prefers-color-scheme: dark) {{ :root {{ {_variables(DARK)} }} }}")
    style = [*colours, *(path.read_text(encoding="utf-8") for path in (STYLE, HERE / "runs.css"))]
    script = (HERE / "runs.js").read_bytes()
    return {
        "style.css": ("\n".join(style).encode(), "text/css; charset=utf-8"),
        "script.js": (script, "text/javascript; charset=utf-8"),
    }


def _variables(colours: Mapping[str, str]) -> str:
    return " ".join(f"--{name}: {colour};" for name, colour in colours.items())


@cache
def _template(name: str) -> jinja2.Template:
    loader = jinja2.FileSystemLoader(HERE)
    return jinja2.Environment(loader=loader, autoescape=True, undefined=jinja2.StrictUndefined).get_template(name)


def _page(title: str) -> bytes:
    return _template("runs.html.jinja").render(title=title).encode(errors="replace")


def _listing(title: str, place: Place, files: Mapping[str, os.stat_result], folders: list[str]) -> bytes:
    """Return the page that lists a folder."""
    rows: list[tuple[str, str, int | None]] = [(name, f"{_link(name)}/", None) for name in sorted(folders)]
    rows += [(name, _link(name), files[name].st_size) for name in sorted(files) if is_shown(name)]
    return _template("files.html.jinja").render(title=title, place=place, rows=rows).encode(errors="replace")


def _link(name: str) -> str:
    return quote_from_bytes(os.fsencode(name), safe="")
