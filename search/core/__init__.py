"""The search loop and its parts, which know no particular space.

A chain has a name in each of three places. A strategy in `search/strategies/` has the parameters that a user gives.
`chain_setup` of the `Methods` of a space turns them into a `ChainKind`, which has a name for checkpoints and that of a
native class:

================  =============================  =======================  ==================
strategy          space                          in checkpoints           native class
================  =============================  =======================  ==================
`Anneal`          connection sets                Annealing                Chain
`Temper`          connection sets                Ladder                   Tempering
`Neighbourhood`   connection sets                Descent                  Neighbourhood
`Anneal`          those under a workload         LevelAnnealing           LevelWalk
`Anneal`          circuits                       CircuitAnnealing         CircuitWalk
`Anneal`          circuits, by the bottleneck    BottleneckAnnealing      BottleneckWalk
`Anneal`          regular graphs                 GraphAnnealing           GraphWalk
`Anneal`          the same, by cables, limits    PlacedAnnealing          PlacedWalk
`Anneal`          graphs of nodes and ports      HostAnnealing            HostWalk
`Anneal`          either, by other metrics       MeasuredGraphAnnealing   MeasuredGraphWalk
`Anneal`          relabelled planes              RelabellingAnnealing     RelabellingWalk
`Anneal`          the same, structured           AdditiveAnnealing        AdditiveWalk
`Anneal`          the same, structured, by load  LinearLoadAnnealing      LinearLoadWalk
================  =============================  =======================  ==================

`Pareto` is an `Anneal` for fronts; `Portfolio` mixes the others. In the module `chain_setup` is what all chains of a
search share, and `advance`, which runs one of them; `chains` advances them together, in rounds on a fleet;
`chain_strategy` is the common part of the strategies.
"""
