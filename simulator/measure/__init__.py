"""From counters of the engine to measured loads, latencies and saturation."""
