"""The planes and links over which each pair of nodes sends, for libraries with several rails and for source routing."""
