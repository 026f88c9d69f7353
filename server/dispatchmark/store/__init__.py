"""SQLModel tables, sessions, and every SELECT and INSERT."""
