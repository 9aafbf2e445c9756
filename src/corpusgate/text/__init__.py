"""Pure helpers about characters and encodings."""
