"""Routes between groups of switches that are joined pairwise: dragonflies and Megaflies."""
