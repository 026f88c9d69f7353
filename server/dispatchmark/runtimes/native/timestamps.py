"""GPU time by a pair of timestamp queries around the passes of a span."""

import struct
from typing import Any

from .workload import COPY_DST, COPY_SRC, QUERY_RESOLVE


class GpuTimer:
    """Two timestamps on a device with `timestamp-query`; `invalid` counts readings that were no time."""

    def __init__(self, device: Any) -> None:
        self.device = device
        self.invalid = 0
        self.query_set = device.create_query_set(type="timestamp", count=2)
        self.resolved = device.create_buffer(size=16, usage=QUERY_RESOLVE | COPY_SRC | COPY_DST)
        begin, end = {"beginning_of_pass_write_index": 0}, {"end_of_pass_write_index": 1}
        self.both = {"query_set": self.query_set, **begin, **end}
        self.first = {"query_set": self.query_set, **begin}
        self.last = {"query_set": self.query_set, **end}

    def describe(self, index: int, n: int) -> dict[str, Any] | None:
        """Timestamp writes of pass `index` of `n`: the first notes when it begins, the last when it ends."""
        if n == 1:
            return self.both
        if index == 0:
            return self.first
        return self.last if index == n - 1 else None

    def read(self) -> tuple[int, int]:
        """Both stamps of the span that ended last, in nanoseconds as the implementation says."""
        encoder = self.device.create_command_encoder()
        encoder.resolve_query_set(self.query_set, 0, 2, self.resolved, 0)
        self.device.queue.submit([encoder.finish()])
        begin, end = struct.unpack("2Q", bytes(self.device.queue.read_buffer(self.resolved)))
        return begin, end

    def read_span(self) -> float | None:
        """The span in microseconds, None where the reading is invalid."""
        begin, end = self.read()
        if begin > 0 and end >= begin:
            return (end - begin) / 1000
        self.invalid += 1
        return None
