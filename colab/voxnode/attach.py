"""`colab_runner.py --attach http://host:port`: a speech server that runs already becomes a node. Standard library only.

The node's own server stands before it as a proxy: queue, key, health, voices, Opus in packets of 20 ms, one loudness.
"""

import re
from collections.abc import Mapping, Sequence

_ADDRESS = re.compile(r"https?://[A-Za-z0-9.-]+(:\d{1,5})?(/[\w.~%/-]*)?|https?://\[[0-9A-Fa-f:]+\](:\d{1,5})?(/[\w.~%/-]*)?")


class BadAddress(ValueError):
    """What stands behind `--attach` is no address."""


def with_attached(arguments: Sequence[str], env: Mapping[str, str]) -> dict[str, str]:
    """Give the environment for a node that speaks through the server behind `--attach`; as it was without that.

    Raises BadAddress. The address may be of any host: the operator names it.
    """
    for index, argument in enumerate(arguments):
        if argument == "--attach" or argument.startswith("--attach="):
            url = argument.partition("=")[2] or " ".join(arguments[index + 1 : index + 2])
            if not _ADDRESS.fullmatch(url):
                raise BadAddress("--attach wants the server's address, as http://127.0.0.1:8880")
            return {**env, "ENGINE": "openai", "ATTACH_URL": url}
    return dict(env)
