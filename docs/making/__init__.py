"""What makes the documentation site: pages from the registries and docstrings, sessions that are run, pictures."""
