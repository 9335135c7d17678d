"""Files are whole or absent, whatever ends the program that writes them."""

import errno
import os
import re
import resource
import signal
import stat
import subprocess
import sys
from contextlib import contextmanager

import pytest

from isoplane.models.files.output_file import append_line, remove_temporary, temporary_path, write_atomically
from tests.cases import for_each


@contextmanager
def largest_file(size):
    """Limit the size of files, as a full disk would."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_an_interrupted_write_leaves_only_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "summary.json"
    write_atomically(path, "old")

    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_atomically(path, "new")
    assert path.read_text() == "old"
    assert [file.name for file in tmp_path.iterdir()] == ["summary.json"]


def test_a_file_follows_the_umask_and_has_exactly_the_bytes_of_the_text(tmp_path):
    path = tmp_path / "summary.json"
    (tmp_path / "other").touch()
    write_atomically(path, "a\nü\n")
    assert path.read_bytes() == "a\nü\n".encode()
    assert stat.S_IMODE(path.stat().st_mode) == stat.S_IMODE((tmp_path / "other").stat().st_mode)


def test_a_killed_writer_leaves_a_complete_file(tmp_path):
    path = tmp_path / "summary.json"
    endless = (
        "import itertools, sys\nfrom isoplane.models.files.output_file import write_atomically\n"
        "for i in itertools.count():\n"
        "    write_atomically(sys.argv[1], str(i % 10) * 500_000)\n"
        "    if i == 20: print('writing', flush=True)\n"
    )
    process = subprocess.Popen([sys.executable, "-c", endless, str(path)], stdout=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.readline()
    process.send_signal(signal.SIGKILL)
    process.communicate()
    text = path.read_text()
    assert len(text) == 500_000
    assert len(set(text)) == 1
    leftovers = [file.name for file in tmp_path.iterdir() if file != path]
    assert all(re.fullmatch(r"\.summary\.json\.[0-9a-f]{16}\.tmp", name) for name in leftovers)


@for_each("content", ["a" * 10_000, b"a" * 10_000, [b"a" * 5000, b"a" * 5000]])
def test_content_that_does_not_fit_leaves_the_old_file_and_names_the_new_one(tmp_path, content):
    path = tmp_path / "page.html"
    write_atomically(path, "old")
    with largest_file(9000), pytest.raises(OSError, match="File too large") as raised:
        write_atomically(path, content)
    assert (raised.value.errno, raised.value.filename) == (errno.EFBIG, str(path))
    assert [(file.name, file.read_text()) for file in tmp_path.iterdir()] == [("page.html", "old")]
    write_atomically(path, content)
    assert path.read_text() == "a" * 10_000


@pytest.mark.parametrize("lines", [0, 1])
@pytest.mark.parametrize("room", [0, 3])
def test_a_line_that_does_not_fit_is_not_appended_at_all(tmp_path, lines, room):
    path = tmp_path / "history.csv"
    for _ in range(lines):
        append_line(path, "first")
    with largest_file(lines * len("first\n") + room), pytest.raises(OSError, match=r"too large|No space") as raised:
        append_line(path, "second")
    assert raised.value.filename == str(path)
    assert [file.read_text() for file in tmp_path.iterdir()] == ["first\n"] * lines


def test_what_killed_programs_left_is_removed_and_nothing_else(tmp_path):
    (tmp_path / "records").mkdir()
    kept = [tmp_path / ".notes.tmp", tmp_path / "records" / "a.tmp", tmp_path / "summary.json"]
    left = [temporary_path(tmp_path / "summary.json"), temporary_path(tmp_path / "records" / "a.json")]
    folder = temporary_path(tmp_path / "opensm")
    (folder / "plane0").mkdir(parents=True)
    for file in (*kept, *left, folder / "plane0" / "fabric"):
        file.touch()
    remove_temporary(tmp_path)
    assert all(file.exists() for file in kept)
    assert not any(file.exists() for file in (*left, folder))
