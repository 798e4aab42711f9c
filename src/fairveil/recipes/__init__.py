"""Recipes that change single values or split columns; `fairveil.recipes.base` says what a recipe is."""
