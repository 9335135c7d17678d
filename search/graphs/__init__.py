"""Regular graphs."""
