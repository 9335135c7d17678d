"""Results in notebooks, as HTML: a picture and the chief numbers, without scripts and without other files."""

import sys
from base64 import b64encode
from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SHOWN_ROWS = 30


def html_of(
    title: str,
    status: str,
    figure: "Figure | None",
    caption: str,
    tables: Sequence[Sequence[Sequence[str]]],
    notes: Sequence[str] = (),
) -> str:
    """Return a result as HTML.

    Parameters
    ----------
    title, status
        What it is, and what is proven.
    figure, caption
        The picture, if there is one, and what it shows in words.
    tables
        The head and the rows of each table of the numbers, of which the first are shown.
    notes
        What else there is to say.
    """
    lines = "<br>".join(map(escape, title.split("\n")))
    parts = [f"<p><b>{lines}</b></p>", *([f"<p>{escape(status)}</p>"] if status else [])]
    if figure is not None:
        parts.append(_picture(figure, caption))
    for head, *body in tables:
        names = "".join(f'<th scope="col">{escape(name)}</th>' for name in head)
        rows = ("".join(f"<td>{escape(cell)}</td>" for cell in line) for line in body[:SHOWN_ROWS])
        body_rows = "".join(f"<tr>{row}</tr>" for row in rows)
        parts.append(f"<table><thead><tr>{names}</tr></thead><tbody>{body_rows}</tbody></table>")
        if len(body) > SHOWN_ROWS:
            parts.append(f"<p>{len(body) - SHOWN_ROWS} more rows: <code>to_frame()</code></p>")
    parts += [f"<pre>{escape(note)}</pre>" for note in notes]
    return f"<div>{''.join(parts)}</div>"


def _picture(figure: "Figure", caption: str) -> str:
    from .charts import picture_bytes

    image = b64encode(picture_bytes(figure, ".svg")).decode()
    return f'<img style="max-width: 100%" alt="{escape(caption)}" src="data:image/svg+xml;base64,{image}">'


def show(result: object) -> None:
    """Show a result: picture and numbers in a notebook, numbers elsewhere.

    Parameters
    ----------
    result
        The result, or anything else that notebooks display.

    Examples
    --------
    >>> import isoplane as ip
    >>> ip.show(ip.evaluate(network="torus", shape=[3, 3], layout=None))
    torus 3x3, 9 switches, 9 nodes
                         this design               unit
    aspl                     1.33333               hops
    total_hops                   108               hops
    diameter                       2               hops
    peak_load                      3  parts of a packet
    throughput_per_node            3    link capacities
    cable_length_m                 -                  m
    delay_ns                       -                 ns
    cost_usd_per_node              -                US$
    switches                       9
    cables                        18
    """
    display = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if display is None:
        print(result)
        return
    from IPython.display import display as display_in_notebook

    display_in_notebook(result)
