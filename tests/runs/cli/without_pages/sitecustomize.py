"""Python runs this when it starts with this folder on its path: searches then write an empty page.

To draw a page takes a process of its own four times as long as all else that it does.
"""

import sys
from pathlib import Path
from types import ModuleType


def write_report(folder: Path, *built: object, **more: object) -> Path:
    (folder / "report.html").write_text("<html>", encoding="utf-8")
    return folder / "report.html"


sys.modules["isoplane.runs.report.write"] = module = ModuleType("isoplane.runs.report.write")
module.__dict__["write_report"] = write_report
