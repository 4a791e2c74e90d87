"""`python colab/write_openapi.py` writes the node's OpenAPI document beside it; a test fails when the file is stale."""

import json
from pathlib import Path

from voxnode.app import create_app
from voxnode.settings import Settings

FILE = Path(__file__).with_name("openapi.json")


def openapi_text() -> str:
    """Write the document as it is now."""
    return json.dumps(create_app(Settings()).openapi(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FILE.write_text(openapi_text(), "utf-8")
