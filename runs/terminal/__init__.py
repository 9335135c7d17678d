"""Terminal output: progress, tables, interrupts and streams."""
