"""Translates the kernels (`counting/kernels/` and `*_kernels.py`) from Python into one C file.

Kernels are plain functions on numbers, NumPy arrays and named tuples of these. The types of a kernel's parameters are
its annotations; every other type follows from them, and a helper is translated once for each combination of types that
it is called with. The rules of arithmetic are NumPy's for 64 bits: integers of any width become int64 (uint64 if all
are unsigned), `/` gives float64. Indices are not checked, arrays are C-contiguous, and sequences are sliced with a step
of one. Everything else is refused with the file and the line.

An array that a kernel makes lives until the function returns that made it, or, if that returns arrays, until its
caller does. Arrays that the kernel returns are copied by `compiling.py`.
"""
