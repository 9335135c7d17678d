"""The version of the installed package."""

from importlib.metadata import version  # slow to import, so that the package itself does without

__version__ = version("isoplane")
