"""Vault Dream: keeps the good parts of an Obsidian vault's daily notes as a linked digest."""

__version__ = "0.1.0"
