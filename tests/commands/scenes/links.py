"""``links``."""

from tests.commands.outside import NO_VAULT, Scene, bad

SCENES = (
    Scene("the vault", ("-V", "{vault}")),
    Scene("a note", ("tea", "-V", "{vault}")),
    Scene("the way between two", ("tea", "--to", "daily/2026-11-01.md", "-V", "{vault}")),
    bad("a note that is none", "nobody", "-V", "{vault}"),
    bad("an end without a start", "--to", "tea", "-V", "{vault}"),
    NO_VAULT,
)
