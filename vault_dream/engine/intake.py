"""What a run is about to read, which endpoint would get it first, and what it may cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from vault_dream.engine.dream.extract import request_for
from vault_dream.engine.dream.kept import FailedUnit
from vault_dream.engine.dream.reader import (
    Estimate,
    ExtractRequest,
    FirstSend,
    Reader,
    Sender,
    Shower,
)
from vault_dream.engine.dream.run import retry_now
from vault_dream.engine.dream.scan import Source
from vault_dream.engine.opened import OpenVault

Sent = Mapping[str, Any]


class Intake(OpenVault):
    """The part of a session that looks ahead. Stateful, as the open vault is; asks nobody."""

    reader: Reader | None = None

    def to_read(self) -> tuple[tuple[FailedUnit, ...], tuple[Source, ...]]:
        """Failed units that are due for another try, and the sources with something new."""
        changed = self.run.scan.changed
        sources = {source.path: source for source in changed}
        retries = tuple(unit for unit in self.state.failed() if retry_now(unit, sources))
        done = {
            path
            for unit in retries
            for path in unit.unit.paths
            if (entry := sources[path].known) and entry.hash == sources[path].hash
        }
        return retries, tuple(s for s in changed if s.fresh and s.path not in done)

    def first_send(self, *, max_units: int | None = None, hint: str = "") -> FirstSend | None:
        """After a scan: the endpoint that the notes would go to for the first time, and how much;
        ``None`` where nothing is sent, or something was sent there before.

        A face with a person in front of it asks them before :meth:`extract`; headless, the setting
        is their consent. Raises :class:`NoModelError` where the endpoint lacks its key.
        """
        retries, fresh = self.to_read()
        if not isinstance(self.reader, Sender) or not (fresh or retries):
            return None
        again = {path for unit in retries for path in unit.unit.paths}
        sources = [s for s in self.run.scan.changed if s in fresh or s.path in again]
        return self.reader.first_send(self._request(sources, max_units, hint))

    def first_contact(self) -> FirstSend | None:
        """As :meth:`first_send`, for what is sent beside the reading of a run's sources: a unit
        put on another node, a node to tag."""
        if not isinstance(self.reader, Sender):
            return None
        return self.reader.first_send(self._request((), None, ""))

    def preview(self, *, max_units: int | None = None, hint: str = "") -> tuple[Sent, ...]:
        """After a scan: the bodies of the requests that :meth:`extract` would make."""
        _, fresh = self.to_read()
        if not isinstance(self.reader, Shower) or not fresh:
            return ()
        return tuple(self.reader.preview(self._request(fresh, max_units, hint)))

    def estimate(self, *, max_units: int | None = None, hint: str = "") -> Estimate:
        """After a scan: what the run is expected to cost."""
        retries, fresh = self.to_read()
        if not isinstance(self.reader, Sender):
            return Estimate(len(fresh), 0, 0, None)
        return self.reader.estimate(self._request(fresh, max_units, hint), len(retries))

    def _request(
        self, sources: Sequence[Source], max_units: int | None, hint: str
    ) -> ExtractRequest:
        return request_for(
            sources,
            max_units=max_units or self.settings.max_units,
            hint=hint,
            language=self.settings.language,
        )

    def _tokens(self) -> int:
        """Tokens that the reader has spent so far."""
        if self.reader is None:
            return 0
        usage = self.reader.usage()
        return usage.prompt_tokens + usage.completion_tokens
