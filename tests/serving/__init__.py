"""The program that stays, with a clock that is told the time."""
