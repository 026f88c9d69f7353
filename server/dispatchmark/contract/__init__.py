"""The wire contract: every document that crosses a process boundary, and the reader of suite.json."""
