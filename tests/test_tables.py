"""The tables of numbers in the documentation are the current output of their scripts."""

import importlib
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
SOLVED_IN_SECONDS = range(3, 9)  # programs at every depth; for larger n the kept certificates are compared


@pytest.fixture(scope="module")
def script():
    """Import a script of `benchmarks/`, which are no package."""
    with pytest.MonkeyPatch.context() as patched:
        patched.syspath_prepend(str(ROOT / "benchmarks"))
        names = set(sys.modules)
        yield importlib.import_module
        for name in set(sys.modules) - names:
            if not name.startswith("isoplane"):
                patched.delitem(sys.modules, name)


def shown(script, name, page="bounds.md"):
    return script("pages").table_of(DOCS / page, name)


def test_the_table_of_all_bounds_is_that_of_the_certificates_and_the_best_records(script):
    bounds = script("bounds")
    assert shown(script, "metrics") == list(bounds.markdown(bounds.metrics_table(bounds.WITH_CABLES)))


def test_the_table_of_depths_is_what_the_programs_prove(script):
    bounds = script("bounds")
    head, rule, *rows = shown(script, "depths")
    small = list(bounds.markdown(bounds.depths_table(SOLVED_IN_SECONDS)))
    assert [head, rule] == small[:2]
    assert [row for row in rows if int(row.split(" | ")[1]) in SOLVED_IN_SECONDS] == small[2:]


def test_the_table_of_depths_has_the_sums_that_are_certified_enumerated_and_known(script, monkeypatch):
    bounds = script("bounds")
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in shown(script, "depths")[2:]]
    assert len(cells) == 2 * len(bounds.WITH_CABLES)
    # Without its solver the script fills in what is kept; at other depths it repeats that, which only bounds them.
    kept = bounds.sum_at_depth
    monkeypatch.setattr(bounds, "sum_at_depth", lambda n, folded, _: kept(n, folded, bounds.DEPTHS[folded][n]))
    for there, row in zip(cells, list(bounds.depths_table(bounds.WITH_CABLES))[1:], strict=True):
        depths, (enumerated, known) = there[2:-2], there[-2:]
        proven = [int(value) for value in depths if value]
        assert [there[0], there[1], enumerated, known] == [row[0], row[1], *row[-2:]]
        assert proven == sorted(proven)
        assert proven[-1] == int(row[2]) <= int(enumerated or row[2]) <= int(known)


def test_the_table_of_what_certificates_of_delays_are_worth_is_fresh(script):
    bounds = script("bounds")
    head, rule, *rows = shown(script, "inequalities")
    few = list(bounds.markdown(bounds.inequalities_table((4, 9))))
    assert [head, rule] == few[:2]
    assert [row for row in rows if int(row.split(" | ")[1]) in (4, 9)] == few[2:]


def test_the_kernel_table_names_its_command_and_shows_the_goals_of_today(script):
    kernel = script("kernel")
    told, _, _, head, *rows, _ = shown(script, "kernel", "benchmarks.md")
    assert re.fullmatch(
        r"Measured by `python benchmarks/kernel.py --turns \d+ --write` on .* \(scalar.*\), \d{4}-\d\d-\d\d:", told
    )
    assert head.split()[:4] == ["n", "family", "isa", "kernel"]
    assert {tuple(map(int, row.split()[:1])) for row in rows} == {(n,) for n in kernel.BATCH}
    goals = 0
    for row in rows:
        n, _, isa = row.split()[:3]
        limits = [(f"<= {kernel.KERNEL_NS[int(n)][isa]:,} ns")] if isa in kernel.KERNEL_NS[int(n)] else []
        if "x (" in row:  # of the instruction set that is chosen
            percent = [f"<= {kernel.BATCH_OVERHEAD_PERCENT} %", f">= {kernel.MIN_ANNEAL_RATE_PERCENT} %"]
            limits += [*percent, f">= {kernel.MIN_SPEEDUP_OVER_IGRAPH[int(n)]:,}x"]
        found = re.findall(r"([-\d,.]+)(?: ns| %|x) \(([<>]=) ([\d,]+)( ns| %|x): (yes|no)\)", row)
        assert [f"{sign} {goal}{unit}" for _, sign, goal, unit, _ in found] == limits
        for value, sign, goal, _, met in found:
            number, limit = (float(text.replace(",", "")) for text in (value, goal))
            assert (number <= limit if sign == "<=" else number >= limit) == (met == "yes")
        goals += len(found)
    assert goals > 0


def test_a_table_is_replaced_and_nothing_else(script, tmp_path):
    pages, page = script("pages"), tmp_path / "page.md"
    text = "before\n<!-- a:begin -->\n{}<!-- a:end -->\nbetween\n<!-- b:begin -->\n{}<!-- b:end -->\n"
    page.write_text(text.format("old\n", ""))
    pages.replace_table(page, "a", ["| new |", "|---|"])
    pages.replace_table(page, "b", ["| other |"])
    assert page.read_text() == text.format("| new |\n|---|\n", "| other |\n")
    with pytest.raises(ValueError, match=r"page.md: found 0 tables named c; expected one"):
        pages.table_of(page, "c")
