"""The notebooks: a program that runs them and keeps what they show, and a hook of MkDocs that makes pages of them.

``python docs/notebooks.py`` runs all again.
"""

import ast
import json
import sys
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from pprint import pformat
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files

FOLDER = Path(__file__).parent / "notebooks"
HTML, SVG, PLAIN = "text/html", "image/svg+xml", "text/plain"


def on_files(files: "Files", config: "MkDocsConfig") -> "Files":
    """Add a page for each notebook to those of the site."""
    from mkdocs.structure.files import File

    for path in notebooks():
        files.append(File.generated(config, f"notebooks/{path.stem}.md", content=page(path)))
    return files


def notebooks() -> list[Path]:
    """Return the files of all notebooks."""
    return sorted(FOLDER.glob("*.ipynb"))


def executed(path: Path) -> dict[str, Any]:
    """Run the cells of a notebook one after another, and return it with what they show."""
    notebook: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    names: dict[str, Any] = {"__name__": "__main__"}
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    _figures()  # those that another program of this process left open are not this notebook's
    for number, cell in enumerate(code, 1):
        cell["execution_count"] = number
        cell["outputs"] = _outputs("".join(cell["source"]), names, number)
    return notebook


def _outputs(source: str, names: dict[str, Any], number: int) -> list[dict[str, Any]]:
    """Run a cell, and return what it prints, the value of its last expression, and the figures that it has drawn."""
    module = ast.parse(source)
    last = module.body.pop() if isinstance(module.body[-1], ast.Expr) else None
    value = None
    with redirect_stdout(StringIO()) as printed:
        exec(compile(module, f"cell {number}", "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), f"cell {number}", "eval"), names)
    outputs: list[dict[str, Any]] = []
    if printed.getvalue():
        outputs.append({"output_type": "stream", "name": "stdout", "text": printed.getvalue().splitlines(True)})
    if value is not None:
        data = {PLAIN: pformat(value, width=100, sort_dicts=False).splitlines(True)}
        if hasattr(value, "_repr_html_"):
            data = {HTML: value._repr_html_().splitlines(True), **data}
        outputs.append({"output_type": "execute_result", "execution_count": number, "metadata": {}, "data": data})
    return outputs + [_shown(figure) for figure in _figures()]


def _figures() -> list[Any]:
    """Return the figures of pyplot that are open, and close them."""
    pyplot = sys.modules.get("matplotlib.pyplot")
    figures = [] if pyplot is None else [pyplot.figure(number) for number in pyplot.get_fignums()]
    if pyplot is not None:
        pyplot.close("all")
    return figures


def _shown(figure: Any) -> dict[str, Any]:
    from isoplane.face.charts import picture_bytes

    image = picture_bytes(figure, ".svg").decode()
    data = {SVG: image.splitlines(True), PLAIN: ["a figure"]}
    return {"output_type": "display_data", "metadata": {}, "data": data}


def page(path: Path) -> str:
    """Return a notebook as a page in Markdown, with a link to the file."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    parts = []
    for cell in cells:
        text = "".join(cell["source"])
        parts.append(text if cell["cell_type"] == "markdown" else f"```python\n{text}\n```")
        parts += map(_page_part, cell.get("outputs", ()))
    return "\n\n".join([*parts, f"[This page as a notebook]({path.name})", ""])


def _page_part(output: dict[str, Any]) -> str:
    """Return what a cell shows, as a part of a page: the richest form of it."""
    if output["output_type"] == "stream":
        return f"```text\n{''.join(output['text']).rstrip()}\n```"
    data = output["data"]
    if HTML in data:
        return "".join(data[HTML])
    if SVG in data:
        image = "".join(data[SVG])
        return f"<div>{image[image.index('<svg') :]}</div>"
    return f"```text\n{''.join(data[PLAIN])}\n```"


def written(notebook: dict[str, Any]) -> str:
    """Return the text of the file of a notebook."""
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    for file in notebooks():
        file.write_text(written(executed(file)), encoding="utf-8")
