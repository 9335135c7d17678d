"""What all pages share: sections, and from a template to the text of a page."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

from isoplane.runs.records import file_name

from .charts.drawing import DARK, LIGHT, Picture


@dataclass(frozen=True)
class Section:
    """A heading with a chart, a note, or both; and a table, its head first."""

    key: str
    title: str
    chart: Picture | None
    note: str = ""
    rows: Sequence[Sequence[str]] = ()


def fill(template: str, record: Mapping[str, Any], verified_by: str | None, values: Mapping[str, object]) -> str:
    """Return a page.

    Parameters
    ----------
    template
        Name of one beside this file, which extends ``base.html.jinja``.
    record
        What the page is about.
    verified_by
        What `isoplane verify` is to be given to check it; by default the record, under the name under which it is
        written.
    values
        All else that the template needs.
    """
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["svg"] = Markup
    return environment.get_template(template).render(
        light=LIGHT,
        dark=DARK,
        record=record,
        config=json.dumps(record["provenance"]["config"], indent=2, ensure_ascii=False),
        verified_by=verified_by or f"record={file_name(dict(record))}",
        **values,
    )
