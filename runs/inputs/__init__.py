"""What the files of a user say: YAML, matrices, orders, names, traces and programs."""
