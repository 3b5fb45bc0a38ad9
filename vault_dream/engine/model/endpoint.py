"""Where a model is reached: the address, the name of the key's variable, and how long to wait.

The key itself is read from the environment when a connection is opened, and is part of no value
that could be shown, logged or written.
"""

from __future__ import annotations

import ipaddress
import os
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit, urlunsplit

from vault_dream.engine.errors import NoModelError

OPENAI_URL = "https://api.openai.com/v1"
NO_KEY = "none"
"""Sent to local endpoints that want no key; the library insists on some text."""

_LOCAL_SUFFIXES = (".localhost", ".local", ".lan", ".internal", ".home.arpa", ".home", ".ts.net")
_SHARED = ipaddress.ip_network("100.64.0.0/10")  # Tailscale and carriers; not public
_CALL_PATHS = ("/chat/completions", "/completions", "/models")


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Seconds: to connect; between two pieces of an answer; for one whole call."""

    connect: float
    read: float
    call: float


REMOTE = Timeouts(connect=15, read=300, call=900)
LOCAL = Timeouts(connect=15, read=3600, call=3 * 3600)
"""A laptop may load a model for minutes and read a long prompt for an hour before a first word."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An OpenAI-compatible endpoint and one of its models."""

    base_url: str
    model: str
    key_env: str = "OPENAI_API_KEY"
    timeouts: Timeouts = REMOTE

    @property
    def host(self) -> str:
        """Host and port, as shown to people and counted in the ledger."""
        return urlsplit(self.base_url).netloc

    @property
    def root(self) -> str:
        """The server without its ``/v1``, where native APIs are."""
        base = self.base_url
        return base.removesuffix("/v1") if base.endswith("/v1") else base

    @property
    def loopback(self) -> bool:
        return _is_loopback(urlsplit(self.base_url).hostname or "")

    @property
    def local(self) -> bool:
        """On this machine or in this network: slow is normal there, and a key often unneeded."""
        return _is_local(urlsplit(self.base_url).hostname or "")

    @property
    def where(self) -> str:
        """For error messages."""
        return f"model {self.model} at {self.host}"

    def key(self, environ: Mapping[str, str] = os.environ) -> str:
        """The key for one connection. NoModelError where a remote endpoint has none."""
        key = environ.get(self.key_env, "").strip() if self.key_env else ""
        if not key:
            if self.local:
                return NO_KEY
            raise NoModelError(
                self.where,
                f"the environment variable {self.key_env or '(api_key_env is empty)'} is not set",
                f"set {self.key_env or 'api_key_env'} before the run, or provider: offline",
            )
        if not key.isascii() or any(ord(letter) < 33 for letter in key):
            raise NoModelError(
                self.where,
                f"the key in {self.key_env} contains characters that no key has",
                "copy it again; a word processor's curly quotes are a common cause",
            )
        if not self.local and self.base_url.startswith("http://"):
            raise NoModelError(
                self.where,
                "the key and the notes would cross the network unencrypted",
                "use https:// in base_url",
            )
        return key

    def hide_key(self, text: str, environ: Mapping[str, str] = os.environ) -> str:
        """``text`` without the key, should a server have echoed it.

        A local server is often given a word (``x``, ``ollama``, ``lm-studio``) that is no secret
        and that answers may hold: a key has eight characters and a digit, or is long.
        """
        key = environ.get(self.key_env, "").strip() if self.key_env else ""
        secret = len(key) >= 24 or (len(key) >= 8 and any(letter.isdigit() for letter in key))
        return text.replace(key, "[key]") if secret else text


def one_line(text: str) -> str:
    """What a server said, fit to stand in a sentence: printable, on one line, not long."""
    text = " ".join("".join(c if c.isprintable() else " " for c in text[:2000]).split())
    return text if len(text) <= 240 else text[:237] + "..."


def make_endpoint(
    *,
    model: str,
    base_url: str = "",
    key_env: str = "OPENAI_API_KEY",
    environ: Mapping[str, str] = os.environ,
) -> Endpoint:
    """The endpoint that the settings name.

    An empty ``base_url`` means ``OPENAI_BASE_URL``, else OpenAI's own. NoModelError where no model
    is named or the address is none.
    """
    if not model.strip():
        raise NoModelError(
            "model",
            "no model is set",
            "set model (and base_url) in vault-dream.yaml or with --model, "
            "or choose provider: offline, which needs neither key nor network",
        )
    given = base_url.strip() or environ.get("OPENAI_BASE_URL", "").strip() or OPENAI_URL
    url = _clean_url(given)
    local = _is_local(urlsplit(url).hostname or "")
    return Endpoint(url, model.strip(), key_env.strip(), LOCAL if local else REMOTE)


def _clean_url(given: str) -> str:
    try:
        parts = urlsplit(given)
        _ = parts.port  # raises where it is no number
    except ValueError:
        parts = urlsplit("")
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise NoModelError(
            "base_url",
            "is not a web address that starts with http:// or https://",
            "write it like http://localhost:11434/v1",
        )
    if parts.username or parts.password or parts.query:
        raise NoModelError(
            "base_url",
            f"contains a user name, password or query before or after {parts.hostname}",
            "put the key in the environment variable that api_key_env names",
        )
    path = parts.path.rstrip("/")
    for tail in _CALL_PATHS:
        path = path.removesuffix(tail)
    return urlunsplit((parts.scheme, parts.netloc.lower(), path.rstrip("/"), "", ""))


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def _is_loopback(host: str) -> bool:
    address = _address(host)
    if address is not None:
        return address.is_loopback or address.is_unspecified
    return host == "localhost" or host.endswith(".localhost")


def _is_local(host: str) -> bool:
    address = _address(host)
    if address is None:  # a name without a dot is a machine of this network
        return "." not in host or host.endswith(_LOCAL_SUFFIXES)
    if address.version == 4 and address in _SHARED:
        return True
    return address.is_private or address.is_loopback or address.is_link_local
