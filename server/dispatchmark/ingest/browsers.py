"""Which runtime a volunteer's page ran in, from its user agent. Lab runs name their runtime themselves."""

from ua_parser import parse

from dispatchmark.contract.base import RuntimeName
from dispatchmark.contract.environment import Runtime

GECKO = frozenset({"Firefox", "Firefox Mobile", "Firefox Alpha", "Firefox Beta", "Waterfox", "LibreWolf"})
WEBKIT = frozenset({"Safari", "Mobile Safari", "Mobile Safari UI/WKWebView"})
ON_WEBKIT = frozenset({"iOS"})
"""Systems on which every browser is WebKit underneath, whatever it calls itself."""


def runtime(user_agent: str) -> Runtime | None:
    """The runtime of a user agent with its version, or None where it is no browser that we know the engine of."""
    found = parse(user_agent)
    if found.user_agent is None:
        return None
    family = found.user_agent.family
    version = ".".join(
        piece for piece in (found.user_agent.major, found.user_agent.minor, found.user_agent.patch) if piece
    )
    system = found.os.family if found.os else None
    name = _engine(user_agent, family, system)
    return Runtime(name=name, version=version or None) if name else None


def _engine(user_agent: str, family: str, system: str | None) -> RuntimeName | None:
    if system in ON_WEBKIT or family in WEBKIT:
        return RuntimeName.SAFARI if system in ON_WEBKIT or system == "Mac OS X" else RuntimeName.WEBKITGTK
    if family in GECKO or " Gecko/" in user_agent:
        return RuntimeName.FIREFOX
    # Chrome, Edge, Opera, Brave, Samsung and the rest all say so.
    if " Chrome/" in user_agent or " HeadlessChrome/" in user_agent:
        return RuntimeName.CHROMIUM
    return None
