"""Runtimes that are processes of their own: native libraries under Python, and JavaScript outside a browser.

The process prints a run as lines of JSON, `{"part": ...}`, `{"progress": ...}`, and last `{"finish": ...}`; this side
posts them. A fresh process per run means that no run inherits anything from the one before it.
"""

import json
import os
import subprocess
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from queue import Empty, Queue
from threading import Event, Thread
from time import monotonic
from typing import Any

from pydantic import TypeAdapter, ValidationError

from dispatchmark.client import Server, ServerError
from dispatchmark.contract.base import RunStatus, RuntimeName
from dispatchmark.contract.environment import Launch, Runtime
from dispatchmark.contract.receipt import Progress
from dispatchmark.contract.submission import CasePart, EnvironmentPart, Finish, Part

from . import vulkan
from .base import Job, Options, Outcome, Probe
from .watch import close_run

PARTS: TypeAdapter[EnvironmentPart | CasePart] = TypeAdapter(Part)
PROBE_TIMEOUT_S = 90
TICK_S = 0.25
GRACE_S = 5.0
"""A process that is told to end may take so long to say what it has of the case in flight."""

PARTING_S = 10.0
"""A process that has closed its output is about to end: so long is waited for its exit code."""

LAST_LINES = 100
LAST_WORDS = 600
"""Characters of stderr that are kept to say why a process died."""


class Missing(Exception):
    """The runtime is not here, or not able to start; the message says what is missing."""


@dataclass(frozen=True, slots=True)
class Command:
    """How a runtime's process is started: the executable with what comes before `--suite`, and its environment."""

    arguments: tuple[str, ...]
    version: str | None = None
    variables: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ProcessDriver:
    """Drives one runtime that is a process."""

    name: RuntimeName
    find: Callable[[], Command]
    """Raises Missing."""
    remedy: str

    def probe(self, options: Options) -> Probe:
        """Starts the process on a smoke suite's first words, its environment."""
        launch = Launch(profile=options.profile, driver="process")
        runtime = Runtime(name=self.name)
        try:
            command = self.find()
        except Missing as error:
            return Probe(runtime, "unavailable", launch, reason=str(error), remedy=self.remedy)
        launch = self._launch(command, options)
        runtime = Runtime(name=self.name, version=command.version)
        try:
            environment, reason = self._environment(command, options)
        except Missing as error:
            return Probe(runtime, "unavailable", launch, reason=str(error), remedy=self.remedy)
        adapter = environment.adapter if environment else None
        if environment is None or adapter is None:
            return Probe(runtime, "unsupported", launch, reason=reason or "it has no adapter")
        if options.adapter != "any" and adapter.software is (options.adapter == "hardware"):
            return Probe(runtime, "unsupported", launch, adapter, reason=f"it has no {options.adapter} adapter")
        return Probe(runtime, "usable", launch, adapter)

    def execute(self, job: Job, watch: Callable[[Progress], None], stop: Event) -> Outcome:
        """Posts what the process prints until it has ended, hangs, or is stopped."""
        server = Server(job.server_url)
        try:
            command = self.find()
            runtime = Runtime(name=self.name, version=command.version)
            launch = self._launch(command, job.options)
            start = job.start.model_copy(update={"launch": launch, "runtime": runtime})
            server.open_run(start)
            ours = ["--suite", start.suite.name, "--seed", str(start.seed)]
            try:
                with _started([*command.arguments, *ours], self._variables(command, job.options)) as child:
                    return _follow(child, job, server, watch, stop)
            except Missing as error:
                return close_run(job, server, RunStatus.UNAVAILABLE, str(error))
        except Missing as error:
            return Outcome(RunStatus.UNAVAILABLE, str(error))
        finally:
            server.close()

    def _environment(self, command: Command, options: Options) -> tuple[EnvironmentPart | None, str | None]:
        """The environment that a run would begin with, or why there is none."""
        arguments = [*command.arguments, "--suite", "smoke", "--seed", "0"]
        with _started(arguments, self._variables(command, options)) as child:
            deadline = monotonic() + PROBE_TIMEOUT_S
            while monotonic() < deadline:
                line = child.line(TICK_S)
                if line and "part" in line:
                    try:
                        part = PARTS.validate_python(line["part"], strict=False)
                    except ValidationError as error:
                        return None, f"its first words are no part: {error}"
                    return (part, None) if isinstance(part, EnvironmentPart) else (None, "it names no adapter")
                if line and "finish" in line:
                    try:
                        return None, Finish.model_validate(line["finish"]).reason
                    except ValidationError as error:
                        return None, f"its first words are no finish: {error}"
                if line is None and child.ended:
                    return None, f"it does not start: {child.last_words()}"
        return None, f"no answer within {PROBE_TIMEOUT_S} s"

    def _variables(self, command: Command, options: Options) -> dict[str, str]:
        return {**vulkan.variables(options.adapter), **command.variables, **options.variables}

    def _launch(self, command: Command, options: Options) -> Launch:
        return Launch(
            profile=options.profile,
            driver="process",
            executable=command.arguments[0],
            flags=list(command.arguments[1:]),
            variables=self._variables(command, options),
        )


class Child:
    """A running process, read line by line without ever blocking for long."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self._lines: Queue[str | None] = Queue()
        self._errors: deque[str] = deque(maxlen=LAST_LINES)
        self._closed = False
        self._readers = [Thread(target=reader, daemon=True) for reader in (self._read_out, self._read_errors)]
        for reader in self._readers:
            reader.start()

    @property
    def ended(self) -> bool:
        """Whether the process is gone and all it said has been read."""
        return self._closed

    def line(self, timeout_s: float) -> dict[str, Any] | None:
        """The next line as an object; None where none came in time. A line that is no object is taken for an error."""
        try:
            text = self._lines.get(timeout=timeout_s)
        except Empty:
            return None
        if text is None:
            self._closed = True
            return None
        try:
            found = json.loads(text)
        except ValueError:
            found = None
        if not isinstance(found, dict):
            self._errors.append(text)
            return {}
        return found

    def last_words(self) -> str:
        """How it ended and the end of what it said on stderr."""
        try:
            self.process.wait(timeout=PARTING_S)
        except subprocess.TimeoutExpired:
            return "closed its output but did not end"
        self._readers[1].join(timeout=1)
        said = "".join(self._errors).strip()[-LAST_WORDS:]
        code = self.process.returncode
        how = f"ended by signal {-code}" if code < 0 else f"ended with code {code}"
        return f"{how}: {said}" if said else how

    def close(self) -> None:
        """Ends the process, if it still runs, and its pipes."""
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(timeout=GRACE_S)
            except subprocess.TimeoutExpired:
                self.process.kill()
        self.process.wait()
        # A process of the process may hold a pipe open; the reader, a daemon, is then left to it.
        for reader in self._readers:
            reader.join(timeout=1)

    def _read_out(self) -> None:
        assert self.process.stdout is not None
        with self.process.stdout as out:
            for line in out:
                self._lines.put(line)
        self._lines.put(None)

    def _read_errors(self) -> None:
        assert self.process.stderr is not None
        with self.process.stderr as errors:
            for line in errors:
                self._errors.append(line)


@contextmanager
def _started(arguments: list[str], variables: Mapping[str, str]) -> Iterator[Child]:
    """A process in a session of its own, so that Ctrl-C at the terminal is ours to pass on; ended with the block.

    Raises Missing.
    """
    try:
        process = subprocess.Popen(
            arguments,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            errors="replace",
            env={**os.environ, **variables},
            start_new_session=True,
        )
    except OSError as error:
        raise Missing(f"{arguments[0]} does not start: {error.strerror}") from error
    child = Child(process)
    try:
        yield child
    finally:
        child.close()


def _follow(child: Child, job: Job, server: Server, watch: Callable[[Progress], None], stop: Event) -> Outcome:
    run_id = job.start.run_id
    began = heard = monotonic()
    while True:
        line = child.line(TICK_S)
        try:
            if line and "part" in line:
                heard = monotonic()
                server.send_part(run_id, PARTS.validate_python(line["part"], strict=False))
                progress = server.progress(run_id)
                if progress is not None:
                    watch(progress)
            elif line and "finish" in line:
                report = server.finish(run_id, Finish.model_validate(line["finish"]))
                return Outcome(report.status, report.reason)
        except (ValidationError, ServerError) as error:
            return close_run(job, server, RunStatus.PARTIAL, f"a part was not accepted: {error}")
        if line is None and child.ended:
            return close_run(job, server, RunStatus.PARTIAL, f"the process {child.last_words()}")
        if stop.is_set():
            _hear_out(child, run_id, server)
            return close_run(job, server, RunStatus.CANCELLED, "stopped by the user")
        if monotonic() - heard > job.stall_s:
            return close_run(job, server, RunStatus.PARTIAL, f"hung: no case finished within {job.stall_s:g} s")
        if monotonic() - began > job.timeout_s:
            _hear_out(child, run_id, server)
            return close_run(job, server, RunStatus.PARTIAL, f"not done within {job.timeout_s:.0f} s")


def _hear_out(child: Child, run_id: str, server: Server) -> None:
    """Tells the process to end, and posts what it still has: the case in flight is kept as far as it got."""
    child.process.terminate()
    deadline = monotonic() + GRACE_S
    with suppress(ValidationError, ServerError):
        while not child.ended and monotonic() < deadline:
            line = child.line(TICK_S)
            if line and "part" in line:
                server.send_part(run_id, PARTS.validate_python(line["part"], strict=False))
