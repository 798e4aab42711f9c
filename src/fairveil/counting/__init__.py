"""Counting, fast: cells and classes, the lattice of generalizations, what measures need of it, compiled kernels."""
