"""The search loop and its parts, which know no particular space."""
