"""Connection sets of cubes: their space, chains and exact search.

The exact search is split over four files: `exact_search` is the strategy, which runs chains first and between units;
`exact_units` plans the units and searches a chunk of them, as a call of a fleet; `exact_run` sends the chunks, and
reports their results in order; `exact_proof` has the counts by shard, which can be verified independently.
"""
