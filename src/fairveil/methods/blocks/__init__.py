"""Searches that need rows, done block by block where the data is larger than memory."""
