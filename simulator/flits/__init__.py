"""The flit-level engine: plans of networks, and runs."""
