"""A data steward's first hour: real files of many kinds, from `fairveil init` to `fairveil apply`; no plan is edited.

    python -m experiments.first_hour                 every file; the table goes to docs/first-hour.md
    python -m experiments.first_hour --only titanic  some of them
    python -m experiments.first_hour --extracts      made-up extracts: roles, published names, hidden cells
    python -m experiments.first_hour --held-out DIR  the same for these and for files that come with R packages

files    the files, written as people keep them: encodings, separators, Excel, Stata, decimal commas
playing  the commands, each in a process of its own
extracts files that are drawn at random, as described in extracts.toml
unseen   roles, names and hidden cells of first plans for extracts and held-out files
expert   the roles that an expert accepts, from roles.toml and held_out.toml
judging  whether an expert would accept the release, by code that shares nothing with the search
page     the table as a page of the docs
"""
