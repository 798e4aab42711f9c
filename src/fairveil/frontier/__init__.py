"""Frontier: candidates side by side, and the ways to choose one of them."""
