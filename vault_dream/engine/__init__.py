"""The engine: no Textual, no printing."""
