"""Audit the text a language model is about to be trained on."""

__version__ = "0.1.0"
