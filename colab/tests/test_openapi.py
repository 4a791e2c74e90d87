"""The node's OpenAPI document: kept, true, and asked by requests that are made up from it."""

from collections.abc import Iterator

import pytest
import schemathesis
from conftest import Node, running_node
from hypothesis import HealthCheck, settings
from schemathesis.specs.openapi.checks import positive_data_acceptance

from voxnode.app import create_app
from voxnode.settings import Settings
from voxnode.wire import INPUT_MAX_UTF16, ErrorBody, utf16_length
from write_openapi import FILE, openapi_text

schema = schemathesis.openapi.from_dict(create_app(Settings()).openapi())


@pytest.fixture(scope="module")
def node() -> Iterator[Node]:
    with running_node(node_key="s3cret", rate_per_sec=10_000.0, rate_burst=10_000) as running:
        yield running


def test_the_file_that_is_kept_is_not_stale() -> None:
    assert FILE.read_text("utf-8") == openapi_text(), "run: node colab/python.ts colab/write_openapi.py"


@schema.parametrize()
@settings(max_examples=150, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_every_request_is_answered_as_the_document_says(case: schemathesis.Case, node: Node) -> None:
    response = case.call_and_validate(
        base_url=node.url, headers={"Authorization": "Bearer s3cret"}, excluded_checks=[positive_data_acceptance]
    )
    if response.status_code < 400:
        return
    error = ErrorBody.model_validate(response.json()).error
    if case.meta.generation.mode.is_positive:
        # Good by its form, it can still name a voice that is not here, or say nothing that has a sound.
        # A document counts characters, and Discord's limit counts what JavaScript does: two for an emoji.
        long = isinstance(case.body, dict) and utf16_length(case.body["input"]) > INPUT_MAX_UTF16
        allowed = ["voice_not_found", "input_unspeakable", "request_not_found", *(["invalid_request"] if long else [])]
        assert error.code in allowed, error
