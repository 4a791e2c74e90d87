"""Run a node of the pool: from the notebook's last cell, or on any machine with Python 3.10 or newer.

Everything is set by environment variables; see the README.
"""

import sys

if sys.version_info < (3, 10):
    sys.exit("The node needs Python 3.10 or newer.")

from voxnode.runner import main

if __name__ == "__main__":
    sys.exit(main())
