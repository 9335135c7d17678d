"""What routes alone imply: loads, latencies without contention, and bounds on times."""
