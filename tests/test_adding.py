"""The changes that `docs/adding.md` shows, applied to a copy of the project."""

import doctest
import importlib
import os
import re
import shlex
import shutil
import subprocess
import sys

import pytest

from tests.test_docs import BLOCK, OUTPUT_FLAGS, ROOT, commands

PAGE = (ROOT / "docs" / "adding.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## (.*)\n((?:(?!^## ).*\n)*)", PAGE, re.MULTILINE))
ROOMS = ("conf", "docs", "fleet", "models", "objectives", "runs", "search", "simulator", "tests", "typings")
FILES = {"A family": 3, "A metric": 3, "A workload": 2, "A format of `export`, with an option": 2}  # without docs
# A program of the copy: the installation, which would find its own modules first, is left out.
PROGRAM = """
import sys
sys.meta_path[:] = [finder for finder in sys.meta_path if not type(finder).__module__.startswith("_editable")]
sys.path[:0] = [COPY, COPY + "/typings"]
program, *words = sys.argv[1:]
if program == "pytest":
    import os, pytest
    os.chdir(COPY)
    raise SystemExit(pytest.main(["-q", "-p", "no:cacheprovider", *words]))
if program == "python":
    from runpy import run_module
    run_module(words[1], run_name="__main__")
    raise SystemExit
from isoplane.runs.cli.main import main
raise SystemExit(main(words))
"""


@pytest.fixture
def copy(tmp_path):
    """A copy of the project, with the compiled modules of the installation."""
    folder = tmp_path / "copy"
    for room in ROOMS:  # not links: the change must not touch the project
        shutil.copytree(ROOT / room, folder / room, symlinks=True, ignore=shutil.ignore_patterns("native"))
    shutil.copy(ROOT / "pyproject.toml", folder)
    for room in ("models", "objectives", "search", "simulator"):
        shutil.copy(importlib.import_module(f"isoplane.{room}._native").__file__, folder / room)
    return folder


@pytest.mark.parametrize("title", SECTIONS)
def test_a_change_that_the_page_shows_does_what_the_page_says(copy, tmp_path, title):
    blocks = [(language, text) for _, language, text in BLOCK.findall(SECTIONS[title])]
    diff = "".join(text for language, text in blocks if language == "diff")
    assert len(re.findall(r"^diff --git (?!a/docs/)", diff, re.MULTILINE)) == FILES[title]
    subprocess.run(["git", "apply"], input=diff, cwd=copy, text=True, check=True)
    (shown,) = (text for language, text in blocks if language == "sh")
    assert shown.startswith("$ ")
    environment = {**os.environ, "COLUMNS": "120"}
    for command, expected in commands(shown):
        words = [sys.executable, "-c", PROGRAM.replace("COPY", repr(str(copy))), *shlex.split(command)]
        done = subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
        output = (done.stdout or done.stderr).strip()
        assert done.returncode == (2 if expected.startswith("isoplane ") else 0), done.stdout + done.stderr
        assert not expected or doctest.OutputChecker().check_output(expected, output, OUTPUT_FLAGS), (
            f"{command}\n{output}"
        )
