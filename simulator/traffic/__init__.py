"""What is sent: patterns and permutations."""
