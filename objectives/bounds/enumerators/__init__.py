"""Weight enumerators of dual-plane cubes, as variables and rows of linear programs."""
