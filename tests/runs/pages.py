"""A reader of pages that shares no code with those that write them: tables as rows of cells."""

import re
import subprocess
from dataclasses import dataclass, field
from fractions import Fraction
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

from tests.tools import HANG_S, require_tools


@dataclass
class Cell:
    """The text of a cell, apart from the change that it shows beside it."""

    text: str = ""
    change: str = ""


@dataclass
class Page(HTMLParser):
    """The tables of a page, each a list of rows, and the facts of its definition lists."""

    tables: list[list[list[Cell]]] = field(default_factory=list)
    facts: dict[str, str] = field(default_factory=dict)
    spans: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()
        self.cell: Cell | None = None
        self.term = Cell()

    def handle_starttag(self, tag, attributes):
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("td", "th"):
            self.cell = Cell()
            self.tables[-1][-1].append(self.cell)
        elif tag in ("dt", "dd"):
            self.cell = Cell()
            self.term = self.cell if tag == "dt" else self.term
        elif tag == "span":
            self.spans.append(dict(attributes).get("class") or "")

    def handle_endtag(self, tag):
        if tag == "dd" and self.cell is not None:
            self.facts[self.term.text] = self.cell.text
        if tag in ("td", "th", "dt", "dd"):
            self.cell = None
        elif tag == "span":
            self.spans.pop()

    def handle_data(self, data):
        if self.cell is not None:
            part = "change" if any("change" in name for name in self.spans) else "text"
            setattr(self.cell, part, " ".join(f"{getattr(self.cell, part)} {data}".split()))

    def rows_titled(self, title: str) -> list[list[Cell]]:
        """Return the rows whose first cell has a text."""
        return [row for table in self.tables for row in table if row and row[0].text == title]


def page_of(path: Path) -> Page:
    """Return the tables of a page."""
    page = Page()
    page.feed(path.read_text(encoding="utf-8"))
    return page


def terminal_rows(text: str) -> list[list[str]]:
    """Return the lines of a terminal as cells, which at least two spaces separate."""
    return [[cell.strip() for cell in line.split("  ") if cell.strip()] for line in text.splitlines()]


def agrees(shown: str, value: float | int) -> bool:
    """Return whether a number as shown is a value, rounded to the digits that are shown."""
    digits = shown.replace(",", "").replace("−", "-").replace("±", "").replace("%", "").strip()
    mantissa, _, exponent = digits.partition("e")
    unit = Fraction(10) ** (int(exponent or 0) - len(mantissa.partition(".")[2]))
    return abs(Fraction(digits) - Fraction(value)) <= unit * Fraction(501, 1000)


def _key_of(text: str) -> float | str:
    number = re.match(r"[+−-]?\d[\d,]*(\.\d+)?", text)
    return float(number[0].replace(",", "").replace("−", "-")) if number else text


def in_order(values: list[str], descending: bool) -> bool:
    """Return whether the texts of a column are sorted, by their numbers if all have some, missing ones last."""
    present = [value for value in values if value not in ("", "–")]
    keys = [_key_of(value) for value in present]
    is_last = values == present + [value for value in values if value in ("", "–")]
    if not all(isinstance(key, float) for key in keys):
        return is_last  # the order of texts is that of the language
    return is_last and keys == sorted(keys, reverse=descending)


def printed(tab, file):
    """The sheets of a printed page: the width and the height of each, and its words with their boxes."""
    pdftotext = require_tools("pdftotext")["pdftotext"]
    tab.pdf(path=file, prefer_css_page_size=True)
    subprocess.run([pdftotext, "-bbox", file, file.with_suffix(".html")], check=True, timeout=HANG_S)
    sheets = []
    for sheet in ElementTree.parse(file.with_suffix(".html")).iter("{http://www.w3.org/1999/xhtml}page"):
        words = [(word.text, *(float(word.get(key)) for key in ("xMin", "xMax", "yMax"))) for word in sheet]
        sheets.append((float(sheet.get("width")), float(sheet.get("height")), words))
    return sheets
