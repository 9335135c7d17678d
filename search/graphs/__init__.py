"""Regular graphs: which switches are joined by cables; the walks are in `search/native/`."""
