"""A data steward's first hour: real files of many kinds, from `fairveil init` to `fairveil apply`; no plan is edited.

    python -m experiments.first_hour                 every file; the table goes to docs/first-hour.md
    python -m experiments.first_hour --only titanic  some of them

files    the files, written as people keep them: encodings, separators, Excel, Stata, decimal commas
playing  the commands, each in a process of its own
judging  whether a careful owner would accept the release, by code that shares nothing with the search
page     the table as a page of the docs
"""
