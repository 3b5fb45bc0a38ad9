"""The program that stays: jobs by the clock, indexes in step, one vault. It knows no terminal."""
