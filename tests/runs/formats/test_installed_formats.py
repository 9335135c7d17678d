"""Formats of installed packages, found by entry points."""

from importlib.metadata import EntryPoint

import pytest

from isoplane.models import InputError
from isoplane.runs.exports import exporters
from isoplane.runs.imports import importers
from isoplane.runs.inputs import installed_modules
from tests.cases import for_each

FORMATS = {exporters: (exporters.exporter_named, "edges"), importers: (importers.importer_named, "edges")}


@pytest.fixture
def installed(monkeypatch):
    """Install a format under the name `own`, in the room of a module."""

    def install(room, path):
        points = [EntryPoint("own", path, room.ENTRY_POINTS)]
        monkeypatch.setattr(installed_modules, "entry_points", lambda group: [p for p in points if p.group == group])
        FORMATS[room][0].cache_clear()

    yield install
    for named, _ in FORMATS.values():
        named.cache_clear()


@for_each("room", list(FORMATS))
def test_a_format_of_a_package_is_found_by_its_name(installed, room):
    named, built_in = FORMATS[room]
    installed(room, f"{room.__name__}.{built_in}")
    assert named("own") is named(built_in)


@for_each("room", list(FORMATS))
@for_each("path", ["missing_module_of_a_test", "json"])
def test_a_module_that_is_no_format_is_refused_in_one_line(installed, room, path):
    installed(room, path)
    with pytest.raises(InputError, match="own: ") as caught:
        FORMATS[room][0]("own")
    assert "\n" not in str(caught.value)
