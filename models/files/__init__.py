"""Files: bounded reading of those of a user, and writing that leaves each whole or absent."""
