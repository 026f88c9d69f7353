"""Server-rendered pages of results."""
