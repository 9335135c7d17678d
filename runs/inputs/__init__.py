"""Contents of user files: YAML, matrices, orders, names, traces and programs."""
