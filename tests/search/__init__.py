"""The search, without SQL."""
