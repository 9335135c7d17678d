"""What remains of a network when parts of it fail or are left out."""
