"""What can go wrong with a store."""


class StoreError(Exception):
    """The store cannot be opened; the message names it and says what to do."""
