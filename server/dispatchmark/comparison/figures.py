"""The figures of a comparison: the only place here that asks `stats`."""
