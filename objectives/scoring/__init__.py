"""The table of metrics, and what is computed from it: scores, gaps and hypervolumes."""
