"""Pure helpers about tests, corrections, intervals, distances."""
