"""Every document enters the store through here."""
