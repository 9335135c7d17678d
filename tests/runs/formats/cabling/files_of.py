"""The files of a format, read back."""

import csv
from io import StringIO

from isoplane.runs.exports.exporter import Exported
from isoplane.runs.exports.exporters import exporter_named


def contents(name, design, *, pages=False, **options):
    """The text of every file of a format, by its name; pages, which take longer, only if required."""
    exported = Exported(design, {"id": "0"}, options)
    return {
        path: b"".join(content).decode()
        for path, content in exporter_named(name).begun(name, exported)
        if pages or not path.endswith(".html")
    }


def rows(text):
    """The rows of a CSV file."""
    return list(csv.DictReader(StringIO(text)))


def millimetres(text):
    """A length in metres as an integer: digits are shifted, so that sums are exact."""
    whole, _, rest = text.partition(".")
    return int(whole + rest.ljust(3, "0"))


def cents(text):
    """A price in US$ as an integer."""
    whole, _, rest = text.partition(".")
    assert len(rest) == 2
    return int(whole + rest)
