"""One module per runtime family; each drives a fresh process and posts what it measured."""
