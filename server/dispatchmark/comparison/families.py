"""Which implementation of WebGPU a runtime is built on, and the native runtimes it can be held against. Pure."""

from typing import Final, Literal

from dispatchmark.contract.base import RuntimeName

Family = Literal["dawn", "wgpu", "webkit"]

FAMILY: Final[dict[RuntimeName, Family]] = {
    RuntimeName.DAWN_C: "dawn",
    RuntimeName.DAWN: "dawn",
    RuntimeName.NODE_DAWN: "dawn",
    RuntimeName.CHROMIUM: "dawn",
    RuntimeName.WGPU_C: "wgpu",
    RuntimeName.WGPU: "wgpu",
    RuntimeName.DENO: "wgpu",
    RuntimeName.FIREFOX: "wgpu",
    RuntimeName.WEBKIT: "webkit",
    RuntimeName.SAFARI: "webkit",
    RuntimeName.WEBKITGTK: "webkit",
}
"""In the order in which rows are shown: by family, from native to browser."""

NATIVE: Final[dict[Family, tuple[RuntimeName, ...]]] = {
    "dawn": (RuntimeName.DAWN, RuntimeName.DAWN_C),
    "wgpu": (RuntimeName.WGPU, RuntimeName.WGPU_C),
    "webkit": (),
}
"""The native runtimes of a family, the preferred baseline first: the library as its Python users have it, because
that is what `native` means to most readers; its C API is a rung of the attribution. WebKit's implementation exists in
no library of its own."""

ORDER: Final[dict[RuntimeName, int]] = {name: place for place, name in enumerate(FAMILY)}
