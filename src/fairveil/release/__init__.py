"""Release: a published table with its evidence, saved as a folder that anybody can verify."""
