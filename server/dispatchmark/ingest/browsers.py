"""Which runtime a volunteer's page ran in, from its user agent. Lab runs name their runtime themselves.

The engine counts, not the brand: Edge and Opera are `chromium`, with the version of Chromium in them.
"""

import re

from ua_parser import parse

from dispatchmark.contract.base import RuntimeName
from dispatchmark.contract.environment import Runtime

GECKO = re.compile(r" Gecko/[\d.]+ Firefox/([\d.]+)")
BLINK = re.compile(r" (?:Headless)?Chrome/([\d.]+)")
SAFARI = re.compile(r" Version/([\d.]+) .*Safari/")
APPLE = frozenset({"iOS", "Mac OS X"})


def runtime(user_agent: str) -> Runtime | None:
    """The runtime of a user agent with its version, or None where it is no browser whose engine we know."""
    system = parse(user_agent).os
    family = system.family if system else None
    if family == "iOS":
        # Every browser there is WebKit underneath, in the version of the system.
        version = ".".join(filter(None, (system.major, system.minor))) if system else ""
        return Runtime(name=RuntimeName.SAFARI, version=version or None)
    if found := BLINK.search(user_agent):
        return Runtime(name=RuntimeName.CHROMIUM, version=found[1])
    if found := GECKO.search(user_agent):
        return Runtime(name=RuntimeName.FIREFOX, version=found[1])
    if found := SAFARI.search(user_agent):
        return Runtime(name=RuntimeName.SAFARI if family in APPLE else RuntimeName.WEBKITGTK, version=found[1])
    return None
