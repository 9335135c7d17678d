"""The page on formats says of each export whether a program has proved it, as its exporter does."""

import re
from pathlib import Path

from isoplane.runs.exports.exporters import exporter_named, exporter_names

PAGE = Path(__file__).resolve().parents[3] / "docs" / "formats.md"


def rows(heading):
    """The first and last cells of a table, by each format in the first ones."""
    table = PAGE.read_text(encoding="utf-8").split(f"\n| {heading} |")[1].split("\n\n")[0]
    cells = [line.strip("|").split("|") for line in table.splitlines()[2:]]
    return {name: each[-1] for each in cells for name in re.findall(r"`(\w+)`", each[0])}


def test_the_two_classes_of_exports_are_those_of_the_exporters():
    proved, shape_checked = rows("proved in CI"), rows("shape checked")
    assert not proved.keys() & shape_checked.keys()
    assert sorted({*proved, *shape_checked}) == list(exporter_names())
    checked_by = {name: exporter_named(name).checked_by for name in exporter_names()}
    assert proved.keys() == {name for name, program in checked_by.items() if program is not None}
    for name, says in proved.items():
        assert all(program in says for program in checked_by[name].split(", "))
