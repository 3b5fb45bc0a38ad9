"""Secrets: shapes that are found, and ordinary words that are not."""

from __future__ import annotations

import pytest

from vault_dream.engine.dream.secrets import REDACTED, redact, secrets_in

FOUND = [
    "AKIA" + "ABCDEFGHIJKLMNOP",
    "ghp_" + "a" * 36,
    "xoxb-" + "1234567890-abcdef",
    "sk-proj-" + "a1B2" * 6,
    "sk_live_" + "4eC39HqLyjWDarjt",
    "AIza" + "x" * 35,
    "eyJhbGciOiJI." + "eyJzdWIiOiIx" + ".c2lnbmF0dXJl",
    "glpat-" + "x" * 20,
]
NAMED = [
    ("the wifi password is Tr0ub4dor&3 since May", "Tr0ub4dor&3"),
    ("password: hunter2x", "hunter2x"),
    ("API key = 9f8e7d6c5b4a", "9f8e7d6c5b4a"),
    ("postgres://maren:s3cretpw@db.example/orders", "s3cretpw"),
    ("路由器密码：abc12345", "abc12345"),
    ("- **Password:** hunter2x", "hunter2x"),
    ("- **Password**: `hunter2x`", "hunter2x"),
    ("| password | hunter2x | router |", "hunter2x"),
    ("wifi password = blue-horse-9", "blue-horse-9"),
    ("recovery code: 4F9K-22QP", "4F9K-22QP"),
    ("export STRIPE_API_KEY=9f8e7d6c5b4a", "9f8e7d6c5b4a"),
    ('client_secret: "x9y8z7w6"', "x9y8z7w6"),
    ("passphrase: correct-horse-battery", "correct-horse-battery"),
    ("验证码是 A1B2C3", "A1B2C3"),
    ("netadm with the password Kelp-Harbour-71-x until Friday", "Kelp-Harbour-71-x"),
    ("Das Passwort lautet Sommer2019!", "Sommer2019!"),
    ("la contraseña es gato77verde", "gato77verde"),
    ("the wifi password is still blue77horse", "blue77horse"),
    ("路由器密码abc12345", "abc12345"),
    ("The door code is 4471 now", "4471"),
    ("PIN: 0815", "0815"),
    ("the PIN for the blue card 4711", "4711"),
    ("alarm code 90210", "90210"),
    ("门禁密码改成7788", "7788"),
    ("card 4111 1111 1111 1111 runs out", "4111 1111 1111 1111"),
]
ORDINARY = [
    "She wants a password: something with flowers.",
    "the token of the forest is a leaf",
    "pin: remember to buy some",
    "Set a password for the new box tomorrow.",
    "see https://example.com/a:b and mail a@b.example",
    "commit 3f2a9c1 fixed the order of the two migrations",
    "The secret is patience.",
    "The secret is well-kept, and the token was one-sided.",
    "the pin is push-fit and the tokens are brass",
    "secretary: 12/3 at ten",
    "| token | meaning |",
    "密码是外婆的生日，别忘了",
    "the password manager forgot me again",
    "a new password for mum2 and dad",
    "pin 13 of the board blinks",
    "the dress code is 1920s",
    "the door code changes in 2027",
    "postcode 10115, area code 030",
    "order 4111 1111 1111 1112 is late",
    "the code review took 4471 seconds",
]


@pytest.mark.parametrize("secret", FOUND)
def test_well_known_shapes_are_blacked_out(secret: str) -> None:
    assert redact(f"it is {secret} for now") == f"it is {REDACTED} for now"


@pytest.mark.parametrize(("text", "secret"), NAMED)
def test_named_secrets_are_blacked_out_and_the_rest_stays(text: str, secret: str) -> None:
    assert redact(text) == text.replace(secret, REDACTED)


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_words_are_no_secrets(text: str) -> None:
    assert list(secrets_in(text)) == []


def test_a_private_key_goes_whole_even_when_its_end_is_missing() -> None:
    key = "-----BEGIN RSA PRIVATE KEY-----\nabc\ndef\n"
    assert redact(f"before\n{key}") == f"before\n{REDACTED}"
