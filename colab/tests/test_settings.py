"""The settings: defaults, faults, and names that users know."""

import pytest

from voxnode.settings import BadSettings, default_server_id, read_settings


def test_with_nothing_set_a_node_runs_by_itself_on_this_machine() -> None:
    settings = read_settings({}, "my-host")
    assert (settings.server_id, settings.server_label, settings.engine) == ("my-host", "my-host", "auto")
    assert (settings.tunnel, settings.gas_url, settings.port, settings.heartbeat_sec) == ("none", "", 8000, 30)
    assert (settings.capacity, settings.concurrency, settings.queue_max) == (10, 1, 16)


def test_a_registry_elsewhere_needs_a_tunnel_and_one_on_this_machine_does_not() -> None:
    assert read_settings({"GAS_URL": "https://script.google.com/macros/s/x/exec"}).tunnel == "cloudflare"
    assert read_settings({"GAS_URL": "http://127.0.0.1:8788/registry"}).tunnel == "none"
    assert read_settings({"GAS_URL": "http://127.0.0.1:8788/registry", "TUNNEL": "NGROK"}).tunnel == "ngrok"


def test_every_name_is_read() -> None:
    settings = read_settings({
        "GAS_URL": "https://script.google.com/macros/s/x/exec", "TUNNEL": "none", "SERVER_ID": "007", "SERVER_COLOR": "#00ff00",
        "SERVER_LABEL": "=label", "CAPACITY": "40", "HEARTBEAT_SEC": "5", "PORT": "0", "REGISTRY_KEY": "r", "NODE_KEY": "n",
        "ENGINE": "Tone", "CONCURRENCY": "2", "QUEUE_MAX": "0", "PUBLIC_URL": "https://node.example/base/",
    })  # fmt: skip
    assert (settings.server_id, settings.server_color, settings.server_label) == ("007", "#00ff00", "=label")
    assert (settings.capacity, settings.heartbeat_sec, settings.port) == (40, 5, 0)
    assert (settings.registry_key, settings.node_key, settings.engine) == ("r", "n", "tone")
    assert (settings.concurrency, settings.queue_max, settings.public_url) == (2, 0, "https://node.example/base")


def test_all_faults_are_named_at_once_and_no_value_is_shown() -> None:
    bad = {
        "GAS_URL": "http://registry.example/exec", "TUNNEL": "wormhole", "SERVER_ID": "a b", "SERVER_COLOR": "rgb(1,2,3)",
        "SERVER_LABEL": "x" * 81, "CAPACITY": "0", "HEARTBEAT_SEC": "nan", "PORT": "65536", "REGISTRY_KEY": "ke y",
        "NODE_KEY": "\u3042", "ENGINE": "piper9", "CONCURRENCY": "1.5", "QUEUE_MAX": "-1", "PUBLIC_URL": "https://u:p@host",
    }  # fmt: skip
    with pytest.raises(BadSettings) as fault:
        read_settings(bad)
    assert [line.split(":")[0] for line in fault.value.faults] == list({
        "GAS_URL": 0, "SERVER_ID": 0, "PUBLIC_URL": 0, "SERVER_COLOR": 0, "SERVER_LABEL": 0, "CAPACITY": 0, "CONCURRENCY": 0,
        "QUEUE_MAX": 0, "ENGINE": 0, "PORT": 0, "NODE_KEY": 0, "REGISTRY_KEY": 0, "HEARTBEAT_SEC": 0, "TUNNEL": 0,
    })  # fmt: skip
    assert "ke y" not in str(fault.value)


def test_an_empty_variable_is_an_absent_one() -> None:
    assert read_settings({"PORT": "", "GAS_URL": " "}, "h") == read_settings({}, "h")


@pytest.mark.parametrize(
    ("host", "server_id"), [("a b.local", "a-b.local"), ("", "node"), ("日本", "node"), ("x" * 99, "x" * 64)]
)
def test_the_id_comes_from_the_machines_name_and_stays_the_same(host: str, server_id: str) -> None:
    assert default_server_id(host) == server_id
    assert read_settings({}, host or " ").server_id == server_id
