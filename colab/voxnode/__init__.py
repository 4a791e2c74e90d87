"""The node: one speech server that speaks the OpenAI speech API, and the runner that keeps it in the pool."""

VERSION = "0.1.0"
