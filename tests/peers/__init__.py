"""ReMe's auto_dream and ours, side by side: the same vault, the same scripted model, one run.

``make peers`` installs ``reme-ai`` into an environment of its own and prints the table that stands
in the guide. It is no part of the test suite: the peer is large, and what it does is not ours to
pin.
"""
