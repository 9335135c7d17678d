"""Routes on grids of switches: tori, meshes, cubes, HyperX and recursive diagonal tori."""
