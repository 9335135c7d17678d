"""Programs of other projects that tests run: where one is absent, its tests are skipped with the reason."""

import os
import shutil

import pytest

SEARCHED = f"{os.environ.get('PATH', os.defpath)}:/usr/sbin:/sbin"


def needs(*programs):
    """Mark tests that need programs, which `make tools` installs; Debian keeps some of them outside the usual path."""
    absent = [program for program in programs if shutil.which(program, path=SEARCHED) is None]
    return pytest.mark.skipif(bool(absent), reason=f"not installed: {', '.join(absent)}; `make tools` installs them")
