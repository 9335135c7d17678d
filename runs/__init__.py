"""The command line, records, reports, figures and the best known designs."""
