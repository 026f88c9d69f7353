"""`python -m dispatchmark` is the command `dispatchmark`."""

from .cli.main import main

main()
