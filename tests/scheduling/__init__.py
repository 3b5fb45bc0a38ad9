"""The nightly run as each scheduler is told it."""
