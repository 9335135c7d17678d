"""Connection sets of cubes: their space, searchers and exact search."""
