"""The skeletons of the NAS parallel benchmarks, one module each, looked up by module name."""
