"""What a release publishes, from memory or from its folder, and how guards judge it."""
