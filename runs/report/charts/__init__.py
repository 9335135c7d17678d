"""The charts of the report: one file for each, its data apart from its drawing."""
