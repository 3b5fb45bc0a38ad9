"""The commands behind the command line, a module each: it opens a session, asks it, and shows the
answer.
"""

from __future__ import annotations

COMMANDS = (
    "backfill",
    "completions",
    "doctor",
    "forget",
    "help",
    "init",
    "links",
    "log",
    "move",
    "review",
    "run",
    "schedule",
    "search",
    "serve",
    "status",
    "topics",
    "undo",
)
"""Every command by its name. Its click command is ``command`` in the module
``vault_dream.commands.<name>``, loaded when it is called.
"""
