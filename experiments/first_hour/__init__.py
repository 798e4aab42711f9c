"""A data steward's first hour: real files of many kinds, from `fairveil init` to `fairveil apply`; no plan is edited.

    python -m experiments.first_hour                 every file; the table goes to docs/first-hour.md
    python -m experiments.first_hour --only titanic  some of them
    python -m experiments.first_hour --held-out DIR  the roles of files that the suggestions were not tuned on

files    the files, written as people keep them: encodings, separators, Excel, Stata, decimal commas
playing  the commands, each in a process of its own
expert   the roles that an expert accepts, from roles.toml and held_out.toml
judging  whether an expert would accept the release, by code that shares nothing with the search
page     the table as a page of the docs
"""
