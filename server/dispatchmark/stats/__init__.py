"""The only implementation of statistics: arrays in, dataclasses out, the random generator passed in."""
