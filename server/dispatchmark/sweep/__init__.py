"""Plans and executes sweeps as a client of the server."""
