"""Long calls: what they show while they run, and how they end."""

import os
import signal
import sys
import threading
from io import StringIO
from types import SimpleNamespace

import pytest

import isoplane as ip
from isoplane.face import waiting
from isoplane.models.families.torus import Torus
from isoplane.runs.terminal.live_line import ERASE
from tests.cases import for_each

from .calls import CIRCUITS, QUICK, SMALL


@pytest.fixture
def own_handler():
    """The handler of Ctrl-C that Python has: processes of parallel tests ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("own_handler")
def test_ctrl_c_ends_a_search_and_keeps_what_it_found():
    search = ip.find(network="hypercube", n=9, stop={"seconds": 60})
    next(search)
    threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        for _ in search:
            pass
    assert search.stopped_by == "interrupt"
    assert search.best["aspl"] > 1
    assert list(search) == []


@for_each(
    "call",
    [
        lambda: ip.simulate(network="torus", shape=[16, 16], loads=[0.5], saturation=False),
        lambda: ip.compare(nodes=20_000, ports=64, failures="all"),
    ],
)
@pytest.mark.usefixtures("own_handler")
def test_ctrl_c_ends_a_long_call(call):
    threading.Timer(1, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        call()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


class Terminal(StringIO):
    def isatty(self):
        return True


def in_notebook(monkeypatch, texts):
    """Let a kernel of a notebook seem to run, which records what is displayed."""
    shown = SimpleNamespace(update=lambda data, raw: texts.append(data["text/plain"]))

    def display(data, raw, display_id):
        shown.update(data, raw)
        return shown

    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: SimpleNamespace(kernel=None)))
    monkeypatch.setitem(sys.modules, "IPython.display", SimpleNamespace(display=display, DisplayHandle=object))


@for_each(
    ("call", "words"),
    [
        (lambda: ip.find(network="hypercube", n=7, stop={"seconds": 0.2}).best, "hypercube n=7; "),
        (lambda: ip.find(network="hypercube", nodes=128, ports=16, stop={"seconds": 0.1}).front, "size 4 of 4; hyper"),
        (lambda: ip.simulate(Torus(shape=(3, 3)), **QUICK), "simulation: 1 of 1 runs have ended"),
        (lambda: ip.simulate(**CIRCUITS, shorten=10), "s  simulation, "),
        (lambda: ip.compare(**SMALL), "s  done"),
    ],
)
def test_long_calls_show_their_state_in_notebooks(monkeypatch, call, words):
    monkeypatch.setattr(waiting, "INTERVAL_S", 0.01)
    texts = []
    in_notebook(monkeypatch, texts)
    call()
    assert words in texts[-1]


def test_a_terminal_is_cleared_of_the_state_and_a_file_never_has_it(monkeypatch):
    monkeypatch.setattr(waiting, "INTERVAL_S", 0.01)
    written = []
    for stream in (Terminal(), StringIO()):
        monkeypatch.setattr(sys, "stderr", stream)
        assert ip.find(network="hypercube", n=7, stop={"seconds": 0.2}).best["aspl"] > 1
        written.append(stream.getvalue())
    assert f"{ERASE}hypercube n=7; " in written[0]
    assert written[0].endswith(ERASE)
    assert written[1] == ""


def test_a_search_can_be_stopped():
    search = ip.find(network="hypercube", n=9, stop={"seconds": 60})
    first = next(search)
    search.stop()
    assert (search.stopped_by, search.best.metrics) == ("stop", first.metrics)
