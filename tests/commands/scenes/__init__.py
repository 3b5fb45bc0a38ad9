"""What each command is put through: a module for each, with ``SCENES``.

A command without a module here, or without a schema in ``assets/schemas``, fails the tests.
"""
