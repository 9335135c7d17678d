"""The benchmark that ends verbs at seeded moments: a small sample of it, and that it notices what is not whole."""

import importlib
import random
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"


@pytest.fixture(scope="module")
def script():
    """The script, which is not in a package."""
    with pytest.MonkeyPatch.context() as patched:
        patched.syspath_prepend(str(BENCHMARKS))
        yield importlib.import_module("interruptions")
        patched.delitem(sys.modules, "interruptions")


@pytest.mark.parametrize("verb", ["evaluate", "import", "export"])
def test_whatever_ends_a_verb_its_files_are_whole_and_its_messages_true(script, verb):
    wrong, counts = script.campaign(verb, ("SIGINT", "SIGTERM", "SIGKILL", "size"), 3, seed=7)
    assert wrong == []
    assert sum(counts.values()) == 12
    assert counts["size 2"]


@pytest.mark.parametrize(
    ("name", "whole", "cut"),
    [
        ("a.json", b'{"a": [1, 2]}\n', 8),
        ("a.csv", b"a,b\n1,2\n", 7),
        ("a.csv", b"a,b\n1,2\n3,4\n", 10),
        ("a.html", b"<html><p>a</p></html>\n", 18),
        ("a.svg", b"<svg><g/></svg>", 9),
        ("a.yaml", b"a: 1\nb: [2, 3]\n", 12),
        ("a.png", b"\x89PNG...IEND\xaeB`\x82", 10),
    ],
)
def test_a_file_that_is_cut_is_noticed(script, name, whole, cut):
    assert script.is_well_formed(name, whole)
    assert not script.is_well_formed(name, whole[:cut])


def test_what_is_wrong_after_a_run_is_noticed(script):
    usual = script.Undisturbed({"a.csv": b"1\n", "b.csv": b"2\n"}, frozenset({"a.csv"}), 0, 1.0, 5)
    fault = script.Fault("SIGINT", 1)

    def found(outcome, **files):
        contents = {name.replace("_", "."): content for name, content in files.items()}
        return list(script.problems("export", usual, fault, script.Outcome(*outcome, 1.0), contents))

    interrupted = (130, "", "isoplane export: interrupted\n")
    assert found(interrupted, a_csv=b"1\n") == []
    assert found(interrupted, a_csv=b"1") == ["a.csv differs"]
    assert found(interrupted, b_csv=b"2") == ["b.csv is not whole"]
    assert found(interrupted, **{"_b_csv_0123456789abcdef_tmp": b""}) == [".b.csv.0123456789abcdef.tmp is left"]
    assert found((130, "", "")) == ["exit code 130: []"]
    assert found((0, "", ""), a_csv=b"1\n") == ["exit code 0 without b.csv"]
    assert found((2, "", "isoplane export: disk full\n")) == ["exit code 2: ['isoplane export: disk full']"]


def test_faults_are_seeded(script):
    usual = script.Undisturbed({"a.csv": bytes(5000)}, frozenset(), 0, 1.0, 5)
    for kind in script.KINDS:
        one, other = (list(script.faults(kind, usual, 6, random.Random(3))) for _ in range(2))
        assert one == other
        assert len(set(one)) > 1
