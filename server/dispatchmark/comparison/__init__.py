"""Compares the runtimes of a sweep, and attributes their cost."""
