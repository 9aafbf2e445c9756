"""How rows and runs move."""
