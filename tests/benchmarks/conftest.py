"""A browser for tests of pages."""

import pytest

from tests.tools import require_tools


@pytest.fixture(scope="package")
def browser():
    """The distribution's Chromium."""
    program = require_tools("chromium")["chromium"]
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        launched = driver.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        yield launched
        launched.close()
