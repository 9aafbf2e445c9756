"""How an audit is shown: one format, one file."""
