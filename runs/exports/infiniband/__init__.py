"""A plane as an InfiniBand subnet: names, GUIDs, LIDs, forwarding tables, and the files of its tools."""
