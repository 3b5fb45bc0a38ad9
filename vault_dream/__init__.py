"""Vault Dream: turns the good parts of an Obsidian vault's daily notes into a linked digest."""

__version__ = "0.1.0"
