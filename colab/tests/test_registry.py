"""The registry's client and the membership, against a real HTTP registry with two hops."""

from dataclasses import replace
from typing import Any

import pytest
from fake_registry import FakeRegistry

from voxnode.backoff import backoff_sec
from voxnode.membership import Membership, Refused, Superseded
from voxnode.registry import Answer, Registry, RegistryFault
from voxnode.settings import Settings


def membership(registry: FakeRegistry, voices: list[str] | None = None, **changes: Any) -> Membership:
    settings = replace(Settings(server_id="colab-1", server_label="=label"), **changes)
    client = Registry(registry.url, limit_sec=5, sleep=lambda _: None)
    return Membership(client, settings, "instance-1", voices or [], lambda _: None)


class TestRegistry:
    """One call."""

    def test_it_follows_the_two_hops_by_hand(self, registry: FakeRegistry) -> None:
        assert Registry(registry.url).call("heartbeat", {"serverId": "a"}) == Answer(None)
        assert registry.hops == ["POST", "GET"]

    def test_an_embedded_registry_answers_at_once(self, registry: FakeRegistry) -> None:
        registry.faults = ["direct"]
        assert Registry(registry.url).call("register", {}) == Answer(None)
        assert registry.hops == ["POST"]

    def test_a_lost_second_hop_is_tried_again_alone(self, registry: FakeRegistry) -> None:
        registry.faults = ["lost"]
        assert Registry(registry.url, sleep=lambda _: None).call("register", {}) == Answer(None)
        assert registry.hops == ["POST", "GET", "GET", "GET"]
        assert len(registry.calls) == 1

    @pytest.mark.parametrize("fault", ["page", "gone", "down", "json", "elsewhere"])
    def test_what_is_not_the_envelope_is_no_answer(self, registry: FakeRegistry, fault: str) -> None:
        registry.faults = [fault]
        with pytest.raises(RegistryFault):
            Registry(registry.url, sleep=lambda _: None).call("register", {})

    def test_a_slow_registry_is_not_waited_for(self, registry: FakeRegistry) -> None:
        registry.faults = ["slow"]
        with pytest.raises(RegistryFault):
            Registry(registry.url, limit_sec=0.2).call("register", {})

    def test_nobody_there_is_a_fault_too(self) -> None:
        with pytest.raises(RegistryFault):
            Registry("http://127.0.0.1:9/exec", limit_sec=1).call("register", {})

    def test_a_refusal_keeps_its_code(self, registry: FakeRegistry) -> None:
        registry.codes = ["unauthorized"]
        assert Registry(registry.url).call("register", {}).code == "unauthorized"


class TestMembership:
    """What is called when."""

    def test_it_tells_what_it_serves_beside_speech(self, registry: FakeRegistry) -> None:
        membership(registry, paths=("/v1/chat/completions", "/v1/images/*")).step("https://a.example")
        membership(registry).step("https://a.example")
        assert [body.get("paths") for _, body in registry.calls] == [["/v1/chat/completions", "/v1/images/*"], None]

    def test_it_registers_then_beats(self, registry: FakeRegistry) -> None:
        member = membership(registry, registry_key="k")
        assert [member.step("https://n.example") for _ in range(3)] == [30, 30, 30]
        assert registry.actions() == ["register", "heartbeat", "heartbeat"]
        assert registry.calls[0][1]["apiUrl"] == registry.calls[1][1]["apiUrl"] == "https://n.example"
        assert {body["instanceId"] for _, body in registry.calls} == {"instance-1"}
        assert {body["key"] for _, body in registry.calls} == {"k"}

    def test_a_forgotten_node_registers_again_at_once(self, registry: FakeRegistry) -> None:
        registry.codes = [None, "unknown_server"]
        member = membership(registry)
        assert [member.step("https://n.example") for _ in range(3)] == [30, 0, 30]
        assert registry.actions() == ["register", "heartbeat", "register"]

    def test_a_new_address_is_registered_and_a_missing_one_beaten(self, registry: FakeRegistry) -> None:
        member = membership(registry)
        for url in ("https://a.example", None, "https://b.example", "https://b.example"):
            member.step(url)
        assert registry.actions() == ["register", "heartbeat", "register", "heartbeat"]
        assert [body["apiUrl"] for _, body in registry.calls] == [
            "https://a.example", None, "https://b.example", "https://b.example",
        ]  # fmt: skip

    def test_nothing_is_registered_without_an_address(self, registry: FakeRegistry) -> None:
        membership(registry).step(None)
        assert registry.calls == []

    def test_an_older_instance_stops(self, registry: FakeRegistry) -> None:
        registry.codes = ["superseded"]
        with pytest.raises(Superseded):
            membership(registry).step("https://n.example")

    def test_a_wrong_key_is_said_and_not_tried_for_ever(self, registry: FakeRegistry) -> None:
        registry.codes = ["unauthorized"]
        with pytest.raises(Refused, match="unauthorized"):
            membership(registry).step("https://n.example")

    def test_a_registry_that_is_down_is_asked_again_less_and_less_often(self, registry: FakeRegistry) -> None:
        registry.faults = ["page"] * 9
        member = membership(registry)
        delays = [member.step("https://n.example") for _ in range(9)]
        assert all(0.8 * 2**index <= delay <= 2**index for index, delay in enumerate(delays[:6]))
        assert max(delays) <= 60
        assert member.step("https://n.example") == 30
        assert member.registered

    def test_a_registered_node_never_waits_longer_than_its_beat(self, registry: FakeRegistry) -> None:
        member = membership(registry, heartbeat_sec=5.0)
        member.step("https://n.example")
        registry.faults = ["page"] * 8
        assert max(member.step("https://n.example") for _ in range(8)) <= 5

    def test_leaving_is_said_once_and_only_by_a_member(self, registry: FakeRegistry) -> None:
        member = membership(registry)
        member.leave()
        member.step("https://n.example")
        member.leave()
        member.leave()
        assert registry.actions() == ["register", "unregister"]

    def test_back_off_has_a_cap(self) -> None:
        assert max(backoff_sec(faults, 60) for faults in range(1, 5000)) <= 60
