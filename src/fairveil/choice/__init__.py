"""Choosing among candidates, independent of how they were found."""
