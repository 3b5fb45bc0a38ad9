"""Files as Obsidian sees them. Knows nothing of digests, dreams or models."""
