"""What you did: an append-only history in SQLite, and what is derived from it."""
