"""Empty pictures instead of charts: drawing takes half of the time of a command that writes a page."""

from io import BytesIO
from typing import TextIO

from matplotlib.figure import Figure

BLANK = '<svg viewBox="0 0 1 1"></svg>'


def write_blank(figure: Figure, target: TextIO | BytesIO, **options: object) -> None:
    """Write an empty picture, with the signature of `Figure.savefig`."""
    target.write(BLANK.encode() if isinstance(target, BytesIO) else BLANK)
