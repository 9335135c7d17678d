"""The files of a format, read back."""

import csv
from collections import Counter, defaultdict
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


def wiring(files):
    """The cables of a schedule: ends, and the part and plane of each."""
    return {
        frozenset((row[f"{end}_device"], row[f"{end}_port"]) for end in ("from", "to")): row
        for row in rows(files["schedule.csv"])
    }


def devices_of(files):
    """How many cables join each two devices."""
    return Counter(frozenset(device for device, _ in ends) for ends in wiring(files))


def by_places(files):
    """The cables between switches, and how many nodes have links to the same switches: any node is at any place."""
    places, between = defaultdict(Counter), Counter()
    for ends, count in devices_of(files).items():
        node = next((device for device in ends if device[0] == "N"), None)
        if node is None:
            between[ends] += count
        else:
            places[node][ends - {node}] += count
    return between, Counter(frozenset(links.items()) for links in places.values())
