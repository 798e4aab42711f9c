"""Suggestions: what the columns of a new file look like, which roles and hierarchies suit them, and a first plan."""
