from collections.abc import Iterator

import pytest

from tests.e2e.server import ServerProcess


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server that all tests may measure for, and none may stop."""
    with ServerProcess.running(tmp_path_factory.mktemp("server")) as found:
        yield found
