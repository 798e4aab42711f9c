"""Random releases by the thousand, read again with pandas and checked by code that shares nothing with fairveil.

`make soak` makes 10,000 of them; `tests/soak/test_soak.py` makes a few in every run of the suite.
"""
