"""Entry points of installed packages."""
