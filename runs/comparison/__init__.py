"""Comparisons: designs of all families for a number of nodes, sized by one rule and measured alike."""
