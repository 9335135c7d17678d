"""The folder of a run: its lock, records, checkpoint and resumption."""
