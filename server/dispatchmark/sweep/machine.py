"""Describes this machine: the facts that its history hangs on, and a hash of those that should never change."""

import hashlib
import json
import os
import platform
import subprocess
from pathlib import Path

import psutil

from dispatchmark.contract.environment import Machine

GIB = 1024**3
BUSY = 0.5
"""Load per CPU beyond which a measurement has company."""
DISPLAY_CLASS = "0x03"
"""PCI class of display controllers; a GPU without a display output has it too."""


def describe(name: str | None = None) -> Machine:
    """This machine under its owner's name for it, by default its host name."""
    cpu, cores, gpus, system = _cpu(), _cores(), _gpus(), _system()
    return Machine(
        name=name or platform.node() or "unnamed",
        cpu=cpu,
        cores=cores,
        memory_gib=round(psutil.virtual_memory().total / GIB, 1),
        os=f"{system}, kernel {platform.release()}" if platform.system() == "Linux" else system,
        gpus=gpus,
        facts_hash=facts_hash(cpu, cores, gpus, system),
    )


def facts_hash(cpu: str, cores: int | None, gpus: list[str], system: str) -> str:
    """16 hexadecimal digits over CPU, cores, GPUs and the major release of the system.

    Memory, kernel and host name are left out: they change without changing what is measured, or with every update.
    """
    facts = json.dumps([cpu, cores, sorted(gpus), system])
    return hashlib.sha256(facts.encode()).hexdigest()[:16]


def busy(load: float, cores: int | None) -> str | None:
    """Says that the machine is at work already, by its load: processes that ran or waited in the last minute."""
    if load <= BUSY * (cores or 1):
        return None
    return (
        f"This machine is busy: a load of {load:.1f} on {cores or 1} CPUs. "
        "Figures will be noisy, and may stay unresolved."
    )


def load() -> float:
    """The load of the last minute."""
    return psutil.getloadavg()[0]


def _cores() -> int | None:
    """CPUs that this process may use: a container or a CPU set can hold fewer than the machine has."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return psutil.cpu_count()


def _cpu() -> str:
    if platform.system() == "Darwin":
        return _output("sysctl", "-n", "machdep.cpu.brand_string")
    for line in _lines(Path("/proc/cpuinfo")):
        if line.lower().startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def _system() -> str:
    """Name and major release, such as Debian GNU/Linux 12 or macOS 26."""
    if platform.system() == "Darwin":
        return f"macOS {platform.mac_ver()[0].partition('.')[0]}"
    if platform.system() == "Linux":
        try:
            release = platform.freedesktop_os_release()
        except OSError:
            return f"Linux {platform.release().partition('.')[0]}"
        return f"{release['NAME']} {release.get('VERSION_ID', '').partition('.')[0]}".strip()
    return f"{platform.system()} {platform.release()}"


def _gpus() -> list[str]:
    """GPUs by name where the system tells one, else by PCI vendor and device."""
    if platform.system() == "Darwin":
        return _mac_gpus(_output("system_profiler", "-json", "SPDisplaysDataType"))
    return [_pci_name(device) for device in sorted(Path("/sys/bus/pci/devices").glob("*")) if _is_display(device)]


def _mac_gpus(report: str) -> list[str]:
    displays = json.loads(report).get("SPDisplaysDataType", []) if report else []
    return [display["sppci_model"] for display in displays if "sppci_model" in display]


def _is_display(device: Path) -> bool:
    return any(line.startswith(DISPLAY_CLASS) for line in _lines(device / "class"))


def _pci_name(device: Path) -> str:
    for line in _lines(Path("/proc/driver/nvidia/gpus") / device.name / "information"):
        if line.startswith("Model:"):
            return line.partition(":")[2].strip()
    ids = [line.removeprefix("0x") for part in ("vendor", "device") for line in _lines(device / part)]
    return f"PCI {':'.join(ids)}"


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(errors="replace").splitlines()
    except OSError:
        return []


def _output(*command: str) -> str:
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=30, check=True).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return ""
