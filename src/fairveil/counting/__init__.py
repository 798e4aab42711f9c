"""Fast counting: cells and classes, the lattice of generalizations, summaries for the measures, compiled kernels."""
