"""Pictures of results in Plotly, whose points show their values."""

from collections.abc import Sequence

from .panels import ACROSS, BARS, Panel

PIXELS_PER_IN = 96  # of browsers


def drawn(panels: Sequence[Panel], figsize: tuple[float, float] | None = None, title: str | None = None) -> object:
    """Return a figure with the panels side by side below a title, of a size in inches, or as large as its place."""
    import plotly.graph_objects as go  # optional
    from plotly.subplots import make_subplots

    figure = make_subplots(rows=1, cols=len(panels))
    for column, (x_title, y_title, series) in enumerate(panels, 1):
        for name, x, y, form in series:
            if form == BARS:
                trace = go.Bar(name=name, x=list(x), y=list(y))
            elif form == ACROSS:
                trace = go.Bar(name=name, x=list(y), y=list(x), orientation="h")
            else:
                mode = "markers" if "-" not in form and ":" not in form else "lines+markers"
                trace = go.Scatter(name=name, x=list(x), y=list(y), mode=mode)
            figure.add_trace(trace, row=1, col=column)
        figure.update_xaxes(title_text=x_title, row=1, col=column)
        figure.update_yaxes(title_text=y_title, row=1, col=column)
    if title is not None:
        figure.update_layout(title_text=title)
    if figsize is not None:
        width, height = (round(PIXELS_PER_IN * length) for length in figsize)
        figure.update_layout(width=width, height=height)
    return figure
