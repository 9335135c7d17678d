"""Orders of all-to-all and all-gather exchanges: who sends to whom in each phase."""
