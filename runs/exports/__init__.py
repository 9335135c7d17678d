"""From designs to files for other tools."""
