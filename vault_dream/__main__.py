"""``python -m vault_dream`` is ``vault-dream``."""

import sys

from vault_dream.cli import main

sys.exit(main())
