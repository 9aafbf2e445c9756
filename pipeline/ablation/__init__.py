"""Train a small model with the data, and ask which records its spikes come from."""
