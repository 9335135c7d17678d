"""What people see of a run: progress, tables, interrupts and streams."""
