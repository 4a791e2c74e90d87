"""The contracts: the bot's own examples against the node's models, and what the node sends against the bot's schema."""

import json
from typing import Any

import jsonschema
import pytest
from conftest import ROOT
from fake_registry import FakeRegistry
from pydantic import BaseModel, ValidationError
from test_registry import membership

from voxnode.wire import ErrorBody, Health, LoggedRequest, SpeechRequest, Voices

MODELS: dict[str, type[BaseModel]] = {
    "SpeechRequest": SpeechRequest,
    "LoggedRequest": LoggedRequest,
    "Health": Health,
    "Voices": Voices,
    "NodeError": ErrorBody,
}
VECTORS = json.loads((ROOT / "bot/wire/vectors/node.json").read_text("utf-8"))
SCHEMA = json.loads((ROOT / "colab/wire.schema.json").read_text("utf-8"))


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: f"{vector['schema']}: {vector['name']}")
def test_the_node_accepts_and_refuses_what_the_bot_does(vector: dict[str, Any]) -> None:
    text = json.dumps(vector["value"])
    if vector["good"]:
        MODELS[vector["schema"]].model_validate_json(text)
    else:
        with pytest.raises(ValidationError):
            MODELS[vector["schema"]].model_validate_json(text)


def test_every_model_has_good_and_bad_examples() -> None:
    assert {(vector["schema"], vector["good"]) for vector in VECTORS} == {(n, g) for n in MODELS for g in (True, False)}


def test_what_the_node_tells_the_registry_fits_the_bots_schema() -> None:
    with FakeRegistry() as registry:
        member = membership(registry, voices=["tone", "en-us"], registry_key="k")
        member.step("https://a.trycloudflare.com")
        member.step("https://a.trycloudflare.com")
        member.step(None)
        member.step("https://b.trycloudflare.com")
        member.leave()
    names = {"register": "RegisterRequest", "heartbeat": "HeartbeatRequest", "unregister": "UnregisterRequest"}
    assert [action for action, _ in registry.calls] == ["register", "heartbeat", "heartbeat", "register", "unregister"]
    for action, body in registry.calls:
        definition = SCHEMA["$defs"][names[action]]
        jsonschema.validate(body, {**SCHEMA, **definition})
        assert set(body) <= set(definition["properties"]), "nothing that the contract does not know"
