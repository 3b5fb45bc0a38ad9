"""What can go wrong with one answer; what concerns the endpoint itself is a NoModelError."""

from __future__ import annotations

from vault_dream.engine.errors import VaultDreamError


class AnswerError(VaultDreamError):
    """The model answered, or was asked, and nothing usable came of it: that unit fails alone."""


class RefusedError(AnswerError):
    """The model declined, in a ``refusal`` field or in prose instead of an answer."""


class ContextError(AnswerError):
    """The prompt does not fit the model's context, or the server cut it without a word."""


class UnsupportedError(AnswerError):
    """The endpoint refused a request for what it asked for: tools or a response format."""
