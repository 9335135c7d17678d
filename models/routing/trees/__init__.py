"""Routes in trees: up to a common ancestor, and down."""
