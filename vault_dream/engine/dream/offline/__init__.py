"""The offline reader: days read by structure and cue, with no key and no network."""
