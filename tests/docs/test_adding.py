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

from tests.docs.test_examples import OUTPUT_FLAGS, commands
from tests.test_docs import BLOCK, ROOT

PAGE = (ROOT / "docs" / "adding.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## (.*)\n((?:(?!^## ).*\n)*)", PAGE, re.MULTILINE))
ROOMS = ("conf", "docs", "face", "fleet", "models", "objectives", "runs", "search", "simulator", "tests", "typings")
FILES = {"A family": 3, "A metric": 3, "A workload": 2, "A format of `export`, with an option": 2}  # without docs
# The others are tests of small sources.
RULES = "pytest tests/test_architecture.py -k 'not detected and not found and not passes'"
# Runs commands with the copy, each in the folder of its section, and prints their exit codes. The installation, which
# would find its own modules first, is left out. Commands are forks of a process that has imported what takes longest.
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
for number, (folder, words) in enumerate(json.load(sys.stdin)):
    if not (process := os.fork()):
        for stream in (1, 2):
            os.dup2(os.open(f"{number}.{stream}", os.O_WRONLY | os.O_CREAT), stream)
        os.makedirs(folder, exist_ok=True)
        os.chdir(folder)
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


def test_the_changes_that_the_page_shows_do_what_it_says_and_keep_the_rules_of_the_architecture(copy, tmp_path):
    lines = [("architecture", RULES, "")]
    for title in sorted(SECTIONS, key=lambda title: title != "A metric"):  # whose commands write schemas of all records
        blocks = BLOCK.findall(SECTIONS[title])
        diff = "".join(text for _, language, text in blocks if language == "diff")
        assert len(re.findall(r"^diff --git (?!a/docs/)", diff, re.MULTILINE)) == FILES[title]
        subprocess.run(["git", "apply"], input=diff, cwd=copy, text=True, check=True)
        (shown,) = (text for _, language, text in blocks if language == "sh")
        assert shown.startswith("$ ")
        lines += [(title, *line) for line in commands(shown)]
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.replace("COPY", repr(str(copy)))],
        input=json.dumps([(title, shlex.split(command)) for title, command, _ in lines]),
        cwd=tmp_path,
        env={**os.environ, "COLUMNS": "120"},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    for number, ((_, command, expected), code) in enumerate(zip(lines, json.loads(done.stdout), strict=True)):
        out, err = ((tmp_path / f"{number}.{stream}").read_text() for stream in (1, 2))
        assert code == (2 if expected.startswith("isoplane ") else 0), out + err
        output = (out or err).strip()
        assert not expected or doctest.OutputChecker().check_output(expected, output, OUTPUT_FLAGS), (
            f"{command}\n{output}"
        )
