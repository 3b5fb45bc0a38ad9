"""Sixty nights over a diary whose facts recur, change and contradict each other, truth known.

``python -m tests.evals.longitudinal`` plays them with the offline reader and with a scripted model,
prints what became of the facts and what a night cost while the vault grew, and can draw the plot of
the guide.
"""
