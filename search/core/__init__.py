"""The search loop and its parts, which know no particular space.

A chain has a name in each of three places. A strategy (`Anneal`, `Temper`, `Neighbourhood` in `search/strategies/`)
has the parameters that a user gives. `chain_setup` of the `Methods` of a space hands them to a file such as
`search/cubes/basis_chains.py`, which states them as a `ChainKind`: ``Annealing``, ``Ladder`` and ``Descent`` are its
names in checkpoints; ``Chain``, ``Tempering`` and ``Neighbourhood`` are the native classes that it names. `chain_setup`
has what all chains of a search share, and advances one of them; `chains` advances them together, in rounds on a fleet;
`chain_strategy` is the common part of the strategies.
"""
