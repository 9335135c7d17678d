"""Formats of installed packages, found by entry points."""

import pytest

from isoplane.models import InputError
from isoplane.runs.exports import exporters
from isoplane.runs.imports import importers
from tests.cases import for_each
from tests.tools import install_package

FORMATS = {exporters: (exporters.exporter_named, "edges"), importers: (importers.importer_named, "edges")}


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """Install a format under a name, by default `own`, in the room of a module."""

    def install(room, path, name="own"):
        install_package(tmp_path, monkeypatch, room.ENTRY_POINTS, **{name: path})
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


@for_each("room", list(FORMATS))
def test_a_format_with_the_name_of_a_built_in_one_is_refused(installed, room):
    named, built_in = FORMATS[room]
    installed(room, "own", built_in)
    with pytest.raises(InputError, match=f"{room.ENTRY_POINTS}: {built_in} = own: a name of isoplane itself"):
        named("own")
