"""The studio: a local web application. It holds no algorithm: it asks `run` and remembers what was decided.

`api` says what goes over the wire and `endpoints` where; `contract` writes both down for the front end.
"""
