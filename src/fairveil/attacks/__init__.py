"""Attacks: what somebody with other data could do to a release, tried before anybody else does."""
