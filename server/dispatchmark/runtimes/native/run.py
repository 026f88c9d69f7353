"""Executes a suite once on a native library, case by case, each on a fresh adapter and device."""

import gc
import random
from collections.abc import Callable, Iterator
from time import perf_counter_ns
from typing import Any

from dispatchmark.contract.base import RunStatus
from dispatchmark.contract.submission import CasePart, CaseStatus, EnvironmentPart, Finish
from dispatchmark.contract.suite import Case, CaseKind, SuiteFile

from .kinds import KINDS
from .library import Library, Unsupported, describe
from .measure import Conditions, Context, Result
from .plan import Limits
from .workload import IMMEDIATE_BYTES

REASON_LENGTH = 2000
IMMEDIATES = "immediates"
Parts = Iterator[EnvironmentPart | CasePart]


class Cancelled(BaseException):
    """The run is to end; no `except Exception` on the way may swallow it."""


class Run:
    """One run. Iterate `parts()`, then read `finish`."""

    def __init__(
        self,
        library: Library,
        file: SuiteFile,
        suite: str,
        seed: int,
        progress: Callable[[str, int, int, float], None] = lambda case_id, index, total, fraction: None,
    ) -> None:
        self.library = library
        self.file = file
        self.suite = file.suites[suite]
        self.cases = file.cases_of(suite)
        self.seed = seed
        self.progress = progress
        self.conditions = Conditions()
        self.origin_ns = perf_counter_ns()
        self.sequence = 0
        self.measured = 0
        self.problem: str | None = None
        self.cancelled = False
        self._in_case = False
        self.finish = Finish(status=RunStatus.FAILED, reason="the run did not end", parts=0)

    def parts(self) -> Parts:
        """The parts in their order, each as soon as it is measured."""
        try:
            adapter = self.library.adapter()
        except RuntimeError as error:
            self._end(RunStatus.UNSUPPORTED, f"no adapter: {error}")
            return
        yield EnvironmentPart(
            kind="environment",
            sequence=self._next(),
            runtime_version=self.library.version,
            adapter=describe(adapter),
            libraries=self.library.libraries(),
        )
        repeated = next((case for case in self.cases if case.kind is CaseKind.LADDER), None)
        plan = [(case, False) for case in self.cases] + ([(repeated, True)] if repeated else [])
        for index, (case, repeat) in enumerate(plan):
            if self.cancelled:
                break
            yield self._case(case, repeat, index, len(plan))
        if self.cancelled:
            self._end(RunStatus.CANCELLED, "cancelled")
        elif self.measured:
            self._end(RunStatus.FINISHED, None)
        else:
            self._end(RunStatus.FAILED, self.problem or "nothing could be measured")

    def cancel(self) -> None:
        """Ends the run, also from a signal handler: the case in flight is given as far as it got. Raises Cancelled."""
        self.cancelled = True
        if self._in_case:
            self._in_case = False
            raise Cancelled

    def _next(self) -> int:
        self.sequence += 1
        return self.sequence - 1

    def _end(self, status: RunStatus, reason: str | None) -> None:
        self.finish = Finish(status=status, reason=reason and reason[:REASON_LENGTH], parts=self.sequence)

    def _case(self, case: Case, repeat: bool, index: int, total: int) -> CasePart:
        result, devices = Result(), list[Any]()
        self.progress(case.id, index, total, 0.0)

        def open_device() -> Any:
            device = self._device(case)
            devices.append(device)
            return device

        context = Context(
            library=self.library,
            file=self.file,
            case=case,
            limits=self._limits(case),
            conditions=self.conditions,
            result=result,
            origin_ns=self.origin_ns,
            rng=random.Random(f"{self.seed} {index}"),
            open=open_device,
            progress=lambda fraction: self.progress(case.id, index, total, fraction),
        )
        started = perf_counter_ns()
        status, reason = self._attempt(context)
        for device in devices:
            device.destroy()
        if status == "measured" and case.kernel:
            self.measured += 1
        if status == "failed":
            self.problem = self.problem or f"{case.id}: {reason}"
        return CasePart(
            kind="case",
            sequence=self._next(),
            case_id=case.id,
            repeat=repeat,
            status=status,
            reason=reason,
            verified=result.verified,
            values=result.values,
            series=[series for series in result.series if series.samples],
            started_us=(started - self.origin_ns) / 1000,
            duration_ms=(perf_counter_ns() - started) / 1e6,
        )

    def _attempt(self, context: Context) -> tuple[CaseStatus, str | None]:
        # A collection in the middle of a span would be timed as part of it.
        gc.collect()
        gc.disable()
        try:
            self._in_case = True
            KINDS[context.case.kind](context)
            self._in_case = False
        except Cancelled:
            return "cancelled", "cancelled"
        except Unsupported as error:
            return "unsupported", str(error)[:REASON_LENGTH]
        except Exception as error:
            # Whatever a library raises is this case's result; the other cases are still to be measured.
            return "failed", f"{type(error).__name__}: {error}"[:REASON_LENGTH]
        finally:
            self._in_case = False
            gc.enable()
        return "measured", None

    def _device(self, case: Case) -> Any:
        """A device of a fresh adapter with the features of the case. Raises Unsupported where one is missing."""
        adapter = self.library.adapter()
        kernel = self.file.kernels[case.kernel] if case.kernel else None
        needed = {*case.features, *(kernel.features if kernel else [])}
        wanted = {"timestamp-query"} if case.timestamps else set[str]()
        if IMMEDIATES in needed:
            # A feature of its own in wgpu, a limit alone in Dawn and in the standard.
            needed.discard(IMMEDIATES)
            wanted.add(IMMEDIATES)
            if not adapter.limits.get("max-immediate-size", 0) >= IMMEDIATE_BYTES:
                raise Unsupported("the adapter has no room for immediate data")
        missing = sorted(needed - set(adapter.features))
        if missing:
            raise Unsupported(f"the adapter lacks {', '.join(missing)}")
        return adapter.request_device_sync(required_features=sorted(needed | (wanted & set(adapter.features))))

    def _limits(self, case: Case) -> Limits:
        return Limits(
            cap_us=self.suite.batch_cap_ms * 1000,
            budget_us=self.suite.case_budget_ms * 1000,
            min_rounds=self.suite.min_rounds,
            max_rounds=self.suite.max_rounds,
            rungs=self.suite.rungs,
            narrow=self.suite.narrow,
            max_n=case.max_n,
        )
