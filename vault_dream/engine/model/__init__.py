"""OpenAI-compatible endpoints. Knows nothing of notes."""
