"""Compiled counting that several rooms share: few, small functions on packed 64-bit keys.

Each has a plain-NumPy twin in the tests. The first call in a new installation compiles them, once (`compiling.py`).
"""
