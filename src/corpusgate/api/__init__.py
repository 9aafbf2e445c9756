"""What programs call: the same functions as the command line, without printing or exiting."""
