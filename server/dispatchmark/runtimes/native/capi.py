"""The C API of wgpu-native and Dawn through the handles that the packages hold: the same calls without Python."""

from dataclasses import dataclass
from importlib import import_module
from time import perf_counter_ns
from types import ModuleType
from typing import Any, ClassVar, Final
from weakref import WeakKeyDictionary

from dispatchmark.contract.base import WaitMode
from dispatchmark.contract.suite import Case

from . import compiled, phases
from .library import Library, Unsupported, Wait
from .operations import Dialect, compose
from .timestamps import GpuTimer
from .workload import COPY_DST, ONE, UNIFORM, Issue, Workload

BACKENDS: Final = {"wgpu": "wgpu.backends.wgpu_native", "dawn": "wgpudawn.backends.dawn"}
FOREVER_NS: Final = 2**63
KEPT: Final[WeakKeyDictionary[Any, Any]] = WeakKeyDictionary()
"""What pointers of C point to, for as long as these are there."""


CALLS = Dialect(
    encoder="encoder = create_encoder(device, null)",
    run="run = begin_pass(encoder, null)",
    set_pipeline="do_set_pipeline(run, pipeline)",
    bind={
        "one": "set_bind_group(run, 0, group, 0, null)",
        "in turn": "set_bind_group(run, 0, groups[index % group_count], 0, null)",
        "created": "made = create_bind_group(device, description)\n"
        "set_bind_group(run, 0, made, 0, null)\n"
        "release_bind_group(made)",
        "dynamic": "set_bind_group(run, 0, group, 1, offsets + index % offset_count)",
    },
    dispatch={
        "direct": "do_dispatch(run, workgroups, 1, 1)",
        "indirect": "dispatch_indirect(run, indirect, 0)",
        "immediates": "set_immediates(run, 0, one, 4)\ndo_dispatch(run, workgroups, 1, 1)",
    },
    end="end_pass(run)\nrelease_pass(run)",
    submit="scratch[0] = finish(encoder, null)\n"
    "release_encoder(encoder)\n"
    "do_submit(queue, 1, scratch)\n"
    "release_buffer(scratch[0])",
    collect="scratch[index - first] = finish(encoder, null)\nrelease_encoder(encoder)",
    submit_all="do_submit(queue, index - first + 1, scratch)\n"
    "for last in range(index - first + 1):\n    release_buffer(scratch[last])",
    write="write_buffer(queue, uniform, 0, one, 16)",
)
"""The calls of the C API, made one by one through cffi where there is no compiler for the loops."""

NAMES: Final = {
    "create_encoder": "wgpuDeviceCreateCommandEncoder",
    "begin_pass": "wgpuCommandEncoderBeginComputePass",
    "do_set_pipeline": "wgpuComputePassEncoderSetPipeline",
    "set_bind_group": "wgpuComputePassEncoderSetBindGroup",
    "set_immediates": "wgpuComputePassEncoderSetImmediates",
    "do_dispatch": "wgpuComputePassEncoderDispatchWorkgroups",
    "dispatch_indirect": "wgpuComputePassEncoderDispatchWorkgroupsIndirect",
    "end_pass": "wgpuComputePassEncoderEnd",
    "release_pass": "wgpuComputePassEncoderRelease",
    "finish": "wgpuCommandEncoderFinish",
    "release_encoder": "wgpuCommandEncoderRelease",
    "do_submit": "wgpuQueueSubmit",
    "release_buffer": "wgpuCommandBufferRelease",
    "create_bind_group": "wgpuDeviceCreateBindGroup",
    "release_bind_group": "wgpuBindGroupRelease",
    "write_buffer": "wgpuQueueWriteBuffer",
}
"""The functions of the loops, in the order of `struct calls` in loops.c."""


@dataclass(frozen=True, slots=True)
class DirectLibrary(Library):
    """A native library, called through its C API. Its Python package makes what is made before the timed region."""

    times_gpu: ClassVar[bool] = False
    ffi: Any
    lib: Any
    loops: compiled.Loops | None
    how: str
    """How the loops come to call the library: by which compiler, or why not."""

    def waits(self, device: Any) -> dict[WaitMode, Wait]:
        """The plain wait alone. Mapping would go through Python, and is seen in the other runtime."""
        return {WaitMode.DONE: self.done(device)}

    def done(self, device: Any) -> Wait:
        """The plain wait: a poll of the device until it is idle, or a wait for the queue's future."""
        if self.name == "wgpu":
            poll, handle, null = self.lib.wgpuDevicePoll, device._internal, self.ffi.NULL
            return lambda: poll(handle, 1, null)
        return self._future(device)

    def operation(self, workload: Workload, case: Case, per_submit: int, timer: GpuTimer | None = None) -> Issue:
        """The loop that a case times."""
        names = self._names(workload, per_submit)
        if self.loops is None:
            return compose(CALLS, case, workload, per_submit, None, {**names, **self._functions()})
        fields = self._fields(names, per_submit)
        absent = {
            "description": case.bind_group != "created",
            "uniform": not case.uniform_written,
            "immediate": workload.kernel.uses != "immediates",
        }
        present = {name: value for name, value in fields.items() if not absent.get(name, False)}
        loop = compiled.OPERATIONS[case.operation or "submit"]
        return self.loops.operation(loop, self._addresses(), present, keep=(workload, names))

    def empty_submits(self, device: Any) -> Issue:
        """Submits of nothing."""
        queue, submit, null = device.queue._internal, self.lib.wgpuQueueSubmit, self.ffi.NULL
        if self.loops is not None:
            return self.loops.operation("empty_submits", self._addresses(), {"queue": self._address(queue)})

        def issue(n: int) -> None:
            for _ in range(n):
                submit(queue, 0, null)

        return issue

    def phases(self, workload: Workload) -> phases.Batch:
        """A batch of dispatches in which each call is timed apart. Raises Unsupported without compiled loops."""
        loops = self.loops
        if loops is None:
            raise Unsupported(f"calls through cffi cannot be timed apart: {self.how}")
        uniform = workload.device.create_buffer(size=16, usage=UNIFORM | COPY_DST)

        def dispatch(n: int) -> list[tuple[str, int, int]]:
            # The buffer is asked for its address here, so that it lives as long as this function.
            names, target = self._names(workload, 3 * n), self._address(uniform._internal)
            fields = self._fields(names, 3 * n)
            begun, timed = perf_counter_ns(), []
            for label, span in loops.phases(self._addresses(), fields, fields["description"], target, n):
                timed.append((label, begun, span))
                begun += span
            return timed

        return dispatch

    def libraries(self) -> dict[str, str]:
        """Names and versions of what takes part, and how the library is called."""
        return {**super(DirectLibrary, self).libraries(), "loops": self.how}

    def _future(self, device: Any) -> Wait:
        package = BACKENDS[self.name]
        helpers, bindings = import_module(f"{package}._helpers"), import_module(f"{package}._ffi")
        info, waited = self.ffi.new("WGPUQueueWorkDoneCallbackInfo *"), self.ffi.new("WGPUFutureWaitInfo *")
        info.mode = bindings.CALLBACK_MODE
        info.callback = bindings.c_callback("WGPUQueueWorkDoneCallback")
        # A callback is obligatory, and has nothing to add: the wait itself tells.
        info.userdata1 = bindings.callbacks.register(lambda *answer: None, once=False)
        instance, queue = helpers.get_wgpu_instance(), device.queue._internal
        ask, wait_any = self.lib.wgpuQueueOnSubmittedWorkDone, self.lib.wgpuInstanceWaitAny

        def wait() -> None:
            waited.future = ask(queue, info[0])
            waited.completed = 0
            wait_any(instance, 1, waited, FOREVER_NS)

        return wait

    def _names(self, workload: Workload, scratch: int) -> dict[str, Any]:
        """What the loops call things, as pointers and arrays of C."""
        null, new = self.ffi.NULL, self.ffi.new
        groups = [group._internal for group in workload.groups]
        offsets = [offset for (offset,) in workload.offsets]
        return {
            "device": workload.device._internal,
            "queue": workload.device.queue._internal,
            "pipeline": workload.pipeline._internal,
            "group": groups[0],
            "groups": new("WGPUBindGroup[]", groups),
            "group_count": len(groups),
            "description": self._description(workload.description),
            "offsets": new("uint32_t[]", offsets) if offsets else null,
            "offset_count": len(offsets),
            "indirect": workload.indirect._internal if workload.indirect else null,
            "uniform": workload.uniform._internal if workload.uniform else null,
            "workgroups": workload.workgroups,
            "one": self.ffi.from_buffer(ONE),
            "scratch": new("WGPUCommandBuffer[]", scratch),
            "null": null,
        }

    def _description(self, description: dict[str, Any]) -> Any:
        entries = self.ffi.new("WGPUBindGroupEntry[]", len(description["entries"]))
        for entry, given in zip(entries, description["entries"], strict=True):
            resource = given["resource"]
            entry.binding, entry.buffer = given["binding"], resource["buffer"]._internal
            entry.offset, entry.size = resource["offset"], resource["size"]
        made = self.ffi.new("WGPUBindGroupDescriptor *")
        made.layout, made.entryCount, made.entries = description["layout"]._internal, len(entries), entries
        # A struct does not keep what it points to.
        KEPT[made] = entries
        return made

    def _fields(self, names: dict[str, Any], per_submit: int) -> dict[str, int]:
        """The names as fields of `struct work`."""
        fields = {**names, "immediate": names["one"], "per_submit": per_submit}
        return {
            name: fields[name] if isinstance(fields[name], int) else self._address(fields[name])
            for name, *_ in compiled.Work._fields_
        }

    def _address(self, pointer: Any) -> int:
        return int(self.ffi.cast("uintptr_t", pointer))

    def _functions(self) -> dict[str, Any]:
        return {short: getattr(self.lib, name) for short, name in NAMES.items()}

    def _addresses(self) -> list[int]:
        return [self._address(self.ffi.addressof(self.lib, name)) for name in NAMES.values()]


def load(name: str, module: ModuleType) -> DirectLibrary:
    """The C API of a package in PACKAGES, with compiled loops where there is a compiler."""
    bindings = import_module(f"{BACKENDS[name]}._ffi")
    try:
        loops = compiled.load()
    except compiled.NoCompiler as error:
        return DirectLibrary(name, module, bindings.ffi, bindings.lib, None, f"cffi, one call at a time: {error}"[:200])
    return DirectLibrary(name, module, bindings.ffi, bindings.lib, loops, f"compiled, {loops.compiler}")
