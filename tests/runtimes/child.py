"""A process that behaves oddly, as its first argument says, and prints lines as a runtime's host does."""

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


def finishes() -> None:
    say(part=PART)
    say(part=CLOCK)
    say(finish={"status": "finished", "reason": None, "parts": 2})


def lingers() -> None:
    """Says all there is to say and does not end."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    finishes()
    time.sleep(600)


def complains_at_length() -> None:
    say(part=PART)
    print("the driver fell over: " + "very " * 1000 + "badly", file=sys.stderr, flush=True)
    raise SystemExit(7)


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
    sys.stdout.buffer.write(b"\xff\xfe\x00 {\n")
    say(surprise=1)
    finishes()


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


if __name__ == "__main__":
    globals()[sys.argv[1]]()
