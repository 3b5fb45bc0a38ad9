"""Play the nights and print them: ``python -m tests.evals.longitudinal [--plot FILE]``."""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.engine.model.server import serving
from tests.evals.longitudinal.diary import Diary, make_diary
from tests.evals.longitudinal.model import DiaryModel
from tests.evals.longitudinal.nights import Night, play
from tests.evals.longitudinal.plot import draw
from vault_dream.config import Settings
from vault_dream.engine.dream.offline.reader import OfflineReader
from vault_dream.engine.dream.reader import Reader
from vault_dream.readers import make_reader


def main() -> None:
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("--nights", type=int, default=60)
    given.add_argument("--grow", type=int, default=10_000, help="notes at the end")
    given.add_argument("--seed", type=int, default=1)
    given.add_argument("--plot", type=Path, help="draw the nights into this SVG")
    arguments = given.parse_args()
    diary = make_diary(arguments.nights, arguments.seed)
    played = {}
    for name, run in (("offline reader", offline), ("scripted model", scripted)):
        with tempfile.TemporaryDirectory() as folder:
            for key in ("STATE", "CACHE", "CONFIG"):
                os.environ[f"VAULT_DREAM_{key}_HOME"] = str(Path(folder) / key.lower())
            print(f"\n## {name}\n")
            _head()
            nights = []
            for night in run(Path(folder), diary, arguments.grow):
                nights.append(night)
                if night.number % 10 == 0 or night.number == 1:
                    _row(night)
            played[name] = nights
    if arguments.plot:
        arguments.plot.write_text(draw(played), encoding="utf-8")


def offline(folder: Path, diary: Diary, grow: int) -> Iterator[Night]:
    yield from play(
        folder / "vault", diary, OfflineReader, grow_to=grow, index_file=folder / "index.db"
    )


def scripted(folder: Path, diary: Diary, grow: int) -> Iterator[Night]:
    model = DiaryModel(diary)
    os.environ["OPENAI_API_KEY"] = "none"
    with serving() as server:
        server.otherwise = model
        root = folder / "vault"

        def reader() -> Reader:
            settings = Settings(model="scripted", base_url=server.url)
            made = make_reader(settings, root)
            assert made is not None
            return made

        yield from play(
            root,
            diary,
            reader,
            grow_to=grow,
            index_file=folder / "index.db",
        )
        print(f"\nTimes that `node_search` did not show a fact's node: {model.missed}")


COLUMNS = (
    ("night", lambda n: n.number),
    ("notes", lambda n: f"{n.notes:,}"),
    ("facts told", lambda n: n.told),
    ("with a node", lambda n: n.covered),
    ("nodes", lambda n: n.nodes),
    ("doubled", lambda n: n.doubled),
    ("mixed", lambda n: n.mixed),
    ("stale", lambda n: n.stale),
    ("links lost", lambda n: n.lost_links),
    ("catalog", lambda n: f"{n.catalog_bytes / 1024:.0f} KiB"),
    ("seconds", lambda n: f"{n.seconds:.2f}"),
    ("calls", lambda n: n.calls),
    ("tokens", lambda n: f"{n.tokens:,}"),
    ("waiting", lambda n: n.queued),
    ("failed", lambda n: n.failed),
)


def _head() -> None:
    print("| " + " | ".join(name for name, _ in COLUMNS) + " |")
    print("|" + "---:|" * len(COLUMNS))


def _row(night: Night) -> None:
    print("| " + " | ".join(str(show(night)) for _, show in COLUMNS) + " |", flush=True)


if __name__ == "__main__":
    main()
