"""Which network should we build: designs of all families for a number of nodes, sized alike and measured alike."""
