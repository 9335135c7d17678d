"""The report: one self-contained HTML page that presents a design."""
