"""A process that behaves as its first argument says, printing lines as a runtime's host does."""

import json
import os
import signal
import sys
import time
from typing import Any

PART = {"kind": "environment", "sequence": 0, "adapter": {"vendor": "test", "software": True}}
CLOCK = {"kind": "case", "sequence": 1, "case_id": "control/clock", "status": "measured", "values": {"quantum_us": 0.1}}


def say(**line: Any) -> None:
    print(json.dumps(line), flush=True)


def complain(words: str) -> None:
    print(words, file=sys.stderr, flush=True)


def finishes() -> None:
    complain("a warning that nobody needs")
    say(part=PART)
    say(progress={"case_id": "control/clock", "fraction": 0.5})
    say(part=CLOCK)
    say(finish={"status": "finished", "reason": None, "parts": 2})


def lingers() -> None:
    """Says all there is to say and does not end."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    finishes()
    time.sleep(600)


def dies() -> None:
    say(part=PART)
    complain("the driver fell over: " + "very " * 1000 + "badly")
    raise SystemExit(7)


def is_killed() -> None:
    say(part=PART)
    os.kill(os.getpid(), signal.SIGKILL)


def dies_silently() -> None:
    raise SystemExit(3)


def sleeps() -> None:
    time.sleep(600)


def hangs() -> None:
    say(part=PART)
    time.sleep(600)


def closes_its_output_and_hangs() -> None:
    say(part=PART)
    os.close(1)
    time.sleep(600)


def chatters() -> None:
    """Never ends, and never finishes a case."""
    say(part=PART)
    while True:
        say(progress={"case_id": "control/clock", "fraction": 0.0})
        time.sleep(0.05)


def prints_rubbish() -> None:
    print("Segmentation fault (not really)", flush=True)
    print('[1, 2, "a list"]', flush=True)
    print("\ufffd\x00 {", flush=True)
    say(surprise=1)
    finishes()


def prints_only_rubbish() -> None:
    print("cannot open shared object file", flush=True)
    raise SystemExit(1)


def sends_a_malformed_part() -> None:
    say(part=PART)
    say(part=CLOCK | {"values": {"quantum_us": [1]}})
    time.sleep(600)


def begins_with_a_malformed_part() -> None:
    say(part={"kind": "surprise"})
    time.sleep(600)


def finishes_without_end() -> None:
    say(part=PART)
    say(finish={"status": "running", "parts": 1})
    time.sleep(600)


def sends_one_part_twice() -> None:
    say(part=PART)
    say(part=PART)
    say(finish={"status": "finished", "parts": 1})


def contradicts_itself() -> None:
    say(part=PART)
    say(part=PART | {"libraries": {"one": "2"}})
    time.sleep(600)


def loses_a_part() -> None:
    say(part=PART)
    say(finish={"status": "finished", "parts": 2})


def has_no_adapter() -> None:
    say(finish={"status": "unsupported", "reason": "no adapter: the list is empty", "parts": 0})


def has_a_gpu() -> None:
    say(part=PART | {"adapter": {"vendor": "test", "software": False}})
    time.sleep(600)


def says_where_it_is() -> None:
    libraries = {name: os.environ.get(name, "-") for name in ("VK_DRIVER_FILES", "OF_COMMAND", "OF_OPTIONS")}
    say(part=PART | {"libraries": libraries | {"arguments": " ".join(sys.argv[2:])}})
    say(finish={"status": "finished", "parts": 1})


if __name__ == "__main__":
    globals()[sys.argv[1]]()
