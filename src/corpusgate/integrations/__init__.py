"""Bridges to other libraries, each imported only when it is asked for."""
