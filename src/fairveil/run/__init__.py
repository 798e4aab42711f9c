"""The use cases, each once: search, explore, check, profile, publish by a plan. Command line and studio call these."""
