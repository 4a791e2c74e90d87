"""The synthesis processes: what hangs, dies or fails costs its own request and nothing else."""

import os
import signal
import threading

from conftest import Engines, Node, running_node, until
from test_queue import ask_and_hold, load


def code(node: Node, text: str) -> tuple[int, str]:
    answer = node.speak(text)
    return answer.status_code, answer.json()["error"]["code"] if answer.status_code != 200 else ""


def process_ids(node: Node) -> list[int]:
    return [worker._process.pid for worker in node.app.state.node.workers._ready]


def ready(node: Node) -> bool:
    return node.get("/health").status_code == 200


def test_an_engine_that_hangs_is_killed_and_started_again_while_the_server_goes_on(moody: Engines) -> None:
    with running_node(moody, synthesis_limit_sec=0.5, cancel_limit_sec=0.2) as node:
        before = process_ids(node)
        assert code(node, "wedge") == (503, "synthesis_timeout")
        until(lambda: not ready(node), "a node whose only process was killed says so")
        assert node.get("/v1/audio/voices").json()["error"]["code"] == "not_ready"
        until(lambda: ready(node), "another process speaks")
        assert process_ids(node) != before
        assert node.speak("good").status_code == 200
        assert load(node) == (0, 0)


def test_one_that_hangs_leaves_the_others_alone(moody: Engines) -> None:
    with running_node(moody, concurrency=2, synthesis_limit_sec=2.0, cancel_limit_sec=0.2) as node:
        hanging = threading.Thread(target=node.speak, args=("wedge",))
        hanging.start()
        until(lambda: "wedge" in moody.lines("started"), "one hangs")
        assert [node.speak("good").status_code for _ in range(5)] == [200] * 5
        hanging.join()
        until(lambda: len(process_ids(node)) == 2, "both speak again")


def test_whoever_waits_behind_one_that_hangs_is_served_by_the_next_process(moody: Engines) -> None:
    with running_node(moody, synthesis_limit_sec=0.5, cancel_limit_sec=0.2) as node:
        hanging = ask_and_hold(node, "wedge")
        until(lambda: "wedge" in moody.lines("started"), "one hangs")
        waiting = ask_and_hold(node, "patient")
        assert waiting.recv(64).startswith(b"HTTP/1.1 200")
        assert hanging.recv(64).startswith(b"HTTP/1.1 503")
        waiting.close()
        hanging.close()


def test_a_client_that_leaves_one_that_hangs_frees_the_slot_and_is_nobodys_fault(moody: Engines) -> None:
    with running_node(moody, cancel_limit_sec=0.2) as node:
        for _ in range(4):
            leaver = ask_and_hold(node, "wedge")
            until(lambda: load(node) == (1, 0), "it is served")
            leaver.close()
            until(lambda: load(node) == (0, 0), "the slot is free")
            until(lambda: ready(node), "another process speaks")
        assert node.speak("good").status_code == 200


def test_a_crash_is_answered_and_another_process_takes_its_place(moody: Engines) -> None:
    with running_node(moody) as node:
        assert code(node, "crash") == (500, "engine_crashed")
        until(lambda: ready(node), "another process speaks")
        assert node.speak("good").status_code == 200


def test_a_process_that_dies_in_its_sleep_is_noticed(moody: Engines) -> None:
    with running_node(moody) as node:
        (before,) = process_ids(node)
        os.kill(before, signal.SIGKILL)
        until(lambda: process_ids(node) not in ([], [before]), "another process speaks")
        assert node.speak("good").status_code == 200


def test_three_failures_in_a_row_make_a_node_unready_until_a_new_process_has_spoken(moody: Engines) -> None:
    with running_node(moody) as node:
        assert [code(node, "bad") for _ in range(2)] == [(500, "internal_error")] * 2
        assert node.speak("good").status_code == 200
        assert [code(node, "bad") for _ in range(2)] == [(500, "internal_error")] * 2
        assert ready(node), "two in a row are not three"
        assert code(node, "bad") == (500, "internal_error")
        until(lambda: not ready(node), "it is unready")
        assert code(node, "good") == (503, "not_ready")
        until(lambda: ready(node), "a new process has spoken")
        assert node.speak("good").status_code == 200


def test_a_bad_text_is_never_the_engines_failure(moody: Engines) -> None:
    with running_node(moody) as node:
        for _ in range(5):
            assert node.speak("...").status_code == 422
            assert node.speak("a", voice="nobody").status_code == 400
        assert ready(node)
        assert len(moody.lines("started")) == 1, "only the proof was spoken"


def test_an_engine_that_does_not_load_at_first_is_tried_again(tmp_path: object) -> None:
    engines = Engines(tmp_path, "broken")  # type: ignore[arg-type]
    # `broken` has the tone engine as its last resort; a process that ends before its hello has none.
    (engines.folder / "first").touch()
    script = f"import os, sys\nif os.path.exists(p := {str(engines.folder / 'first')!r}):\n    os.unlink(p)\n    sys.exit(3)\nos.execv(sys.argv[1], sys.argv[1:])"
    engines.command = [engines.command[0], "-c", script, *engines.command]
    with running_node(engines) as node:
        assert node.speak("hello").status_code == 200


def test_what_libraries_print_is_never_taken_for_audio(moody: Engines) -> None:
    with running_node(moody) as node:
        assert node.speak("shout").content.startswith(b"OggS")
        assert node.speak("good").content.startswith(b"OggS")


def test_no_process_is_left_when_the_server_ends(moody: Engines) -> None:
    with running_node(moody, concurrency=2) as node:
        pids = process_ids(node)
        assert len(pids) == 2

    def gone(pid: int) -> bool:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        return False

    until(lambda: all(map(gone, pids)), "they are gone")
