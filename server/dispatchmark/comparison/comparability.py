"""May two rows be compared? Pure, named rules over the conditions of two rows.

A withholding rule forbids the ratio: it would measure something else than the runtimes. A noting rule lets it stand
and says beside it what differs. Each finds a sentence in words, or None.
"""

from collections.abc import Callable, Sequence

from .runs import Conditions

Rule = Callable[[Conditions, Conditions], str | None]


def suites_differ(one: Conditions, other: Conditions) -> str | None:
    """Another suite file or kernel is another benchmark."""
    return "measured with different suite files" if one.suite != other.suite else None


def machines_differ(one: Conditions, other: Conditions) -> str | None:
    """Another machine, or the same one with other hardware."""
    known = one.machine is not None and other.machine is not None
    return "measured on different machines" if known and one.machine != other.machine else None


def software_against_hardware(one: Conditions, other: Conditions) -> str | None:
    """A software adapter executes on the CPU: its cost says nothing about a GPU's."""
    if one.software is None or other.software is None or one.software == other.software:
        return None
    return "one adapter is software, the other hardware"


def adapters_differ(one: Conditions, other: Conditions) -> str | None:
    """Two models of which neither name contains the other, or two descriptions that share no word.

    Browsers give vendor and architecture where native runtimes give the model, so that names need not be equal.
    """
    mine, theirs = _words(one.model), _words(other.model)
    if mine and theirs:
        differ = not (mine <= theirs or theirs <= mine)
    else:
        mine, theirs = _words(one.words), _words(other.words)
        differ = bool(mine and theirs) and not mine & theirs
    return f"different adapters: {one.adapter} and {other.adapter}" if differ else None


def adapter_unnamed(one: Conditions, other: Conditions) -> str | None:
    """Browsers mask their adapter's name, so that its identity is an assumption."""
    unnamed = [str(row.runtime) for row in (one, other) if not row.adapter]
    return f"{' and '.join(unnamed)} gave no adapter name: taken to be the same adapter" if unnamed else None


def adapter_kind_unknown(one: Conditions, other: Conditions) -> str | None:
    """Without a word on software or hardware, either is possible."""
    if one.software is None and other.software is None:
        return None
    unknown = [str(row.runtime) for row in (one, other) if row.software is None]
    return f"{' and '.join(unknown)} does not tell software from hardware" if unknown else None


def backends_differ(one: Conditions, other: Conditions) -> str | None:
    """Vulkan, Metal, Direct3D 12 and OpenGL cost different amounts below the runtime."""
    mine, theirs = one.backend.casefold(), other.backend.casefold()
    return f"different backends: {one.backend} and {other.backend}" if mine and theirs and mine != theirs else None


def drivers_differ(one: Conditions, other: Conditions) -> str | None:
    """Drivers are named differently by different runtimes, so that a difference may be one of words only."""
    mine, theirs = _words(one.driver), _words(other.driver)
    if not mine or not theirs or mine & theirs:
        return None
    return f"drivers are named differently: {one.driver} and {other.driver}"


def profiles_differ(one: Conditions, other: Conditions) -> str | None:
    """A profile changes flags, preferences and the sandbox."""
    if one.profile == other.profile:
        return None
    return f"different launch profiles: {one.profile} and {other.profile}"


def wait_modes_differ(one: Conditions, other: Conditions) -> str | None:
    """The wait is in the intercept, but nudging submits work of its own while it waits."""
    if one.wait_mode is None or other.wait_mode is None or one.wait_mode == other.wait_mode:
        return None
    return f"different wait modes: {one.wait_mode} and {other.wait_mode}"


def not_as_asked(row: Conditions, asked: str) -> list[str]:
    """A sweep asked for one kind of adapter and a runtime measured on the other: it fell back, or ignored the wish."""
    if asked == "any" or row.software is None or row.software == (asked == "software"):
        return []
    return [f"a {asked} adapter was asked for, and it measured on a {'software' if row.software else 'hardware'} one"]


WITHHOLDING: tuple[Rule, ...] = (suites_differ, machines_differ, software_against_hardware, adapters_differ)
NOTING: tuple[Rule, ...] = (
    adapter_unnamed,
    adapter_kind_unknown,
    backends_differ,
    drivers_differ,
    profiles_differ,
    wait_modes_differ,
)


def withheld(one: Conditions, other: Conditions) -> list[str]:
    """Why the two must not be compared; empty where they may be."""
    return _findings(WITHHOLDING, one, other)


def notes(one: Conditions, other: Conditions) -> list[str]:
    """What a reader of their ratio must know."""
    return _findings(NOTING, one, other)


def _findings(rules: Sequence[Rule], one: Conditions, other: Conditions) -> list[str]:
    return [found for rule in rules if (found := rule(one, other)) is not None]


def _words(name: str) -> set[str]:
    separated = "".join(letter if letter.isalnum() else " " for letter in name.casefold())
    return {word for word in separated.split() if len(word) > 1}
