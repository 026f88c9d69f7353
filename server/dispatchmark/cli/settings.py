"""Settings of the environment with the command line's choices over them."""

from typing import Annotated

import typer
from pydantic import ValidationError

from dispatchmark.config import Settings

from .failure import usage

Database = Annotated[
    str | None,
    typer.Option(
        help="File of the store, or a SQLAlchemy URL. Default: DISPATCHMARK_DATABASE, else in your data directory.",
        metavar="FILE",
    ),
]


def chosen(**choices: object) -> Settings:
    """The settings; a choice of None leaves the environment's or the default."""
    try:
        return Settings.model_validate(
            Settings().model_dump() | {name: value for name, value in choices.items() if value is not None}
        )
    except ValidationError as error:
        problems = "; ".join(f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors())
        usage(f"settings: {problems}")
