"""Choosing among candidates; knows nothing of how they were found."""
