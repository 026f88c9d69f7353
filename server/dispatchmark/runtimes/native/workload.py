"""What a case dispatches: a pipeline, the buffers it counts in, and the loops that are timed."""

import struct
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from dispatchmark.contract.suite import Case, Kernel, SuiteFile, wgsl

SLOT_ALIGNMENT: Final = 256
IMMEDIATE_BYTES: Final = 4
READ: Final = 0x0001
MAP_READ, COPY_SRC, COPY_DST, UNIFORM, STORAGE, INDIRECT, QUERY_RESOLVE = 0x1, 0x4, 0x8, 0x40, 0x80, 0x100, 0x200
COMPUTE: Final = 0x4
ONE: Final = np.array([1, 0, 0, 0], dtype=np.float32)
TYPES: Final = {"f32": np.float32, "f16": np.float16, "i32": np.int32}
LARGEST: Final = {"f32": 2**24, "f16": 2**11, "i32": 2**31 - 1}
"""The largest count that each type holds when it goes up by ones."""

Issue = Callable[[int], None]
"""Issues n operations. Runs within the timed region: API calls, nothing else."""


@dataclass(frozen=True, slots=True)
class Workload:
    """Pipeline, bind groups and buffers of one case on one device, all made beforehand."""

    device: Any
    kernel: Kernel
    pipeline: Any
    groups: list[Any]
    description: dict[str, Any]
    offsets: list[list[int]]
    slots: list[tuple[Any, int]]
    elements: int
    workgroups: int
    indirect: Any
    uniform: Any


def build(device: Any, file: SuiteFile, case: Case) -> Workload:
    """Compiles the kernel and makes what the case needs. Raises what the library raises, with the compiler's words."""
    kernel = file.kernels[case.kernel or ""]
    try:
        module = device.create_shader_module(label=kernel.file, code=wgsl(kernel))
    except Exception as error:
        raise RuntimeError(f"{kernel.file}: {error}") from error
    dynamic = case.bind_group == "dynamic"
    buffer_layout = {"type": "storage", "has_dynamic_offset": dynamic}
    entries = [{"binding": 0, "visibility": COMPUTE, "buffer": buffer_layout}]
    if kernel.uses == "uniform":
        entries.append({"binding": 1, "visibility": COMPUTE, "buffer": {"type": "uniform"}})
    layout = device.create_bind_group_layout(entries=entries)
    pipeline = device.create_compute_pipeline(
        layout=device.create_pipeline_layout(
            bind_group_layouts=[layout], immediate_size=IMMEDIATE_BYTES if kernel.uses == "immediates" else 0
        ),
        compute={"module": module, "entry_point": kernel.entry},
    )
    size = file.workload.elements * kernel.bytes_per_element
    slots = _slots(device, size, _slot_count(case, file.workload.ring), shared=dynamic)
    uniform = _filled(device, ONE.tobytes(), UNIFORM) if kernel.uses == "uniform" else None
    descriptions: list[dict[str, Any]] = [
        {
            "layout": layout,
            "entries": [
                {"binding": 0, "resource": {"buffer": buffer, "offset": 0, "size": size}},
                *([{"binding": 1, "resource": {"buffer": uniform, "offset": 0, "size": 16}}] if uniform else []),
            ],
        }
        for buffer, _ in (slots[:1] if dynamic else slots)
    ]
    counts = file.workload.workgroups
    return Workload(
        device=device,
        kernel=kernel,
        pipeline=pipeline,
        groups=[device.create_bind_group(**one) for one in descriptions],
        description=descriptions[0],
        offsets=[[offset] for _, offset in slots] if dynamic else [],
        slots=slots,
        elements=file.workload.elements,
        workgroups=counts,
        indirect=_filled(device, struct.pack("3I", file.workload.workgroups, 1, 1), INDIRECT)
        if case.indirect
        else None,
        uniform=uniform,
    )


def _slot_count(case: Case, ring: int) -> int:
    if case.bind_group == "switched":
        return 2
    return ring if case.bind_group == "dynamic" or case.buffers == "independent" else 1


def _slots(device: Any, size: int, count: int, *, shared: bool) -> list[tuple[Any, int]]:
    """Buffers and offsets: buffers of their own, or, for dynamic offsets, one.

    Zeros are written to the shared one, since wgpu 29 takes what lies beyond a dynamic binding's nominal range for
    never written, and clears it as it is read (gfx-rs/wgpu#1632).
    """
    usage = STORAGE | COPY_SRC | COPY_DST
    stride = -(-size // SLOT_ALIGNMENT) * SLOT_ALIGNMENT
    if shared:
        buffer = _filled(device, bytes(stride * count), usage)
        return [(buffer, index * stride) for index in range(count)]
    return [(device.create_buffer(size=size, usage=usage), 0) for _ in range(count)]


def _filled(device: Any, content: bytes, usage: int) -> Any:
    return device.create_buffer_with_data(data=content, usage=usage | COPY_DST)


class Tally:
    """Counts what was issued and compares it with what the kernel counted."""

    def __init__(self, workload: Workload) -> None:
        self.workload = workload
        self.expected = [0] * len(workload.slots)

    def add(self, n: int) -> None:
        """Notes n operations, which go round the slots from the first one."""
        whole, rest = divmod(n, len(self.expected))
        for slot in range(len(self.expected)):
            self.expected[slot] += whole + (slot < rest)

    def verify(self) -> bool:
        """Whether every element of every slot holds the expected count."""
        kernel, size = self.workload.kernel, self.workload.elements * self.workload.kernel.bytes_per_element
        queue = self.workload.device.queue
        for (buffer, offset), expected in zip(self.workload.slots, self.expected, strict=True):
            counts = np.frombuffer(queue.read_buffer(buffer, offset, size), dtype=TYPES[kernel.type])
            if not (counts == min(expected, LARGEST[kernel.type])).all():
                return False
        return True
