"""GET /v1/audio/voices."""

from conftest import running_node

from voxnode.wire import Voices


def test_it_lists_the_voices_of_the_engines_that_work() -> None:
    with running_node() as node:
        voices = Voices.model_validate(node.get("/v1/audio/voices").json()).voices
    assert [(voice.id, voice.language, voice.engine) for voice in voices] == [("tone", "mul", "tone")]


def test_it_opens_with_the_key_and_with_nothing_else() -> None:
    with running_node(node_key="s3cret") as node:
        for sent in ("", "s3cret", "Bearer s3cre", "Bearer s3crett", "bearer s3cret", "Basic s3cret", "Bearer \xe9"):
            answer = node.get("/v1/audio/voices", headers={"Authorization": sent.encode("latin-1")})
            assert answer.status_code == 401, sent
            assert answer.json()["error"]["code"] == "invalid_api_key"
        assert node.get("/v1/audio/voices", headers={"Authorization": "Bearer s3cret"}).status_code == 200
