"""The tables of numbers in the documentation are the current output of their scripts."""

import re
from pathlib import Path

import pytest

from isoplane.runs.cli.main import main

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
# Maximum relative gaps between bounds and best known networks for n = 9 to 12, in percent.
LARGEST_GAPS = {
    "hypercube": {"sum_of_distances": 1.2, "max_load": 2, "delay_paper": 3.7, "delay": 13},
    "folded_hypercube": {"sum_of_distances": 1, "max_load": 1.7, "delay_paper": 4.5, "delay": 11},
}
SOLVED_IN_SECONDS = range(3, 7)  # at every depth; for larger n the table is compared with the stored certificates


def documented_table(import_script, name, page="bounds.md"):
    return import_script("pages").table_of(DOCS / page, name)


def test_the_tables_of_the_best_designs_are_what_the_commands_above_them_print(import_script, capsys):
    tables = import_script("best").tables_of(DOCS / "best.md")
    assert len(tables) == 11
    for words, name in tables:
        assert main(words) == 0
        assert capsys.readouterr().out.splitlines() == documented_table(import_script, name, "best.md")


def test_the_gap_to_the_best_known_networks_is_small(import_script):
    header, _, *rows = (
        [cell.strip() for cell in row.strip("|").split("|")] for row in documented_table(import_script, "metrics")
    )
    large = [dict(zip(header, row, strict=True)) for row in rows if int(row[1]) >= 9]
    assert len(large) == 2 * 4
    for row in large:
        for metric, largest in LARGEST_GAPS[row["family"]].items():
            gap = row[metric].partition(", ")[2]
            assert gap == "reached" or 0 <= float(gap.removesuffix(" %")) <= largest, (row["family"], row["n"], metric)


def test_the_table_of_depths_shows_what_the_programs_prove(import_script):
    bounds = import_script("bounds")
    header, rule, *rows = documented_table(import_script, "depths")
    small = list(bounds.markdown(bounds.depths_table(SOLVED_IN_SECONDS)))
    assert [header, rule] == small[:2]
    assert [row for row in rows if int(row.split(" | ")[1]) in SOLVED_IN_SECONDS] == small[2:]


def test_the_table_of_depths_has_the_sums_that_are_certified_enumerated_and_known(import_script, monkeypatch):
    bounds = import_script("bounds")
    rows = documented_table(import_script, "depths")[2:]
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]
    assert len(cells) == 2 * len(bounds.WITH_CABLES)
    # The certified sum stands in for the solver at every depth; at lower depths it is only an upper bound.
    sum_at_depth = bounds.sum_at_depth
    monkeypatch.setattr(bounds, "sum_at_depth", lambda n, folded, _: sum_at_depth(n, folded, bounds.DEPTHS[folded][n]))
    for row, expected in zip(cells, list(bounds.depths_table(bounds.WITH_CABLES))[1:], strict=True):
        depths, (enumerated, known) = row[2:-2], row[-2:]
        proven = [int(value) for value in depths if value]
        assert [row[0], row[1], enumerated, known] == [expected[0], expected[1], *expected[-2:]]
        assert proven == sorted(proven)
        assert proven[-1] == int(expected[2]) <= int(enumerated or expected[2]) <= int(known)


def test_the_table_of_delay_gaps_with_and_without_certificates_is_current(import_script):
    bounds = import_script("bounds")
    header, rule, *rows = documented_table(import_script, "inequalities")
    small = list(bounds.markdown(bounds.inequalities_table((4, 9))))
    assert [header, rule] == small[:2]
    assert [row for row in rows if int(row.split(" | ")[1]) in (4, 9)] == small[2:]


def test_the_kernel_table_names_its_command_and_shows_the_current_goals(import_script):
    kernel = import_script("kernel")
    caption, _, _, header, *rows, _ = documented_table(import_script, "kernel", "benchmarks.md")
    assert re.fullmatch(
        r"Measured by `python benchmarks/kernel.py --turns \d+ --write` on .* \(scalar.*\), \d{4}-\d\d-\d\d:", caption
    )
    assert header.split()[:4] == ["n", "family", "isa", "kernel"]
    assert {tuple(map(int, row.split()[:1])) for row in rows} == {(n,) for n in kernel.BATCH}
    goals = 0
    for row in rows:
        n, _, isa = row.split()[:3]
        limits = [(f"<= {kernel.KERNEL_NS[int(n)][isa]:,} ns")] if isa in kernel.KERNEL_NS[int(n)] else []
        if "x (" in row:  # the row of the chosen instruction set
            percent = [f"<= {kernel.BATCH_OVERHEAD_PERCENT} %", f">= {kernel.MIN_ANNEAL_RATE_PERCENT} %"]
            limits += [*percent, f">= {kernel.MIN_SPEEDUP_OVER_IGRAPH[int(n)]:,}x"]
        found = re.findall(r"([-\d,.]+)(?: ns| %|x) \(([<>]=) ([\d,]+)( ns| %|x): (yes|no)\)", row)
        assert [f"{sign} {goal}{unit}" for _, sign, goal, unit, _ in found] == limits
        for value, sign, goal, _, met in found:
            number, limit = (float(text.replace(",", "")) for text in (value, goal))
            assert (number <= limit if sign == "<=" else number >= limit) == (met == "yes")
        goals += len(found)
    assert goals > 0


def test_replacing_a_table_changes_nothing_else(import_script, tmp_path):
    pages, page = import_script("pages"), tmp_path / "page.md"
    text = "before\n<!-- a:begin -->\n{}<!-- a:end -->\nbetween\n<!-- b:begin -->\n{}<!-- b:end -->\n"
    page.write_text(text.format("old\n", ""))
    pages.replace_table(page, "a", ["| new |", "|---|"])
    pages.replace_table(page, "b", ["| other |"])
    assert page.read_text() == text.format("| new |\n|---|\n", "| other |\n")
    with pytest.raises(ValueError, match=r"page.md: found 0 tables named c; expected one"):
        pages.table_of(page, "c")
