"""Run a node of the pool: from the notebook's last cell, or on any machine with Python 3.10 or newer.

Everything is set by environment variables; see the README. `--attach http://host:port` makes a node of a speech server
that runs already and speaks the OpenAI API.
"""

import os
import sys

if sys.version_info < (3, 10):
    sys.exit("The node needs Python 3.10 or newer.")

from voxnode.attach import BadAddress, with_attached
from voxnode.runner import main

if __name__ == "__main__":
    try:
        environment = with_attached(sys.argv[1:], os.environ)
    except BadAddress as bad:
        sys.exit(str(bad))
    sys.exit(main(environment))
