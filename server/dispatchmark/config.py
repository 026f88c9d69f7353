"""Every setting of the server, read from the environment (`DISPATCHMARK_...`) and overridable in code."""

from pathlib import Path

from platformdirs import user_data_path
from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict

MIB = 1024 * 1024


def default_database() -> str:
    """The store of a user who chose none: a file in the platform's own data directory."""
    return str(user_data_path("dispatchmark", appauthor=False) / "dispatchmark.db")


class Settings(BaseSettings):
    """Settings of one server. Sizes in bytes, times in seconds unless their name says otherwise."""

    model_config = SettingsConfigDict(env_prefix="DISPATCHMARK_", extra="forbid", frozen=True)

    database: str = Field(
        default_factory=default_database,
        min_length=1,
        description="file of the store, or a SQLAlchemy URL such as sqlite:///path or postgresql+psycopg://host/name",
    )
    host: str = Field("127.0.0.1", description="address to listen on")
    port: int = Field(8787, ge=0, le=65535, description="port to listen on; 0 takes a free one")
    max_body_bytes: int = Field(8 * MIB, ge=1024, description="largest part, start or finish that is accepted")
    max_submission_bytes: int = Field(64 * MIB, ge=1024, description="largest whole run that is accepted at once")
    max_parts: int = Field(1000, ge=1, le=100_000, description="most parts one run may hold")
    max_run_bytes: int = Field(64 * MIB, ge=1024, description="most that the parts of one run may take together")
    silence_s: float = Field(
        900.0, gt=0, description="a running run that has sent nothing for so long is closed as partial"
    )
    closing_interval_s: float = Field(30.0, gt=0, description="how often the server looks for silent runs")
    busy_timeout_s: float = Field(15.0, gt=0, description="how long a writer waits for another one")
    page_rows: int = Field(200, ge=1, le=10_000, description="most runs or sweeps that one answer lists")
    carryover_limit: float = Field(
        1.5, gt=1, description="a run whose repeated first case differs by more than this factor is disturbed"
    )
    hidden_limit_ms: float = Field(
        0.0, ge=0, description="a run whose page was hidden for longer than this during a case is disturbed"
    )

    @property
    def database_url(self) -> str:
        """The SQLAlchemy URL of the store."""
        if "://" in self.database:
            return self.database
        return f"sqlite:///{Path(self.database).expanduser()}"
