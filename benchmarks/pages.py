"""Generated tables on pages, between two comments: ``<!-- NAME:begin -->`` and ``<!-- NAME:end -->``."""

import re
from pathlib import Path


def table_of(page: Path, name: str) -> list[str]:
    """Return the lines of a table on a page.

    Raises
    ------
    ValueError
        If the page has no such table, or more than one.
    """
    return _place(page, name)[1].splitlines()


def replace_table(page: Path, name: str, lines: list[str]) -> None:
    """Replace a table on a page; errors as for `table_of`."""
    found = _place(page, name)
    text = found.string
    page.write_text(text[: found.start(1)] + "\n".join([*lines, ""]) + text[found.end(1) :], encoding="utf-8")


def _place(page: Path, name: str) -> re.Match[str]:
    text = page.read_text(encoding="utf-8")
    found = list(re.finditer(rf"^<!-- {name}:begin -->\n(.*?)^<!-- {name}:end -->$", text, re.MULTILINE | re.DOTALL))
    if len(found) != 1:
        raise ValueError(f"{page.name}: found {len(found)} tables named {name}; expected one")
    return found[0]
