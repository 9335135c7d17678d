"""The flit-level engine: plans and runs."""
