"""Connection sets of cubes: their space, chains and exact search."""
