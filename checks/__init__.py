"""What is judged: one question, one file and its page."""
