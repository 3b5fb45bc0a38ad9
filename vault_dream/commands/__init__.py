"""The commands behind the command line, a module each: it opens a session, asks it, and shows the
answer.
"""

from __future__ import annotations

COMMANDS = (
    "backfill",
    "doctor",
    "forget",
    "help",
    "links",
    "log",
    "move",
    "review",
    "run",
    "search",
    "status",
    "undo",
)
"""Every command by its name. Its click command is ``command`` in the module
``vault_dream.commands.<name>``, loaded when it is called.
"""
