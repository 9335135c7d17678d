"""The changes that `docs/adding.md` shows, applied to a copy of the project."""

import doctest
import importlib
import json
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
ROOMS = ("conf", "docs", "face", "fleet", "models", "objectives", "runs", "search", "simulator", "tests", "typings")
FILES = {"A family": 3, "A metric": 3, "A workload": 2, "A format of `export`, with an option": 2}  # without docs
# Runs the commands of a section with the copy, one by one, and prints their exit codes. The installation, which would
# find its own modules first, is left out. Commands are forks of a process that has imported what takes longest.
PROGRAM = """
import json, os, sys
import absl.logging, hydra, hypothesis.strategies, igraph, jsonschema, matplotlib.figure, omegaconf, pytest
from runpy import run_module

sys.meta_path[:] = [finder for finder in sys.meta_path if not type(finder).__module__.startswith("_editable")]
sys.path[:0] = [COPY, COPY + "/typings"]
from isoplane.runs.cli import evaluate, main

def run(program, *words):
    if program == "pytest":
        os.chdir(COPY)
        return pytest.main(["-q", "-p", "no:cacheprovider", *words])
    if program == "python":
        run_module(words[1], run_name="__main__")
        return 0
    return main.main(list(words))

codes = []
for number, words in enumerate(json.load(sys.stdin)):
    if not (process := os.fork()):
        for stream in (1, 2):
            os.dup2(os.open(f"{number}.{stream}", os.O_WRONLY | os.O_CREAT), stream)
        raise SystemExit(run(*words))
    codes.append(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]))
print(json.dumps(codes))
"""


@pytest.fixture
def copy(tmp_path):
    """A copy of the project, with the compiled modules of the installation."""
    folder = tmp_path / "copy"
    folder.mkdir()  # not links: the change must not touch the project
    subprocess.run(["cp", "-a", *(ROOT / room for room in ROOMS), ROOT / "pyproject.toml", folder], check=True)
    for room in ("models", "objectives", "search", "simulator"):
        shutil.copy(importlib.import_module(f"isoplane.{room}._native").__file__, folder / room)
    return folder


def apply(blocks, folder):
    """Apply the diffs among the blocks of a page, and return them."""
    diff = "".join(text for _, language, text in blocks if language == "diff")
    subprocess.run(["git", "apply"], input=diff, cwd=folder, text=True, check=True)
    return diff


def test_the_changes_that_the_page_shows_keep_the_rules_of_the_architecture(copy):
    apply(BLOCK.findall(PAGE), copy)
    # The number of public classes is a budget: it is full, and a new family has a class.
    words = ["-q", "-p", "no:cacheprovider", "-k", "not public_classes and not detected", "tests/test_architecture.py"]
    done = subprocess.run([sys.executable, "-m", "pytest", *words], cwd=copy, stdout=subprocess.PIPE, text=True)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("title", SECTIONS)
def test_a_change_that_the_page_shows_does_what_the_page_says(copy, tmp_path, title):
    blocks = BLOCK.findall(SECTIONS[title])
    diff = apply(blocks, copy)
    assert len(re.findall(r"^diff --git (?!a/docs/)", diff, re.MULTILINE)) == FILES[title]
    (shown,) = (text for _, language, text in blocks if language == "sh")
    assert shown.startswith("$ ")
    lines = list(commands(shown))
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.replace("COPY", repr(str(copy)))],
        input=json.dumps([shlex.split(command) for command, _ in lines]),
        cwd=tmp_path,
        env={**os.environ, "COLUMNS": "120"},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    for number, ((command, expected), code) in enumerate(zip(lines, json.loads(done.stdout), strict=True)):
        out, err = ((tmp_path / f"{number}.{stream}").read_text() for stream in (1, 2))
        assert code == (2 if expected.startswith("isoplane ") else 0), out + err
        output = (out or err).strip()
        assert not expected or doctest.OutputChecker().check_output(expected, output, OUTPUT_FLAGS), (
            f"{command}\n{output}"
        )
