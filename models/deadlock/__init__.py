"""Channel dependencies of routes, and their cycles."""
