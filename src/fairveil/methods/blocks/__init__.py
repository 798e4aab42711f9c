"""Searches that need rows; they run block by block if the data is larger than memory."""
