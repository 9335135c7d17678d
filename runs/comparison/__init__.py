"""Comparisons: designs of families for a number of nodes, sized by one rule and measured alike."""
