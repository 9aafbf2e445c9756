"""Readers: bytes of a source to records, and records to texts."""
