"""The studio: a local web application. It contains no algorithms: it calls `run` and stores the decisions.

`api` defines the messages and `endpoints` the routes; `contract` exports both to the front end.
"""
