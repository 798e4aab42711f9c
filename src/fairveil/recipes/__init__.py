"""Recipes that change single values or split columns; `fairveil.recipe` says what a recipe is."""
