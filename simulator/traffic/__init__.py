"""What is sent: patterns, permutations and detours."""
