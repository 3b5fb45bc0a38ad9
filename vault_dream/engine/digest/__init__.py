"""Digest nodes: their index, edges, tags and catalog. Knows nothing of dreams."""
